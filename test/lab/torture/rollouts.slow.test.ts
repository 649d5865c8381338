import { expect, it } from "@jest/globals";
import { tortureRollouts } from "../../../lab/torture/rollouts/program.ts";
import { describeCluster } from "../../support/nats.ts";

// The small version of `npm run torture -- rollouts`: a machine that also runs other tests may refuse any number of
// requests as too many. No client is left without an answer, nothing is lost, and all is whole again.
const BOUNDS = {
  firstMs: 3_000,
  requestMs: 20_000,
  probeMs: 15_000,
  wholeMs: 45_000,
  repeatsMs: 60_000,
  shares: { first: 1, meanwhile: 1, after: 1 },
};
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
