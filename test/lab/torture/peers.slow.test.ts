import { expect, it } from "@jest/globals";
import { torturePeers } from "../../../lab/torture/peers/program.ts";
import { describeBus } from "../../support/nats.ts";

// The small version of `npm run torture -- peers`: what does not depend on how fast the machine is. Every request is
// answered, nothing is lost, no process ends, and in the end all is whole; how soon, the program judges.
const BOUNDS = { requestMs: 15_000, wholeMs: 45_000, readyMs: 12_000 };
const TEST_MS = 300_000;

describeBus("Peers that are half-open, or send what cannot be read", () => {
  it(
    "no process ends, no acknowledged write is lost, and all is whole again (docs/torture.md#peers-connections-that-are-dead)",
    async () => {
      const { broken, history } = await torturePeers({
        seed: 3,
        seconds: 2,
        kinds: ["half-open", "corrupting"],
        bounds: BOUNDS,
        everyMs: 500,
        durable: false,
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      expect(history.faults).toHaveLength(8);
      for (const status of [200, 503]) expect(history.asked.some((one) => one.status === status)).toBe(true);
    },
    TEST_MS,
  );
});
