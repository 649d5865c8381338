import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { until } from "../../lab/harness/until.ts";
import type { FeedEvent } from "./event-model.ts";

const HOST = "127.0.0.2";

/** With these variables a server may send webhooks to receivers of tests, and tries soon again. */
export const WEBHOOK_ENV = { WEBHOOK_ALLOW: `${HOST}/32`, WEBHOOK_RETRY_WAITS_S: "1,1,1,1,1,1,1,1,1" };

/** A receiver of webhooks that knows nothing of the server: it checks each delivery with the library of Standard Webhooks. */
export interface WebhookReceiver {
  url: string;
  /** The events that came, in their order. One whose signature was wrong is none. */
  events: FeedEvent[];
  /** Faults of deliveries: wrong signatures. */
  faults: string[];
  verifyWith(signingSecret: string): void;
  /** Waits for an event. */
  next(what: string, isIt: (event: FeedEvent) => boolean): Promise<FeedEvent>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const [events, faults]: [FeedEvent[], string[]] = [[], []];
  let verifier: Webhook | undefined;

  async function take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    try {
      const event = verifier?.verify(Buffer.concat(chunks).toString(), headers) as FeedEvent;
      if (event.id === headers["webhook-id"]) events.push(event);
      else faults.push(`${event.id} came with the id ${headers["webhook-id"]}`);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }

  const server = createServer((request, response) => void take(request).finally(() => response.end()));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, HOST, resolve));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/hook`,
    events,
    faults,
    verifyWith(signingSecret) {
      verifier = new Webhook(signingSecret);
    },
    next: (what, isIt) => until(what, () => events.find(isIt)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
