import type { Citus } from "../../../harness/citus.ts";
import type { PostgresNode } from "../../../harness/postgres-node.ts";
import { type FaultKind, NONE_FAILS, part } from "./kind.ts";

const AWAY_S = 3;
const HOST = "127.0.0.1";

/** Adds a worker and moves shards to it while clients send requests. */
export const GROWTH: FaultKind = {
  stage: "Citus",
  kind: "growth",
  target: "shards",
  about: "a worker is added, and all shards of another one move there, one after the other",
  seconds: 0,
  promised: NONE_FAILS,
  async begin(fleet) {
    await moveHalf(part(fleet, "citus"));
    return undefined;
  },
};

/** Servers of a Citus cluster that are killed, and one that is added. */
export const CITUS_FAULTS: FaultKind[] = [
  {
    ...killed(({ nodes: [coordinator] }) => coordinator),
    target: "coordinator",
    about: "the coordinator of Citus is killed, and starts again 3 s later",
  },
  {
    ...killed(({ nodes: [, ...workers] }, random) => workers[Math.floor(random() * workers.length)]),
    target: "Citus worker",
    about: "a worker of Citus, which has half of the shards, is killed, and starts again 3 s later",
  },
  GROWTH,
];

function killed(choose: (citus: Citus, random: () => number) => PostgresNode | undefined) {
  return {
    stage: "Citus",
    kind: "kill -9",
    seconds: AWAY_S,
    async begin(fleet) {
      const node = choose(part(fleet, "citus"), fleet.random);
      await node?.end("SIGKILL");
      return () => node?.start();
    },
  } satisfies Partial<FaultKind>;
}

/** Adds a worker, and moves there all shards of the first one. */
async function moveHalf({ nodes, addWorker }: Citus): Promise<void> {
  const [coordinator, from] = nodes;
  const to = await addWorker();
  // A rebalancing does so by itself.
  await coordinator.run("select replicate_reference_tables()");
  const placed = `select shardid from citus_shards where table_name = 'workspaces'::regclass and nodeport = ${from?.port}`;
  for (const { shardid } of await coordinator.run(placed)) {
    // The shards of all other tables that stand together with it move along.
    await coordinator.run(
      `select citus_move_shard_placement(${shardid}, '${HOST}', ${from?.port}, '${HOST}', ${to.port})`,
    );
  }
}
