import { expect, it } from "@jest/globals";
import { tortureLimits } from "../../../lab/torture/limits/program.ts";
import { describeBus } from "../../support/nats.ts";

const GATEWAYS = 2;
/** A machine that also runs other tests takes longer until all is well after a restart. */
const BLIP_MS = 10_000;
const REQUESTS = 600;
const TEST_MS = 240_000;

// The small version of `npm run torture -- limits`, with short windows; the checker has tests of its own.
describeBus("Rate limits under load", () => {
  it(
    "no more than the quota is admitted and nobody is refused within it, whoever floods (docs/torture.md#limits-exact-over-all-gateways)",
    async () => {
      const { broken, history } = await tortureLimits({
        seed: 2,
        requests: REQUESTS,
        gateways: GATEWAYS,
        restarts: ["gateway 0", "NATS"],
        policies: [
          { name: "default", quota: 40, windowS: 10 },
          { name: "burst", quota: 8, windowS: 1 },
        ],
        users: { flood: 2, patient: 2, reader: 2, steady: 1 },
        bounds: { blipMs: BLIP_MS },
        durable: false,
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      expect(history.asked.length).toBeGreaterThanOrEqual(REQUESTS);
      for (const status of [200, 429]) expect(history.asked.some((one) => one.status === status)).toBe(true);
    },
    TEST_MS,
  );
});
