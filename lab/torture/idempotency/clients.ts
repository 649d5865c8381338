import { setTimeout as pause } from "node:timers/promises";
import { now } from "../promise.ts";
import type { Sender } from "../sender.ts";
import { type Attempt, type History, isDefinitive, type Work } from "./history.ts";

interface Settings {
  senders: Sender[];
  apiKey: string;
  duplicates: number;
  /** So many keys at once. */
  atOnce: number;
  random: () => number;
  history: History;
  /** Counts the keys of which every duplicate has its answer. */
  progress: { done: number };
}

/** Share of the requests that the client itself breaks off, and how soon after sending. */
const CUT_SHARE = 0.02;
const CUT_MS_MAX = 15;
/** Between attempts without an answer, or answered 503. */
const BACK_OFF_MS = [20, 120] as const;
/** A client gives up only after so long: what waits then will wait for ever. */
const GIVE_UP_MS = 90_000;

/**
 * Sends all duplicates of every key, those of one key at the same moment and through all gateways in turn, until each
 * has a definitive answer.
 */
export async function sendAll(work: Work[], settings: Settings): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < work.length; at = next++) {
      const one = work[at] as Work;
      const first = at;
      await Promise.all(
        Array.from({ length: settings.duplicates }, (_, i) =>
          insist(one, i, (first + i) % settings.senders.length, settings),
        ),
      );
      settings.progress.done += 1;
    }
  };
  await Promise.all(Array.from({ length: settings.atOnce }, worker));
}

/** One client with one duplicate: it tries until it knows. */
async function insist(work: Work, duplicate: number, gateway: number, settings: Settings): Promise<void> {
  const begun = now();
  for (let tried = 0; now() - begun < GIVE_UP_MS; tried++) {
    const attempt = await tryOnce(work, duplicate, (gateway + tried) % settings.senders.length, settings);
    settings.history.attempts.push(attempt);
    if (isDefinitive(attempt)) return;
    await pause(waitMs(attempt, settings.random));
  }
}

async function tryOnce(work: Work, duplicate: number, gateway: number, settings: Settings): Promise<Attempt> {
  const { random, apiKey, senders } = settings;
  const cutAfterMs = random() < CUT_SHARE ? random() * CUT_MS_MAX : undefined;
  const headers = { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": work.key };
  const sentAt = now();
  const sender = senders[gateway] as Sender;
  const came = await sender.send({ method: work.method, path: work.path, body: work.body, headers }, cutAfterMs);
  const retryAfter = came.headers["retry-after"];
  return {
    key: work.key,
    duplicate,
    gateway,
    sentAt,
    answeredAt: now(),
    status: came.status,
    body: came.text,
    replayed: came.headers["idempotent-replayed"] === "true",
    ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
    ...(came.error !== undefined && { error: came.error }),
  };
}

/** A key in progress asks for its Retry-After; everything else is tried again soon, as an impatient client would. */
function waitMs({ status, retryAfterS = 0 }: Attempt, random: () => number): number {
  const [least, most] = BACK_OFF_MS;
  return status === 409 ? retryAfterS * 1000 : least + random() * (most - least);
}
