import { type NetworkProxy, openProxy } from "../../harness/network-proxy.ts";

// What a client sends to PostgreSQL: https://www.postgresql.org/docs/current/protocol-message-formats.html

/** Protocols that begin a session have this major version; the others ask for encryption or cancel something. */
const SESSION = 3;
const LENGTH_BYTES = 4;
const HEAD_BYTES = 1 + LENGTH_BYTES;
const QUOTED = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** A statement with its values, as a client sends them: texts, and null. */
export interface Sent {
  text: string;
  values: (string | null)[];
}

/** Opens a proxy that counts the statements that come through it to the database of this URL. */
export async function countingProxy(databaseUrl: string): Promise<NetworkProxy & { statements(): number }> {
  let statements = 0;
  const count = (more: number) => {
    statements += more;
  };
  const proxy = await openProxy(databaseUrl, () => statementReader(count));
  return { ...proxy, statements: () => statements };
}

/** Opens a proxy that keeps the prepared statements that come through it. `take` gives those since its last call. */
export async function recordingProxy(databaseUrl: string): Promise<NetworkProxy & { take(): Sent[] }> {
  let sent: Sent[] = [];
  const proxy = await openProxy(databaseUrl, () => sentReader((statement) => sent.push(statement)));
  const take = () => {
    const taken = sent;
    sent = [];
    return taken;
  };
  return { ...proxy, take };
}

/**
 * Reads what a client sends on one connection and tells how many statements it runs: one for each Execute, and those of
 * a simple query that a semicolon divides. BEGIN and COMMIT are statements too.
 */
export function statementReader(count: (statements: number) => void): (chunk: Buffer) => void {
  return messageReader((type, content) => count(statementsOf(type, content)));
}

/** Reads what a client sends on one connection and tells each prepared statement that it runs. */
export function sentReader(tell: (statement: Sent) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  return messageReader((type, content) => {
    if (type === "P") {
      const [name = "", text = ""] = content.toString().split("\0");
      texts.set(name, text);
    }
    if (type === "B") {
      const [portal = "", name = ""] = content.toString("latin1").split("\0");
      tell({ text: texts.get(name) ?? "", values: valuesOf(content.subarray(portal.length + name.length + 2)) });
    }
  });
}

/** Values of a Bind, behind the names in it. */
function valuesOf(content: Buffer): (string | null)[] {
  let at = 2 + 2 * content.readUInt16BE(0);
  const count = content.readUInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = content.readInt32BE(at);
    at += LENGTH_BYTES + Math.max(0, length);
    return length < 0 ? null : content.toString("utf8", at - length, at);
  });
}

/** Reads messages in whatever chunks they come, with their types and without their heads. */
function messageReader(tell: (type: string, content: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let inSession = false;

  /** Takes the next message from the rest; false when it has not arrived as a whole. */
  function take(): boolean {
    // The first messages have no byte that tells their type.
    const at = inSession ? 1 : 0;
    if (rest.length < at + LENGTH_BYTES) return false;
    const end = at + rest.readUInt32BE(at);
    if (rest.length < end) return false;
    if (inSession) tell(String.fromCharCode(rest[0] ?? 0), rest.subarray(HEAD_BYTES, end));
    else inSession = rest.readUInt16BE(LENGTH_BYTES) === SESSION;
    rest = rest.subarray(end);
    return true;
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (take());
  };
}

function statementsOf(type: string, content: Buffer): number {
  if (type === "E") return 1;
  if (type !== "Q") return 0;
  const sql = content.toString("utf8", 0, content.length - 1);
  return sql
    .replaceAll(QUOTED, " x ")
    .split(";")
    .filter((statement) => statement.trim() !== "").length;
}
