import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** What a provider of enrichments was asked. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The person. */
  person: Record<string, unknown> & { id: string };
}

/** Answers a request, or does not. */
export type Answerer = (response: ServerResponse, asked: Asked) => void;

/** A stand-in for the HTTP server of a provider, which is a real one. */
export interface ProviderServer {
  url: string;
  /** All that was asked so far. */
  asked: Asked[];
  /** How the next requests are answered, one by one; the last of these answers the rest. */
  answer(...answerers: Answerer[]): void;
  stop(): Promise<void>;
}

/** Starts a provider that finds nothing until it is told otherwise. */
export async function startProvider(): Promise<ProviderServer> {
  const asked: Asked[] = [];
  let answerers: Answerer[] = [answerJson({})];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const one = { ...aboutOf(request), person: JSON.parse(await textOf(request)) };
    asked.push(one);
    const [first = answerJson({}), ...others] = answerers;
    if (others.length > 0) answerers = others;
    first(response, one);
  };
  // A question that breaks off in the middle is none.
  const server = createServer((request, response) => void serve(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/people?source=test`,
    asked,
    answer: (...given) => {
      answerers = given;
    },
    stop: () => stop(server),
  };
}

/** Answers with JSON, or with a text that is sent as it is. */
export function answerJson(found: unknown, status = 200, headers: Record<string, string> = {}): Answerer {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof found === "string" ? found : JSON.stringify(found));
  };
}

/** Never answers. */
export const hang: Answerer = () => undefined;

/** Breaks the connection without an answer. */
export const reset: Answerer = (response) => {
  response.socket?.resetAndDestroy();
};

/** Breaks the connection in the middle of an answer. */
export const resetInside: Answerer = (response) => {
  response.writeHead(200, { "Content-Length": "100" });
  response.write('{"jobTitle":', () => response.socket?.resetAndDestroy());
};

/** Begins an answer and never ends it, but sends a blank again and again. */
export const trickle: Answerer = (response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};

/** Sends blanks as fast as they are taken, for ever. */
export const flood: Answerer = (response) => {
  const blanks = " ".repeat(64 * 1024);
  const more = () => {
    while (response.write(blanks));
  };
  response.on("drain", more);
  more();
};

function aboutOf({ method = "", url = "", headers }: IncomingMessage): Omit<Asked, "person"> {
  return { method, path: url, headers };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
