import { type NetworkProxy, openProxy } from "../../harness/network-proxy.ts";

// What a client sends to PostgreSQL: https://www.postgresql.org/docs/current/protocol-message-formats.html

/** Protocols that begin a session have this major version; the others ask for encryption or cancel something. */
const SESSION = 3;
const LENGTH_BYTES = 4;
const QUOTED = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Opens a proxy that counts the statements that come through it to the database of this URL. */
export async function countingProxy(databaseUrl: string): Promise<NetworkProxy & { statements(): number }> {
  let statements = 0;
  const count = (more: number) => {
    statements += more;
  };
  const proxy = await openProxy(databaseUrl, () => statementReader(count));
  return { ...proxy, statements: () => statements };
}

/**
 * Reads what a client sends on one connection and tells how many statements it runs: one for each Execute, and those of
 * a simple query that a semicolon divides. BEGIN and COMMIT are statements too.
 */
export function statementReader(count: (statements: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let inSession = false;

  /** Takes the next message from the rest; false when it has not arrived as a whole. */
  function take(): boolean {
    // The first messages have no byte that tells their type.
    const at = inSession ? 1 : 0;
    if (rest.length < at + LENGTH_BYTES) return false;
    const end = at + rest.readUInt32BE(at);
    if (rest.length < end) return false;
    if (inSession) count(statementsOf(rest.subarray(0, end)));
    else inSession = rest.readUInt16BE(LENGTH_BYTES) === SESSION;
    rest = rest.subarray(end);
    return true;
  }

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (take());
  };
}

function statementsOf(message: Buffer): number {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type === "E") return 1;
  if (type !== "Q") return 0;
  const sql = message.toString("utf8", 1 + LENGTH_BYTES, message.length - 1);
  return sql
    .replaceAll(QUOTED, " x ")
    .split(";")
    .filter((statement) => statement.trim() !== "").length;
}
