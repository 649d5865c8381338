import { percentile } from "../../harness/load.ts";
import { type Latencies, type Sent, SLOT_MS, type Slot, type Took } from "./order.ts";

/** Gathers what came of the requests of an order. */
export interface Tally {
  /** A request was sent, so many milliseconds after the beginning; gives what takes its answer. */
  sent(atMs: number): Outcome;
  unsent(): void;
  summary(took: Took): Sent;
}

interface Outcome {
  answered(status: number, ms: number, saysWhen: () => boolean): void;
  broke(reason: string): void;
}

const OK = 200;
const UNAVAILABLE = 503;

/** An empty one. */
export function openTally(): Tally {
  const acceptedMs: number[] = [];
  const refusedMs: number[] = [];
  const others: Record<string, number> = {};
  const broken: Record<string, number> = {};
  const slots: Slot[] = [];
  let [sent, unsent, silent] = [0, 0, 0];
  return {
    sent: (atMs) => {
      sent += 1;
      const slot = slotAt(slots, atMs);
      slot.sent += 1;
      return {
        answered: (status, ms, saysWhen) => {
          if (status === OK) {
            acceptedMs.push(ms);
            slot.accepted += 1;
            slot.slowestMs = Math.max(slot.slowestMs, ms);
          } else if (status === UNAVAILABLE) {
            refusedMs.push(ms);
            if (!saysWhen()) silent += 1;
          } else others[status] = (others[status] ?? 0) + 1;
        },
        broke: (reason) => {
          broken[reason] = (broken[reason] ?? 0) + 1;
        },
      };
    },
    unsent: () => {
      unsent += 1;
    },
    summary: (took) => {
      const [accepted, refused] = [latenciesOf(acceptedMs), latenciesOf(refusedMs)];
      return { ...took, sent, unsent, accepted, refused, silent, others, broken, slots };
    },
  };
}

function slotAt(slots: Slot[], atMs: number): Slot {
  const index = Math.floor(atMs / SLOT_MS);
  while (slots.length <= index) slots.push({ sent: 0, accepted: 0, slowestMs: 0 });
  return slots[index] as Slot;
}

function latenciesOf(values: number[]): Latencies {
  const maxMs = values.reduce((most, value) => Math.max(most, value), 0);
  return { count: values.length, p50Ms: percentile(values, 0.5), p99Ms: percentile(values, 0.99), maxMs };
}
