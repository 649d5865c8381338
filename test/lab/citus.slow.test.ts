import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "@jest/globals";
import { startCitus } from "../../lab/harness/citus.ts";
import { readOfProcess } from "../../lab/harness/processes.ts";
import { runSql } from "../../lab/harness/run-sql.ts";
import { until } from "../../lab/harness/until.ts";
import { describeCitus } from "../support/citus.ts";

const ROWS = 100;
const COUNT = "select count(*)::int as rows from notes";

describeCitus("A Citus cluster", (citus) => {
  let url: string;

  beforeAll(async () => {
    url = await citus.database();
    await runSql(url, "create table notes (workspace_id int, id int, primary key (workspace_id, id))");
    await runSql(url, "select create_distributed_table('notes', 'workspace_id')");
    await runSql(url, `insert into notes select i, i from generate_series(1, ${ROWS}) i`);
  });

  it("stores the rows of a distributed table on both workers, and none on the coordinator", async () => {
    const rows = await runSql(
      url,
      `select nodeport as port, sum(result::int)::int as rows
       from run_command_on_shards('notes', 'select count(*) from %s') join pg_dist_placement using (shardid)
       join pg_dist_node using (groupid) group by nodeport`,
    );
    const [, first, second] = citus.cluster.nodes;
    expect(new Set(rows.map(({ port }) => port))).toEqual(new Set([first?.port, second?.port]));
    expect(rows.every(({ rows: stored }) => Number(stored) > 0)).toBe(true);
    expect(rows.reduce((sum, { rows: stored }) => sum + Number(stored), 0)).toBe(ROWS);
  });

  it("keeps committed rows when a worker is killed, and then the coordinator", async () => {
    const [coordinator, worker] = citus.cluster.nodes;
    await worker?.end("SIGKILL");
    await expect(runSql(url, COUNT)).rejects.toThrow("connection to the remote node");
    await worker?.start();
    expect(await runSql(url, COUNT)).toEqual([{ rows: ROWS }]);
    await coordinator.end("SIGKILL");
    await expect(runSql(url, COUNT)).rejects.toThrow("ECONNREFUSED");
    await coordinator.start();
    expect(await runSql(url, COUNT)).toEqual([{ rows: ROWS }]);
  });

  it("lets a worker hang and go on", async () => {
    const [, worker] = citus.cluster.nodes;
    worker?.pause();
    let isAnswered = false;
    const answer = runSql(url, COUNT).finally(() => {
      isAnswered = true;
    });
    await until("the statement waits for a worker", async () => {
      const [row] = await citus.cluster.nodes[0].run(
        "select 1 as found from pg_stat_activity where query like 'select count%notes' and state = 'active'",
      );
      return row;
    });
    expect(isAnswered).toBe(false);
    worker?.resume();
    expect(await answer).toEqual([{ rows: ROWS }]);
  });

  it("prepares transactions on every node", async () => {
    for (const node of citus.cluster.nodes) {
      await node.run("begin; create table prepared (id int); prepare transaction 'a'");
      expect(await node.run("select gid from pg_prepared_xacts where gid = 'a'")).toEqual([{ gid: "a" }]);
      await node.run("rollback prepared 'a'");
    }
  });

  it("takes another worker into every database, which can get shards", async () => {
    const worker = await citus.cluster.addWorker();
    expect(citus.cluster.nodes.at(-1)).toBe(worker);
    await runSql(url, "select rebalance_table_shards(shard_transfer_mode := 'block_writes')");
    const shards = await runSql(url, `select 1 from citus_shards where nodeport = ${worker.port}`);
    expect(shards.length).toBeGreaterThan(0);
    expect(await runSql(url, COUNT)).toEqual([{ rows: ROWS }]);
  });

  it("leaves no process and no data behind when it stops", async () => {
    const cluster = await startCitus({ workers: 1 });
    const folders = await Promise.all(
      cluster.nodes.map(async (node) => String((await node.run("show data_directory"))[0]?.data_directory)),
    );
    const processes = () =>
      readdirSync("/proc").filter((pid) => folders.some((folder) => readOfProcess(pid, "cmdline").includes(folder)));
    expect(processes()).toHaveLength(2);
    cluster.nodes[1]?.pause();
    await cluster.stop();
    expect(processes()).toEqual([]);
    for (const folder of folders) expect(() => readFileSync(`${folder}/PG_VERSION`)).toThrow("ENOENT");
  });
});
