import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { admit, type Decision, type Log, type Policy } from "../../../base/contract/rate-windows.ts";

const POLICIES: Policy[] = [
  { name: "default", quota: 20, windowS: 60 },
  { name: "burst", quota: 4, windowS: 2 },
];

/** Times between requests: mostly bursts, sometimes a wait of about a window. */
const gap = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 2, arbitrary: fc.constantFrom(1999, 2000, 2001, 0.5) },
  { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 70_000 }) },
);
const gaps = fc.array(gap, { minLength: 1, maxLength: 300 });

interface Asked extends Decision {
  at: number;
}

function askAll(times: number[]): Asked[] {
  const log: Log = [];
  let now = 1000;
  return times.map((wait) => {
    now += wait;
    return { at: now, ...admit(log, POLICIES, now) };
  });
}

const admitted = (asked: Asked[]) => asked.filter(({ exceeded }) => exceeded === null).map(({ at }) => at);

describe("rate windows (docs/guides/limits.md#rate-limits)", () => {
  it("never admit more than q requests within any w seconds", () => {
    fc.assert(
      fc.property(gaps, (times) => {
        const ats = admitted(askAll(times));
        for (const { quota, windowS } of POLICIES) {
          // Any window holds the most when it begins with an admitted request; it ends before `windowS` later.
          for (const start of ats)
            expect(ats.filter((at) => at >= start && at < start + windowS * 1000).length).toBeLessThanOrEqual(quota);
        }
      }),
    );
  });

  it("admit every request that keeps all quotas: refused ones do not count", () => {
    fc.assert(
      fc.property(gaps, (times) => {
        const counted: number[] = [];
        for (const { at, exceeded } of askAll(times)) {
          const fits = POLICIES.every(
            ({ quota, windowS }) => counted.filter((other) => other > at - windowS * 1000).length < quota,
          );
          expect(exceeded === null).toBe(fits);
          if (fits) counted.push(at);
        }
      }),
    );
  });

  it("tell a wait that is enough, and not a millisecond too long", () => {
    fc.assert(
      fc.property(gaps, (times) => {
        const log: Log = [];
        let now = 1000;
        for (const wait of times) {
          now += wait;
          const { exceeded, retryAfterMs } = admit(log, POLICIES, now);
          if (exceeded === null) expect(retryAfterMs).toBe(0);
          else {
            expect(admit([...log], POLICIES, now + retryAfterMs - 0.001).exceeded).not.toBeNull();
            expect(admit([...log], POLICIES, now + retryAfterMs).exceeded).toBeNull();
          }
        }
      }),
    );
  });

  it("tell what is left and when the oldest counted request leaves", () => {
    const standsAt = (counted: number[], at: number) =>
      POLICIES.map(({ quota, windowS }) => {
        const within = counted.filter((other) => other > at - windowS * 1000);
        return {
          remaining: quota - within.length,
          resetMs: within[0] === undefined ? 0 : within[0] + windowS * 1000 - at,
        };
      });
    fc.assert(
      fc.property(gaps, (times) => {
        const counted: number[] = [];
        for (const { at, exceeded, standings } of askAll(times)) {
          if (exceeded === null) counted.push(at);
          const close = ({ remaining, resetMs }: { remaining: number; resetMs: number }) => [
            remaining,
            resetMs.toFixed(6),
          ];
          expect(standings.map(close)).toEqual(standsAt(counted, at).map(close));
        }
      }),
    );
  });

  it("keep no more times than the largest quota needs", () => {
    const log: Log = [];
    for (let now = 0; now < 3_600_000; now += 500) admit(log, POLICIES, now);
    expect(log.length).toBeLessThan(200);
  });
});
