import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** Where webhooks may be received on this machine: `WEBHOOK_ALLOW` of the senders has it. */
export const RECEIVER_HOST = "127.0.0.2";

/** A receiver of webhooks that checks each signature with a library of others, and answers 200. */
export interface Receiver {
  url: string;
  /** Sets the secret with which deliveries are to be signed. */
  expect(signingSecret: string): void;
  close(): Promise<void>;
}

export interface Delivery {
  text: string;
  headers: Record<string, string>;
  isGenuine: boolean;
}

/** @param take takes each delivery when it is there */
export async function startReceiver(take: (delivery: Delivery) => void): Promise<Receiver> {
  let verifier: Webhook | undefined;
  const receive = async (request: IncomingMessage) => {
    const text = await bodyOf(request);
    const headers = request.headers as Record<string, string>;
    if (text !== undefined) take({ text, headers, isGenuine: isGenuine(verifier, text, headers) });
  };
  const server = createServer((request, response) => void receive(request).finally(() => response.end()));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, RECEIVER_HOST, resolve));
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

/** The body; undefined when its sender was killed while it sent. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

function isGenuine(verifier: Webhook | undefined, text: string, headers: Record<string, string>): boolean {
  try {
    verifier?.verify(text, headers);
    return verifier !== undefined;
  } catch {
    return false;
  }
}
