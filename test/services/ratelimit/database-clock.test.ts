import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { databaseClock } from "../../../services/ratelimit/database-clock.ts";

/** The clock of the database shows this at time 0 of the process. */
const OFFSET_US = Date.parse("2026-03-01T12:00:00Z") * 1000;

/** Time that a reading took to the database, and back, in milliseconds. */
const ways = fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true }));

describe("the clock of the database (docs/decisions/0007-rate-limits.md)", () => {
  it("is known to within the shortest round trip, and never too early", () => {
    fc.assert(
      fc.property(fc.array(ways, { minLength: 1, maxLength: 10 }), (readings) => {
        const clock = databaseClock();
        let now = 1000;
        for (const [there, back] of readings) {
          clock.read(Math.floor(OFFSET_US + (now + there) * 1000), now, now + there + back);
          now += 300;
        }
        const shortest = Math.min(...readings.map(([there, back]) => there + back));
        const lateMs = (clock.toDatabase(now) - OFFSET_US) / 1000 - now;
        const backMs = clock.toProcess(OFFSET_US + now * 1000) - now;
        for (const late of [lateMs, backMs]) {
          expect(late).toBeGreaterThan(-0.002);
          expect(late).toBeLessThan(shortest + 0.002);
        }
      }),
    );
  });

  it("is the new one after the clock was set", () => {
    const clock = databaseClock();
    for (let i = 0; i < 10; i++) clock.read(OFFSET_US + i * 300_000, i * 300, i * 300 + 1);
    const setBy = -3_600_000_000;
    clock.read(OFFSET_US + setBy + 3_000_000, 3000, 3001);
    expect(clock.toDatabase(3000)).toBe(OFFSET_US + setBy + 3_000_001);
  });
});
