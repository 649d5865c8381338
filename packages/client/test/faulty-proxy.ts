import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { checkAnswer } from "../../../test/support/answers.ts";

/** What happens to a request in the place of being passed on. */
export type Fault =
  /** It is answered by the proxy, and the server sees nothing of it. */
  | { answer: { status: number; headers?: Record<string, string>; body?: object } }
  /** The connection is closed, and the server sees nothing of it. */
  | "dropped"
  /** The server answers it, and the connection is closed before a byte of the answer gets through. */
  | "answer lost"
  /** The same, after half of the answer. */
  | "answer cut"
  /** The server sees nothing of it, and nothing is answered. */
  | "ignored";

/** A request as it has arrived. */
export interface Arrived {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Stands between clients and a server, as a network does that loses things. */
export interface FaultyProxy {
  url: string;
  arrived: Arrived[];
  /** What happens to the next requests, one each. Those behind them are passed on. */
  faults: Fault[];
  /** @param links what its links begin with; its answers are checked */
  forwardTo(base: string, links: string): void;
  stop(): Promise<void>;
}

export async function startFaultyProxy(): Promise<FaultyProxy> {
  const arrived: Arrived[] = [];
  const faults: Fault[] = [];
  let target = "";
  let publicUrl = "";

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const { method = "", url: path = "", headers } = request;
    arrived.push({ method, path, headers, body });
    const fault = faults.shift();
    if (fault === "ignored") return;
    if (fault === "dropped") return void response.destroy();
    if (typeof fault === "object") return answer(response, fault.answer);
    const passed = await pass(target, { method, path, headers, body });
    checkAnswer({ publicUrl }, { method, path, ...passed, text: passed.body });
    if (fault === "answer lost") return void response.destroy();
    response.writeHead(passed.status, passed.headers);
    if (fault !== "answer cut") return void response.end(passed.body);
    response.write(passed.body.slice(0, passed.body.length / 2), () => response.destroy());
  }

  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    faults,
    forwardTo(base, links) {
      target = base;
      publicUrl = links;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  response: ServerResponse,
  { status, headers = {}, body }: { status: number; headers?: object; body?: object },
) {
  response.writeHead(status, { ...headers, ...(body && { "Content-Type": "application/json" }) });
  response.end(body && JSON.stringify(body));
}

function pass(base: string, { method, path, headers, body }: Arrived) {
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }>((resolve, reject) => {
    const outgoing = send(new URL(path, base), { method, headers }, (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      textOf(incoming).then((text) => resolve({ status, headers: received, body: text }), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
