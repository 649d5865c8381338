import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Came, Sender } from "../sender.ts";
import type { Change } from "./history.ts";

interface Settings {
  senders: Sender[];
  apiKey: string;
  /** The records of each writer. */
  records: string[][];
  /** How many times each record is changed. */
  rounds: number;
  /** At most so many changes a second, of all writers together. */
  perSecond: number;
  written: Change[];
  progress: { done: number };
}

const BACK_OFF_MS = 50;
/** A writer gives up only after so long. */
const GIVE_UP_MS = 90_000;

/**
 * Every writer changes all its records with one batch, again and again, and tries each batch until it is acknowledged,
 * under one Idempotency-Key. So each change is made once, and of one record one after the other.
 */
export async function writeAll(settings: Settings): Promise<void> {
  const { records, rounds, perSecond } = settings;
  const everyMs = (1000 * records.flat().length) / perSecond;
  await Promise.all(
    records.map(async (own, writer) => {
      for (let number = 1; number <= rounds; number += 1) {
        const begun = performance.now();
        await insist(own, number, writer, settings);
        await pause(Math.max(0, everyMs - (performance.now() - begun)));
      }
    }),
  );
}

async function insist(records: string[], number: number, writer: number, settings: Settings): Promise<void> {
  const { senders, apiKey, written, progress } = settings;
  const headers = { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": randomUUID() };
  const body = JSON.stringify({ records: records.map((id) => ({ id, jobTitle: String(number) })) });
  const begun = performance.now();
  for (let tried = 0; performance.now() - begun < GIVE_UP_MS; tried += 1) {
    const sender = senders[(writer + tried) % senders.length] as Sender;
    const came = await sender.send({ method: "POST", path: "/v1/people/batch/update", headers, body });
    if (isWritten(came)) {
      written.push(...records.map((recordId) => ({ recordId, number })));
      progress.done += records.length;
      return;
    }
    await pause(BACK_OFF_MS);
  }
  throw new Error(`A batch was not acknowledged in ${GIVE_UP_MS} ms`);
}

/** @throws Error for an answer that no other try would change */
function isWritten({ status, text }: Came): boolean {
  if (status === 0 || status === 409 || status === 503) return false;
  const { data } = JSON.parse(text) as { data?: { results: { status: string }[] } };
  if (status === 200 && data?.results.every((entry) => entry.status === "succeeded")) return true;
  throw new Error(`A batch was answered ${status}: ${text.slice(0, 300)}`);
}
