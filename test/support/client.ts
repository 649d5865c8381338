import { Agent, type IncomingHttpHeaders, request as send } from "node:http";
import { connect } from "node:net";
import { until } from "../../lab/harness/until.ts";
import { checkAnswer } from "./answers.ts";
import type { Answered } from "./document.ts";
import { checkRawAnswer } from "./raw-answer.ts";
import type { TestServer } from "./server.ts";

/** A record, as far as tests look into it. */
export type Item = Record<string, unknown> & { id: string };

/** An issue without its message, which nobody should depend on. */
export interface Issue {
  code: string;
  path: (string | number)[];
  [more: string]: unknown;
}

/** An answer that has passed the checks of answers.ts. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: unknown;
  /** Of a success with one record. */
  readonly data: Item;
  /** Of a list. */
  readonly items: Item[];
  readonly nextLink: string | undefined;
  /** Of a failure. */
  readonly error: { code: string; message: string; details?: { issues?: (Issue & { message: string })[] } };
  /** Of a 422. */
  readonly issues: Issue[];
}

export interface Client {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  /** Any method; a text or buffer goes out as it is, undefined as no body. */
  request(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  /** Follows nextLink from a list to its end. */
  pages(path: string): Promise<Item[][]>;
  all(path: string): Promise<Item[]>;
}

type Headers = Record<string, string | string[] | undefined>;

const agent = new Agent({ keepAlive: true });

/** Sends requests with a key, or without any, and checks every answer. */
export function client(server: TestServer, key?: string): Client {
  async function request(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const bytes = body === undefined ? undefined : asBytes(body);
    const all = {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(bytes && { "Content-Type": "application/json", "Content-Length": bytes.length }),
      ...headers,
    };
    const answered = await exchange(
      server.base,
      method,
      path,
      bytes,
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
    checkAnswer(server, answered);
    return toAnswer(answered);
  }

  return clientOf(request, server.publicUrl);
}

/**
 * The same, that sends a request again while it is 503, as clients are told to: on a busy machine the server may refuse
 * some of many requests that come at once, and has done nothing then. docs/guides/under-load.md
 */
export function patientClient(server: TestServer, key?: string): Client {
  const once = client(server, key);
  return clientOf(
    (...sent) =>
      until("the request is served", async () => {
        const answer = await once.request(...sent);
        return answer.status === 503 ? undefined : answer;
      }),
    server.publicUrl,
  );
}

function clientOf(request: Client["request"], publicUrl: string): Client {
  async function pages(path: string): Promise<Item[][]> {
    const found: Item[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const answer: Answer = await request("GET", next);
      if (answer.status !== 200) throw new Error(`GET ${next} answered ${answer.status}: ${answer.text}`);
      found.push(answer.items);
      next = answer.nextLink?.slice(publicUrl.length);
    }
    return found;
  }

  return {
    request,
    get: (path, headers) => request("GET", path, undefined, headers),
    post: (path, body = {}, headers) => request("POST", path, body, headers),
    patch: (path, body = {}, headers) => request("PATCH", path, body, headers),
    delete: (path, body, headers) => request("DELETE", path, body, headers),
    pages,
    all: async (path) => (await pages(path)).flat(),
  };
}

function asBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function exchange(
  base: string,
  method: string,
  path: string,
  body: Buffer | undefined,
  headers: object,
): Promise<Answered> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent, hostname, port, method, path, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ method, path, status: statusCode, headers: received, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function toAnswer({ status, headers, text }: Answered): Answer {
  const body: unknown = /json/.test(headers["content-type"] ?? "") && text !== "" ? JSON.parse(text) : undefined;
  const part = <Part>(name: string): Part => {
    if (typeof body === "object" && body !== null && name in body) return Reflect.get(body, name) as Part;
    throw new Error(`Expected an answer with "${name}", but got ${status}: ${text}`);
  };
  type List = { items: Item[]; pagination: { nextLink?: string } };
  return {
    status,
    headers,
    text,
    body,
    get data() {
      return part<Item>("data");
    },
    get items() {
      return part<List>("data").items;
    },
    get nextLink() {
      return part<List>("data").pagination.nextLink;
    },
    get error() {
      return part<Answer["error"]>("error");
    },
    get issues() {
      const { details } = part<Answer["error"]>("error");
      return (details?.issues ?? []).map(({ message: _, code, path, ...more }) => ({ code, path, ...more }));
    },
  };
}

/**
 * Sends bytes on a socket of their own and gives all that comes back until the server closes it. For what no HTTP
 * client would send.
 */
export function raw(server: TestServer, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    // A reset ends it as well; what was received by then is what the client could read.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      try {
        checkRawAnswer(server, bytes.toString(), received);
        resolve(received);
      } catch (error) {
        reject(error);
      }
    });
  });
}
