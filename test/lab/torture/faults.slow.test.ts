import { expect, it } from "@jest/globals";
import { attemptsDuring } from "../../../lab/torture/faults/history.ts";
import { nameOf, tortureFaults } from "../../../lab/torture/faults/program.ts";
import { describeCluster } from "../../support/nats.ts";
import { BUSY } from "./busy.ts";

// The small version of `npm run torture -- faults`: a machine that also runs other tests may be slow, so any number may
// fail for five seconds, and fewer than half after them: as many fail when no call leaves the half that is gone. The
// program judges by what is promised.
const BOUNDS = { ...BUSY, shares: { first: 1, meanwhile: 0.4, after: 0.4 } };
const FAULTS = ["kill -9 gateway", "hung services", "half-open services and NATS", "refused services and PostgreSQL"];
const TEST_MS = 400_000;

describeCluster("Faults of a cluster", () => {
  it(
    "half of a cluster is enough, and nothing is lost (docs/torture.md#faults-half-of-a-cluster-is-enough)",
    async () => {
      const { broken, history } = await tortureFaults({
        seed: 3,
        seconds: 10,
        perSecond: 20,
        faults: FAULTS,
        bounds: BOUNDS,
        note: () => undefined,
      });
      expect(broken).toEqual([]);
      const made = history.stages.flatMap((stage) => stage.faults.map((fault) => ({ stage, fault })));
      expect(made.map(({ fault }) => nameOf(fault))).toEqual(FAULTS);
      for (const { stage, fault } of made) expect(attemptsDuring(stage, fault)).not.toHaveLength(0);
    },
    TEST_MS,
  );
});
