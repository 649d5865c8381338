import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { now } from "../torture/promise.ts";
import { toldIn } from "../torture/webhooks/event.ts";
import type { Received } from "../torture/webhooks/history.ts";

/** Where webhooks may be received on this machine: `WEBHOOK_ALLOW` of the senders has it. */
export const RECEIVER_HOST = "127.0.0.2";

/** A receiver of webhooks that checks each signature with a library of others, and answers 200. */
export interface Receiver {
  url: string;
  /** The secret with which deliveries are to be signed. */
  expect(signingSecret: string): void;
  close(): Promise<void>;
}

/** @param received takes each delivery when it is there */
export async function startReceiver(received: Received[]): Promise<Receiver> {
  let verifier: Webhook | undefined;
  const take = async (request: IncomingMessage) => {
    const text = await bodyOf(request);
    for (const told of toldIn(text, now())) received.push({ ...told, isGenuine: isGenuine(verifier, text, request) });
  };
  const server = createServer((request, response) => void take(request).finally(() => response.end()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, RECEIVER_HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${RECEIVER_HOST}:${port}/hook`,
    expect(signingSecret) {
      verifier = new Webhook(signingSecret);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A sender that is killed while it sends has sent nothing. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return "";
  }
  return Buffer.concat(chunks).toString();
}

function isGenuine(verifier: Webhook | undefined, text: string, { headers }: IncomingMessage): boolean {
  try {
    verifier?.verify(text, headers as Record<string, string>);
    return verifier !== undefined;
  } catch {
    return false;
  }
}
