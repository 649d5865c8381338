import { setTimeout as pauseFor } from "node:timers/promises";
import type { Admin } from "../../tools/terminal/admin.ts";

/** A delivery as the API answers it. docs/guides/webhooks.md#deliveries */
export interface Delivery {
  id: string;
  eventType: string;
  recordId: string;
  status: "pending" | "succeeded" | "failed" | "cancelled";
  attempts: { at: string; responseStatus: number | null; error: string | null; durationMs: number }[];
  createdAt: string;
}

const EVERY_MS = 1_000;
/** Time for which deliveries are kept. docs/guides/webhooks.md#deliveries */
const KEPT_MS = 30 * 86_400_000;
/** Number of ended deliveries that are shown first. */
const LATEST = 20;
/**
 * Time after which a delivery is no longer looked for again. Processes whose clocks differ make deliveries, in
 * transactions that end later than they began.
 */
const LATE_MS_MAX = 60_000;
/** As many pending ones are asked for at once (services/webhooks/webhooks/webhooks-admin.service.ts). */
const AMONG_MAX = 1_000;

/** The latest deliveries of a webhook, the oldest of them first. */
export async function latestDeliveries(admin: Pick<Admin, "call">, webhookId: string): Promise<Delivery[]> {
  return (await admin.call<{ deliveries: Delivery[] }>("webhooks-admin.deliveries", { webhookId })).deliveries;
}

/**
 * Prints the latest deliveries of a webhook that have ended, and then each one when it has, until the signal is aborted.
 * @param pause waits between two looks; tests have one of their own
 */
export async function followDeliveries(
  admin: Pick<Admin, "call">,
  webhookId: string,
  print: (delivery: Delivery) => void,
  signal: AbortSignal,
  pause: () => Promise<unknown> = () => pauseFor(EVERY_MS, undefined, { signal }).catch(() => undefined),
): Promise<void> {
  const find = async (which: { from: string } | { among: string[] }) =>
    (await admin.call<{ deliveries: Delivery[] }>("webhooks-admin.deliveries", { webhookId, ...which })).deliveries;
  const since = (time: number) => find({ from: new Date(time).toISOString() });
  /** Deliveries that were shown, with their times, and those still to be shown. */
  const [told, pending] = [new Map<string, number>(), new Set<string>()];
  const take = (delivery: Delivery, isShown = true) => {
    if (delivery.status === "pending") pending.add(delivery.id);
    else if (!told.has(delivery.id)) {
      pending.delete(delivery.id);
      told.set(delivery.id, Date.parse(delivery.createdAt));
      if (isShown) print(delivery);
    }
  };
  const kept = await since(Date.now() - KEPT_MS);
  const ended = kept.filter(({ status }) => status !== "pending");
  const latest = new Set(ended.slice(-LATEST));
  for (const delivery of kept) take(delivery, latest.has(delivery));
  while (!signal.aborted) {
    const from = Date.now() - LATE_MS_MAX;
    // In a query of their own, or a thousand newer ones would leave no room for them.
    const followed = pending.size === 0 ? [] : await find({ among: [...pending].slice(-AMONG_MAX) });
    for (const delivery of [...followed, ...(await since(from))]) take(delivery);
    // One that is older is not found again.
    for (const [id, madeAt] of told) if (madeAt < from) told.delete(id);
    await pause();
  }
}

/** A delivery as one line: when it was tried last, how it ended, of which event, and why it failed. */
export function inLine({ id, eventType, recordId, status, attempts, createdAt }: Delivery): string {
  const last = attempts.at(-1);
  const tries = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  const answer = last && (last.error ?? `${last.responseStatus} after ${last.durationMs} ms`);
  return [last?.at ?? createdAt, id, status, eventType, recordId, tries, ...(answer ? [answer] : [])].join("  ");
}
