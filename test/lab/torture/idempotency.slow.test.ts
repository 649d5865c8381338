import { expect, it } from "@jest/globals";
import { tortureIdempotency } from "../../../lab/torture/idempotency/program.ts";
import { describeBus } from "../../support/nats.ts";

/** A machine that also runs other tests may take this long for what takes one of its own 2 s. */
const STUCK_MS = 25_000;
/** Less than the 20 s after which a client gives a request up, so that what hangs is seen. */
const REQUEST_MS = 19_500;
const TEST_MS = 240_000;

// The small version of `npm run torture -- idempotency`; the checker has tests of its own.
describeBus("Exactly once", () => {
  it(
    "150 keys with 3 duplicates each have one effect and one answer while processes, PostgreSQL and NATS are killed (docs/torture.md#idempotency-exactly-once)",
    async () => {
      const { broken, history } = await tortureIdempotency({
        seed: 4,
        keys: 150,
        duplicates: 3,
        faults: [
          "immediate stop of PostgreSQL",
          "kill -9 of a worker",
          "kill -9 of a gateway",
          "restart of NATS",
          "reset of connections",
        ],
        atOnce: 10,
        durable: false,
        bounds: { requestMs: REQUEST_MS, stuckMs: STUCK_MS },
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      expect(history.faults.every(({ target }) => target !== "")).toBe(true);
      expect(history.attempts.filter(({ status }) => status === 200 || status === 422)).toHaveLength(150 * 3);
      expect(history.attempts.length).toBeGreaterThan(150 * 3);
    },
    TEST_MS,
  );
});
