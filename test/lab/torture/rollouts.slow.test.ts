import { expect, it } from "@jest/globals";
import { tortureRollouts } from "../../../lab/torture/rollouts/program.ts";
import { describeCluster } from "../../support/nats.ts";
import { ANY_MAY_FAIL, BUSY } from "./busy.ts";

// The small version of `npm run torture -- rollouts`. No client is left without an answer, nothing is lost, and all is
// whole again.
const BOUNDS = { ...BUSY, shares: ANY_MAY_FAIL };
const TEST_MS = 300_000;

describeCluster("Rolling restarts", () => {
  it(
    "no process that stops leaves a request without its answer (docs/torture.md#rollouts-nobody-notices)",
    async () => {
      const { broken, history } = await tortureRollouts({
        seed: 3,
        rounds: 1,
        perSecond: 20,
        bounds: BOUNDS,
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      expect(history.stages.flatMap(({ faults }) => faults.map(({ target }) => target))).toEqual([
        "gateway 0",
        "gateway 1",
        "worker 0",
        "worker 1",
      ]);
    },
    TEST_MS,
  );
});
