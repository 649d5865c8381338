import { describe, expect, it } from "@jest/globals";
import { BOUNDS, judge, type Measured, recoveryMs } from "../../../lab/torture/overload/judge.ts";
import type { Sent } from "../../../lab/torture/overload/order.ts";
import { openTally } from "../../../lab/torture/overload/tally.ts";

// Doctored measurements: the checker of the torture program has to see each wrong, and nothing in a right one.

/** A second in which all of these were sent evenly and answered 200 after 10 ms. */
function sentOf(
  count: number,
  doctor: (index: number) => { status?: number; ms?: number; silent?: boolean } = () => ({}),
): Sent {
  const tally = openTally();
  for (let i = 0; i < count; i++) {
    const { status = 200, ms = 10, silent = false } = doctor(i);
    tally.sent((i * 1000) / count).answered(status, ms, () => !silent);
  }
  return tally.summary({ ms: 1000, restMs: 0, cpuMs: 100 });
}

/** 1000 a second at most; under overload 900 of 10,000 are accepted within 200 ms, the others refused within 5 ms. */
function clean(): Measured {
  return {
    peakPerSecond: 1000,
    calm: sentOf(500),
    overload: sentOf(10_000, (i) => (i < 900 ? { ms: 200 } : { status: 503, ms: 5 })),
    after: sentOf(500),
    memoryMb: [220, 225],
  };
}

const found = (change: Partial<Measured>) => judge({ ...clean(), ...change }, BOUNDS).map(({ promise }) => promise);

describe("The judge of overload", () => {
  it("finds nothing in a clean run", () => {
    expect(found({})).toEqual([]);
  });

  it.each<[wrong: string, promise: string, change: Partial<Measured>]>([
    [
      "a goodput of 79 % of the peak",
      "goodput stays at 80 % of the peak",
      { overload: sentOf(10_000, (i) => (i < 790 ? {} : { status: 503, ms: 5 })) },
    ],
    [
      "two of a hundred accepted requests that took more than a second",
      "accepted requests take at most 1000 ms (p99)",
      { overload: sentOf(900, (i) => ({ ms: i % 50 === 0 ? 1001 : 10 })) },
    ],
    [
      "refusals after 25 ms",
      "refusals take at most 20 ms (p99)",
      { overload: sentOf(10_000, (i) => (i < 900 ? {} : { status: 503, ms: i % 50 === 0 ? 25 : 5 })) },
    ],
    ["memory that grows", "memory stays flat", { memoryMb: [220, 250] }],
    ["a 500", "answers are 200 or 503", { overload: sentOf(10_000, (i) => ({ status: i === 5000 ? 500 : 200 })) }],
    ["a 429 before the overload", "answers are 200 or 503", { calm: sentOf(500, (i) => ({ status: i ? 200 : 429 })) }],
    [
      "one refusal that does not say when to try again",
      "a refusal says when to try again",
      { overload: sentOf(10_000, (i) => (i < 900 ? {} : { status: 503, ms: 5, silent: i === 900 })) },
    ],
  ])("finds %s", (_, promise, change) => {
    expect(found(change)).toEqual([promise]);
  });

  it("finds a connection that ended without an answer", () => {
    const tally = openTally();
    for (let i = 0; i < 900; i++) tally.sent(i).answered(200, 10, () => true);
    tally.sent(950).broke("read ECONNRESET");
    expect(found({ overload: tally.summary({ ms: 1000, restMs: 0, cpuMs: 100 }) })).toEqual([
      "every request gets an answer",
    ]);
  });

  it("takes for the recovery the rest of the overload, and then the end of the last slot with a refusal or an answer far slower than before", () => {
    const recovery = (doctor: Parameters<typeof sentOf>[1]) => recoveryMs({ ...clean(), after: sentOf(1000, doctor) });
    expect(recovery(() => ({}))).toBe(0);
    expect(recovery((i) => (i === 300 ? { status: 503 } : {}))).toBe(500);
    expect(recovery((i) => (i === 300 ? { ms: 99 } : {}))).toBe(0);
    expect(recovery((i) => (i === 700 ? { ms: 101 } : {}))).toBe(750);
    const promise = "all is normal 2000 ms after the overload";
    const { slots } = sentOf(1000, (i) => (i > 900 ? { status: 503 } : {}));
    expect(found({ after: { ...sentOf(1000), slots: [...slots, ...slots, ...slots] } })).toEqual([promise]);
    expect(found({ overload: { ...clean().overload, restMs: 2001 } })).toEqual([promise]);
  });
});
