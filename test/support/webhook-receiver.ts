import { until } from "../../lab/harness/until.ts";
import { RECEIVER_HOST, type Receiver, startReceiver } from "../../lab/harness/webhook-receiver.ts";
import type { FeedEvent } from "./event-model.ts";

/** With these variables a server may send webhooks to receivers of tests, and tries soon again. */
export const WEBHOOK_ENV = { WEBHOOK_ALLOW: `${RECEIVER_HOST}/32`, WEBHOOK_RETRY_WAITS_S: "1,1,1,1,1,1,1,1,1" };

/** A receiver of webhooks that knows nothing of the server, and keeps what came. */
export interface WebhookReceiver extends Receiver {
  /** The events that came, in their order. One whose signature was wrong is none. */
  events: FeedEvent[];
  /** Faults of deliveries: wrong signatures and ids. */
  faults: string[];
  /** Waits for an event. */
  next(what: string, isIt: (event: FeedEvent) => boolean): Promise<FeedEvent>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const [events, faults]: [FeedEvent[], string[]] = [[], []];
  const receiver = await startReceiver(({ text, headers, isGenuine }) => {
    const id = headers["webhook-id"];
    if (!isGenuine) return faults.push(`${id} came with a wrong signature`);
    const event: FeedEvent = JSON.parse(text);
    return event.id === id ? events.push(event) : faults.push(`${event.id} came with the id ${id}`);
  });
  return { ...receiver, events, faults, next: (what, isIt) => until(what, () => events.find(isIt)) };
}
