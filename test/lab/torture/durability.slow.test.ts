import { expect, it } from "@jest/globals";
import { tortureDurability } from "../../../lab/torture/durability/program.ts";
import { attemptsDuring } from "../../../lab/torture/faults/history.ts";
import { describeCitusCluster } from "../../support/nats.ts";
import { ANY_MAY_FAIL, BUSY } from "./busy.ts";

// The small version of `npm run torture -- durability`. It kills only the servers of Citus.
const BOUNDS = { ...BUSY, shares: ANY_MAY_FAIL };
const TEST_MS = 900_000;

describeCitusCluster("On Citus", () => {
  it(
    "no acknowledged write is lost when servers are killed, or shards move (docs/torture.md#durability-no-write-lost-on-citus)",
    async () => {
      const options = { seed: 3, kills: 2, perSecond: 10, bounds: BOUNDS, note: () => undefined };
      const { broken, history } = await tortureDurability(options);
      expect(broken).toEqual([]);
      const made = history.stages.flatMap((stage) => stage.faults.map((fault) => ({ stage, fault })));
      expect(made.map(({ fault }) => fault.target)).toEqual(["coordinator", "Citus worker", "shards"]);
      for (const { stage, fault } of made) expect(attemptsDuring(stage, fault)).not.toHaveLength(0);
    },
    TEST_MS,
  );
});
