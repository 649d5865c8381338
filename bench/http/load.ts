import { connect, type Socket } from "node:net";
import { CASE_HEADER, type Request } from "./case.ts";

/** What a load brought. */
export interface Load {
  requests: number;
  ms: number;
  latenciesMs: number[];
  failures: string[];
}

export interface Target {
  port: number;
  /** Whole requests, sent in turn. */
  bytes: Buffer[];
  /** Index of the next request; goes on from one load to the next. */
  next: number;
}

interface Bounds {
  connections: number;
  ms: number;
  /** Ends sooner after this many. */
  requestsMax?: number;
}

/** The bytes of requests; their number goes along for the bare server. */
export function target(port: number, requests: Request[], key: string, firstCase: number): Target {
  const bytes = requests.map(({ method, path, body }, i) => {
    const length =
      body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
    const head = [
      `${method} ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${key}`,
      `${CASE_HEADER}: ${firstCase + i}`,
      ...length,
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body ?? ""}`);
  });
  return { port, bytes, next: 0 };
}

/**
 * Sends requests on connections that stay open, on each the next as soon as its answer is complete. Own reading of HTTP:
 * the one of Node costs as much as the server, and there are two cores for the load, the server and PostgreSQL.
 */
export async function load(
  at: Target,
  { connections, ms, requestsMax = Number.POSITIVE_INFINITY }: Bounds,
): Promise<Load> {
  const result: Load = { requests: 0, ms: 0, latenciesMs: [], failures: [] };
  const begun = performance.now();
  const until = begun + ms;
  let sent = 0;
  const next = (): Buffer | undefined => {
    if (performance.now() >= until || sent >= requestsMax) return undefined;
    sent += 1;
    return at.bytes[at.next++ % at.bytes.length];
  };
  await Promise.all(Array.from({ length: Math.min(connections, requestsMax) }, () => converse(at.port, next, result)));
  result.ms = performance.now() - begun;
  return result;
}

/** One connection: request, answer, request, answer. */
async function converse(port: number, next: () => Buffer | undefined, result: Load): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  try {
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const read = answers(socket);
    for (let request = next(); request; request = next()) {
      const begun = performance.now();
      socket.write(request);
      const { status, text } = await read();
      result.latenciesMs.push(performance.now() - begun);
      result.requests += 1;
      if (status !== 200) result.failures.push(`${status} ${text().slice(0, 300)}`);
    }
  } finally {
    socket.destroy();
  }
}

interface Answered {
  status: number;
  text(): string;
}

/** Gives the next complete answer at each call. */
function answers(socket: Socket): () => Promise<Answered> {
  let chunks: Buffer[] = [];
  let got = 0;
  let length = -1;
  let status = 0;
  let settle: { resolve(answer: Answered): void; reject(error: Error): void } | undefined;

  function takeHead(): void {
    const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const end = all?.indexOf("\r\n\r\n") ?? -1;
    if (!all || end < 0) return;
    const head = all.toString("latin1", 0, end);
    status = Number(head.slice(9, 12));
    length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  }

  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    got += chunk.length;
    if (length < 0) takeHead();
    if (length < 0 || got < length) return;
    const read = chunks;
    chunks = [];
    got = 0;
    length = -1;
    settle?.resolve({ status, text: () => Buffer.concat(read).toString() });
  });
  socket.on("error", (error) => settle?.reject(error));
  socket.on("close", () => settle?.reject(new Error("The server closed the connection")));
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
}

/** The value below which this share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
