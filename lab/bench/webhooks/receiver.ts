/**
 * Receives the webhooks of lab/bench/webhooks.ts in a process of its own. /hook answers 200 and tells its parent the
 * number that each event has set, with the time; /hang never answers; /backlog answers 200 and tells how many have
 * come.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RECEIVER_HOST } from "../../harness/webhook-receiver.ts";
import { clockMs } from "./clock.ts";

const server = createServer((request, response) => {
  const at = clockMs();
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    text += chunk;
  });
  request.on("end", () => take(request, response, text, at));
});

function take({ url }: IncomingMessage, response: ServerResponse, text: string, at: number): void {
  if (url === "/hang") return;
  response.end();
  const number = url === "/hook" ? Number(/"value":"(\d+)"/.exec(text)?.[1]) : null;
  process.send?.({ number, at });
}

server.listen(0, RECEIVER_HOST, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
