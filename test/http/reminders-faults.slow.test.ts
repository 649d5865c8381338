import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { type NatsServer, natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { until } from "../../lab/harness/until.ts";
import { ALL, type Cluster, copyName, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { whileHeld } from "../support/locked-row.ts";
import { OWN_LOCKS } from "../support/own-locks.ts";
import { insertReminders } from "../support/reminders.ts";
import { overNats } from "../support/server.ts";

const COUNT = 1000;

const nats = natsProgram();
const possible = !overNats || "path" in nats;

// Processes of their own, since one of them is killed: two with all services over a bus, or one alone.
// docs/guides/reminders.md#firing
(possible ? describe : describe.skip)("Reminders, when a process is killed that fires them", () => {
  let bus: NatsServer | undefined;
  let cluster: Cluster;
  let test: TestDatabase;

  beforeAll(async () => {
    test = await testDatabase();
    if (overNats) bus = await startNats();
    const where = { databaseUrl: test.url, ...(bus && { natsUrl: bus.url, copies: 2 }) };
    cluster = await startCluster(where);
  });

  afterAll(async () => {
    await cluster?.stop();
    await test?.drop();
    await bus?.stop();
  });

  const workers = overNats ? 2 : 1;

  /** Number of processes that have taken reminders and wait to write into the log that these have fired. */
  async function waiting(): Promise<number> {
    const [row] = await test.database.read<{ count: number }>(
      `select count(*)::int as count from ${OWN_LOCKS}
       where relation = 'change_log'::regclass and not granted`,
    );
    return row?.count ?? 0;
  }

  it("each fires once: what it had taken, another fires, or it does when it is back", async () => {
    const due = new Date(Date.now() - 1000);
    const more = { recurrenceFrequency: "weekly" as const, dueAt: "2026-01-05", planned: due, count: COUNT };
    const uuids = await whileHeld(test.database, "lock table change_log in exclusive mode", async () => {
      const made = await insertReminders(test.database, newUuid(), due, more);
      await until("all have taken some", async () => (await waiting()) === workers);
      await cluster.kill(overNats ? copyName(0) : ALL);
      return made;
    });
    if (!overNats) await cluster.start(ALL);
    const fired = () => test.database.read<{ id: Uuid }>("select record_id as id from change_log");
    await until("all have fired", async () => (await fired()).length >= COUNT, 60_000);
    const left = "select count(*)::int as count from tasks where next_trigger_at <= now()";
    await until("nothing is due", async () => (await test.database.read<{ count: number }>(left))[0]?.count === 0);
    expect((await fired()).map(({ id }) => id).toSorted()).toEqual(uuids.toSorted());
  });
});
