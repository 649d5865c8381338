import { openConnection } from "./connection.ts";

/** A request of a load. */
export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** JSON text. */
  body?: string;
  /** Further lines of its head. */
  headers?: readonly string[];
}

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

/** The bytes of requests to a server, sent with this key. */
export function target(port: number, requests: Request[], key: string): Target {
  const bytes = requests.map(({ method, path, body, headers = [] }) => {
    const length =
      body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
    const head = [
      `${method} ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${key}`,
      ...headers,
      ...length,
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body ?? ""}`);
  });
  return { port, bytes, next: 0 };
}

/** Sends requests on connections that stay open, on each the next as soon as its answer is complete. */
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
  const connection = await openConnection(port);
  try {
    for (let request = next(); request; request = next()) {
      const begun = performance.now();
      const { status, body } = await connection.ask(request);
      result.latenciesMs.push(performance.now() - begun);
      result.requests += 1;
      if (!isSuccess(status)) result.failures.push(`${status} ${body().slice(0, 300)}`);
    }
  } finally {
    connection.close();
  }
}

/** True if a request was carried out. Other servers answer 201 when they create a record. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The value below which this share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
