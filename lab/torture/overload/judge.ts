import type { Broken } from "../promise.ts";
import { type Sent, SLOT_MS } from "./order.ts";

/** What a run measured. */
export interface Measured {
  /** The most answers of 200 in a second that the server gave while every connection waited for its answer. */
  peakPerSecond: number;
  /** Half of the peak, before and after. */
  calm: Sent;
  overload: Sent;
  after: Sent;
  /** Resident memory, highest of each half of the overload. */
  memoryMb: [firstHalf: number, secondHalf: number];
}

export interface Bounds {
  goodputShare: number;
  acceptedP99Ms: number;
  refusedP99Ms: number;
  recoveryMs: number;
  /** Share by which the second half of the overload may take more memory than the first. */
  memoryGrowth: number;
}

export const BOUNDS: Bounds = {
  goodputShare: 0.8,
  acceptedP99Ms: 1_000,
  refusedP99Ms: 20,
  recoveryMs: 2_000,
  memoryGrowth: 0.1,
};

/** After the overload an answer may take so much of the slowest before it, and at least so long, to count as normal. */
const NORMAL_SHARE = 3;
const NORMAL_MS_MIN = 100;

/**
 * The promises about overload that the figures of a run show broken. docs/torture.md#overload-ten-times-the-capacity
 */
export function judge(measured: Measured, bounds: Bounds): Broken[] {
  const { peakPerSecond, overload, memoryMb } = measured;
  const goodput = goodputOf(overload);
  const recovery = recoveryMs(measured);
  const checks: [kept: boolean, promise: string, seen: string][] = [
    [
      goodput >= bounds.goodputShare * peakPerSecond,
      `goodput stays at ${bounds.goodputShare * 100} % of the peak`,
      `${goodput.toFixed(0)} of ${peakPerSecond.toFixed(0)} a second`,
    ],
    [
      overload.accepted.p99Ms <= bounds.acceptedP99Ms,
      `accepted requests take at most ${bounds.acceptedP99Ms} ms (p99)`,
      `${overload.accepted.p99Ms.toFixed(0)} ms`,
    ],
    [
      overload.refused.p99Ms <= bounds.refusedP99Ms,
      `refusals take at most ${bounds.refusedP99Ms} ms (p99)`,
      `${overload.refused.p99Ms.toFixed(1)} ms`,
    ],
    [recovery <= bounds.recoveryMs, `all is normal ${bounds.recoveryMs} ms after the overload`, `${recovery} ms`],
    [
      memoryMb[1] <= memoryMb[0] * (1 + bounds.memoryGrowth),
      "memory stays flat",
      `${memoryMb[0].toFixed(0)} MB in the first half, ${memoryMb[1].toFixed(0)} MB in the second`,
    ],
  ];
  return [
    ...checks.filter(([kept]) => !kept).map(([, promise, seen]) => ({ promise, seen })),
    ...Object.entries({ overload, calm: measured.calm, after: measured.after }).flatMap(([when, sent]) =>
      judgeAnswers(when, sent),
    ),
  ];
}

function judgeAnswers(when: string, { others, broken, silent }: Sent): Broken[] {
  const list: Broken[] = Object.entries(others).map(([status, count]) => ({
    promise: "answers are 200 or 503",
    seen: `${when}: ${count} times ${status}`,
  }));
  for (const [reason, count] of Object.entries(broken))
    list.push({ promise: "every request gets an answer", seen: `${when}: ${count} times ${reason}` });
  if (silent > 0)
    list.push({ promise: "a refusal says when to try again", seen: `${when}: ${silent} without Retry-After` });
  return list;
}

/** Answers of 200 in a second. */
export function goodputOf({ accepted, ms }: Sent): number {
  return (accepted.count * 1000) / ms;
}

/**
 * Milliseconds from the end of the overload until all is as before: until the rest of it is answered, and from then to
 * the end of the last slot in which a request was not answered with 200, or one took far longer than any before the
 * overload.
 */
export function recoveryMs({ calm, overload, after }: Measured): number {
  const normalMs = Math.max(NORMAL_MS_MIN, NORMAL_SHARE * calm.accepted.maxMs);
  const last = after.slots.findLastIndex((slot) => slot.accepted < slot.sent || slot.slowestMs > normalMs);
  return Math.round(overload.restMs) + (last + 1) * SLOT_MS;
}
