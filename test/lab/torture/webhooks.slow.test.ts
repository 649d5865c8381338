import { expect, it } from "@jest/globals";
import { tortureWebhooks } from "../../../lab/torture/webhooks/program.ts";
import { describeBus } from "../../support/nats.ts";

/** A machine that also runs other tests may take over what a killed sender had begun so much later. */
const REPEATS_MS = 60_000;
const TEST_MS = 300_000;

// The small version of `npm run torture -- webhooks`; the checker has tests of its own.
describeBus("Events that arrive", () => {
  it(
    "200 creations and 2,000 changes come to a webhook, to the feed and to the stream while processes, PostgreSQL and NATS are killed (docs/torture.md#webhooks-events-that-arrive)",
    async () => {
      const { broken, history } = await tortureWebhooks({
        seed: 4,
        events: 2000,
        perSecond: 200,
        faults: ["kill -9 of a worker", "immediate stop of PostgreSQL", "kill -9 of a gateway", "restart of NATS"],
        durable: false,
        bounds: { repeatsMs: REPEATS_MS },
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      expect(history.faults.every(({ target }) => target !== "")).toBe(true);
      expect(history.written).toHaveLength(2200);
    },
    TEST_MS,
  );
});
