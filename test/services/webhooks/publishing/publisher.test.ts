import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { type Database, run } from "../../../../database/database.ts";
import type { Query } from "../../../../database/query.ts";
import { appendToLog } from "../../../../engine/events/append.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { until } from "../../../../lab/harness/until.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import type { LogEntry } from "../../../../model/log.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { ENTRIES_AT_ONCE } from "../../../../services/webhooks/publishing/log-entries.ts";
import { createPublisher } from "../../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { removeWorkspace } from "../../../../services/workspaces/workspaces/workspaces.remove.ts";
import { counting } from "../../../support/counting.ts";
import { newestSeq } from "../../../support/events.ts";
import { useHome } from "../../../support/home.ts";
import { type OpenTransaction, openTransaction } from "../../../support/open-transaction.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/guides/events.md#order, docs/decisions/0013-events.md
const home = useHome();
let acme: TestWorkspace;
/** Ends the transactions that a test has left open. */
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

beforeEach(async () => {
  for (const table of ["webhook_progress", "deliveries", "webhooks", "webhook_queues"])
    await home.database.read(`delete from ${table}`);
  acme = await home.workspace();
});

const publisher = (database: Pick<Database, "read" | "transaction"> = home.database) =>
  createPublisher(database, {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
const publish = () => publisher().publish(acme.uuid);

const NOTHING = { deliveries: 0, hasMore: false };
const CREATED: SubscribedEvent = { eventType: "company.created" };

const created = (recordId = newUuid()): LogEntry => ({ type: "company.created", recordId, body: { groups: [] } });
const write = (entries: LogEntry[], workspaceId = acme.uuid) =>
  appendToLog(home.database.read, { workspaceId }, entries);
const hook = async (...entries: SubscribedEvent[]) => {
  const [uuid] = await subscribe(home.database, [acme.uuid, acme.ada.uuid], [entries]);
  return uuid;
};

/** The records of deliveries, in the order in which these are sent. */
async function delivered(): Promise<Uuid[]> {
  const rows = await home.database.read<{ recordId: Uuid }>(
    `select record_id as "recordId" from deliveries order by event_seq, id`,
  );
  return rows.map(({ recordId }) => recordId);
}

const recordsOf = (entries: LogEntry[]) => entries.map(({ recordId }) => recordId);

async function through(): Promise<number | undefined> {
  const [row] = await home.database.read<{ through: number }>(
    "select through::float8 as through from webhook_progress where workspace_id = $1",
    [acme.uuid],
  );
  return row?.through;
}

/** The connections of the database that wait for a lock. */
const waiting = () =>
  home.database.read<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );

/** Writes entries in a transaction that is open until `commit` is called. */
async function writeLate(entries: LogEntry[]): Promise<OpenTransaction> {
  const late = await openTransaction(home.database, (trx) =>
    appendToLog((...statement) => run(trx, ...statement), { workspaceId: acme.uuid }, entries),
  );
  ends.push(late.commit);
  return late;
}

/** Has two publishers make deliveries while work writes, and until there is nothing to do. */
async function publishDuring(work: () => Promise<unknown>): Promise<void> {
  let isWriting = true;
  const publishing = [publisher(), publisher()].map(async (one) => {
    while (isWriting || (await one.due([acme.uuid])).length > 0) await one.publish(acme.uuid);
  });
  await work();
  isWriting = false;
  await Promise.all(publishing);
}

describe("making deliveries of the log of a workspace", () => {
  it("follows its order, and notes how far it has come", async () => {
    await hook(CREATED);
    const entries = Array.from({ length: 5 }, () => created());
    await write(entries.slice(0, 3));
    expect(await publish()).toEqual({ deliveries: 3, hasMore: false });
    expect(await through()).toBe(await newestSeq(home.database));
    await write(entries.slice(3));
    expect(await publish()).toEqual({ deliveries: 2, hasMore: false });
    expect(await delivered()).toEqual(recordsOf(entries));
    expect(await through()).toBe(await newestSeq(home.database));
    expect(await publish()).toEqual(NOTHING);
    expect(await delivered()).toHaveLength(5);
  });

  it("makes one of each event of an entry that has two, for those that want it", async () => {
    const hooks = {
      fields: await hook({ eventType: "person.updated" }),
      groups: await hook({ eventType: "person.groups_updated" }),
      both: await hook({ eventType: "person.updated" }, { eventType: "person.groups_updated" }),
    };
    const group = await acme.group(acme.ada);
    const changes = [
      { path: ["jobTitle"], before: null, after: "CTO" },
      { path: ["groups"], before: [], after: [{ id: group.id }] },
    ];
    await write([{ type: "person.updated+groups_updated", recordId: newUuid(), body: { changes } }]);
    const seq = await newestSeq(home.database);
    expect(await publish()).toEqual({ deliveries: 4, hasMore: false });
    const rows = await home.database.read(
      `select webhook_id as hook, event_type as type, event_seq::float8 as position, event_id = l.id as "isFirst"
       from deliveries d join change_log l on l.workspace_id = d.workspace_id and l.seq = $1 order by position, d.id`,
      [seq],
    );
    const [first, second] = [
      { type: "person.updated", position: seq, isFirst: true },
      { type: "person.groups_updated", position: seq + 1, isFirst: false },
    ];
    const inOrder = (one: object[]) => one.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(inOrder(rows as object[])).toEqual(
      inOrder([
        { hook: hooks.fields, ...first },
        { hook: hooks.both, ...first },
        { hook: hooks.groups, ...second },
        { hook: hooks.both, ...second },
      ]),
    );
    expect(await publish()).toEqual(NOTHING);
  });

  it("waits for a transaction that was there before, and loses no event of it", async () => {
    await hook(CREATED);
    const [early, late, soon] = [created(), created(), created()];
    await write([early]);
    const { commit } = await writeLate([late]);
    await write([soon]);
    expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
    expect(await publish()).toEqual(NOTHING);
    expect(await delivered()).toEqual([early.recordId]);
    await commit();
    expect(await publish()).toEqual({ deliveries: 2, hasMore: false });
    expect(await delivered()).toEqual(recordsOf([early, late, soon]));
  });

  it("waits for no transaction of another workspace", async () => {
    await hook(CREATED);
    const other = await home.workspace();
    await home.database.transaction(async (trx) => {
      await appendToLog((...statement) => run(trx, ...statement), { workspaceId: other.uuid }, [created()]);
      await write([created()]);
      expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
    });
  });

  it("leaves what is committed behind its back for the next time", async () => {
    await hook(CREATED);
    const [soon, late] = [created(), created()];
    await write([soon]);
    let published: Promise<unknown> | undefined;
    await home.database.transaction(async (trx) => {
      await trx.raw("select from webhook_queues for update");
      published = publish();
      await until("the publisher has read its events, and waits", async () => (await waiting()).length > 0);
      await write([late]);
    });
    expect(await published).toEqual({ deliveries: 1, hasMore: false });
    expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
    expect(await delivered()).toEqual(recordsOf([soon, late]));
  });

  it("begins with the first webhook of a workspace, whatever was written before", async () => {
    await write([created()]);
    expect(await publish()).toEqual(NOTHING);
    const sinceSeq = (await newestSeq(home.database)) + 1;
    await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[CREATED]], { sinceSeq });
    expect([await publish(), await through()]).toEqual([NOTHING, sinceSeq]);
    await write([created()]);
    expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
  });

  it("takes into account what webhooks want that were made just before", async () => {
    const one = publisher();
    await hook(CREATED);
    await write([created()]);
    expect(await one.publish(acme.uuid)).toMatchObject({ deliveries: 1 });
    const late = await hook({ eventType: "company.deleted" });
    await write([{ type: "company.deleted", recordId: newUuid(), body: { groups: [] } }]);
    expect(await one.publish(acme.uuid)).toMatchObject({ deliveries: 1 });
    expect(await home.database.read("select from deliveries where webhook_id = $1", [late])).toHaveLength(1);
  });

  it("is done of many in several transactions, and tells that there is more", async () => {
    await hook(CREATED);
    const entries = Array.from({ length: ENTRIES_AT_ONCE + 1 }, () => created());
    await write(entries);
    const one = publisher();
    expect(await one.publish(acme.uuid)).toEqual({ deliveries: ENTRIES_AT_ONCE, hasMore: true });
    expect(await one.publish(acme.uuid)).toEqual({ deliveries: 1, hasMore: false });
    expect(await delivered()).toEqual(recordsOf(entries));
  });

  it("reads at most some megabytes of bodies together, and one that is larger alone", async () => {
    await hook({ eventType: "company.deleted" }, CREATED);
    const large = (bytes: number): LogEntry => ({
      type: "company.deleted",
      recordId: newUuid(),
      body: { details: { name: "x".repeat(bytes) } },
    });
    const entries = [large(3_000_000), large(2_000_000), large(9_000_000), created()];
    await write(entries);
    const one = publisher();
    const counts: number[] = [];
    while ((await one.due([acme.uuid])).length > 0) counts.push((await one.publish(acme.uuid)).deliveries);
    expect(counts).toEqual([2, 1, 1]);
    expect(await delivered()).toEqual(recordsOf(entries));
  });

  it("goes on to the end when nobody wants what happens", async () => {
    await hook({ eventType: "person.created" });
    await write(Array.from({ length: ENTRIES_AT_ONCE + 1 }, () => created()));
    expect(await publish()).toEqual({ deliveries: 0, hasMore: true });
    expect(await publish()).toEqual(NOTHING);
    expect(await through()).toBe(await newestSeq(home.database));
  });
});

describe("the workspaces in which there is something to do", () => {
  it("are those with webhooks in which something was written since", async () => {
    const [quiet, without] = [await home.workspace(), await home.workspace()];
    await hook(CREATED);
    await subscribe(home.database, [quiet.uuid, quiet.ada.uuid], [[CREATED]]);
    const one = publisher();
    expect(await one.due()).toEqual([]);
    await write([created()]);
    await write([created()], without.uuid);
    expect(await one.due()).toEqual([acme.uuid]);
    expect(await one.due([quiet.uuid, without.uuid])).toEqual([]);
    expect(await one.due([acme.uuid, quiet.uuid, newUuid()])).toEqual([acme.uuid]);
    await one.publish(acme.uuid);
    expect(await one.due()).toEqual([]);
  });

  it("are those with webhooks that are behind, too", async () => {
    await hook(CREATED);
    await home.database.read("update webhook_queues set made_through = 0");
    expect(await publisher().due()).toEqual([acme.uuid]);
    expect(await publisher().due([newUuid()])).toEqual([]);
  });

  it("are found by a look for which no request waits", async () => {
    const seen: string[] = [];
    const one = publisher(counting(home.database, seen));
    await one.due();
    await one.due([acme.uuid]);
    expect(seen).toEqual([]);
  });
});

describe("a workspace that is removed", () => {
  it("gets no deliveries meanwhile and afterwards, and holds up no other", async () => {
    const doomed = await home.workspace();
    await subscribe(home.database, [doomed.uuid, doomed.ada.uuid], [[CREATED]]);
    await hook(CREATED);
    await write([created()], doomed.uuid);
    const isEnd = (sql: string) => sql.includes("delete from webhook_queues");
    await home.database.transaction(async (trx) => {
      const remove: Query = async (sql, values, form) => {
        const rows = await run(trx, sql, values, form);
        if (!isEnd(sql)) return rows as never;
        await write([created()]);
        expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
        expect(await publisher().publish(doomed.uuid)).toEqual(NOTHING);
        return rows as never;
      };
      await removeWorkspace(remove, doomed.uuid);
    });
    // A write that had begun before is committed behind it.
    await write([created()], doomed.uuid);
    expect(await publisher().due()).toEqual([]);
    expect(await publisher().publish(doomed.uuid)).toEqual(NOTHING);
    expect(await home.database.read("select from deliveries where workspace_id = $1", [doomed.uuid])).toEqual([]);
  });

  it("was never there for a publisher that comes late", async () => {
    expect(await publisher().publish(newUuid())).toEqual(NOTHING);
  });
});

describe("several processes", () => {
  it("make each delivery once, however many do so at once", async () => {
    const hooks = [await hook(CREATED), await hook(CREATED)];
    const entries = Array.from({ length: 1_200 }, () => created());
    await publishDuring(async () => {
      for (let i = 0; i < entries.length; i += 40) await write(entries.slice(i, i + 40));
    });
    for (const one of hooks) {
      const rows = await home.database.read<{ recordId: Uuid }>(
        // In the order of their ids, too.
        `select record_id as "recordId" from deliveries where webhook_id = $1 order by id`,
        [one],
      );
      expect(rows.map(({ recordId }) => recordId)).toEqual(recordsOf(entries));
    }
  });

  it("leave a workspace to the one that does it at the moment, and do others", async () => {
    await hook(CREATED);
    const other = await home.workspace();
    await subscribe(home.database, [other.uuid, other.ada.uuid], [[CREATED]]);
    await write([created()]);
    await write([created()], other.uuid);
    await home.database.transaction(async (trx) => {
      await run(trx, "select from webhook_progress where workspace_id = $1 for update", [acme.uuid]);
      expect(await publish()).toEqual(NOTHING);
      expect((await publisher().publish(other.uuid)).deliveries).toBe(1);
    });
    expect((await publish()).deliveries).toBe(1);
  });

  it("go on where one was killed in the middle, and neither lose an event nor deliver it twice", async () => {
    const webhook = await hook(CREATED);
    const before = await through();
    await write([created()]);
    let killed: Promise<unknown> | undefined;
    await home.database.transaction(async (trx) => {
      // A publisher that waits for the queue of the webhook has read its events, and has neither delivered them nor
      // noted how far it has come.
      await trx.raw("select from webhook_queues for update");
      killed = expect(publish()).rejects.toThrow();
      const [waits] = await until("the publisher waits", async () => {
        const found = await waiting();
        return found.length > 0 && found;
      });
      await home.database.read("select pg_terminate_backend($1)", [waits?.pid]);
      await killed;
    });
    expect([await delivered(), await through()]).toEqual([[], before]);
    expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
    expect(await home.database.read("select webhook_id from deliveries")).toEqual([{ webhook_id: webhook }]);
  });

  it("deliver the events of one record in the order of the commits, while several change it at once", async () => {
    await hook({ eventType: "company.updated" });
    const recordId = newUuid();
    await home.database.read("create table counters (id uuid primary key, count int not null)");
    await home.database.read("insert into counters values ($1, 0)", [recordId]);
    const change = () =>
      home.database.transaction(async (trx) => {
        const [row] = await run<{ count: number }>(
          trx,
          "update counters set count = count + 1 where id = $1 returning count",
          [recordId],
        );
        const changes = [{ path: ["description"], before: null, after: String(row?.count) }];
        const counted: LogEntry = { type: "company.updated", recordId, body: { changes } };
        await appendToLog((...statement) => run(trx, ...statement), { workspaceId: acme.uuid }, [counted, created()]);
      });
    const changeOften = async () => {
      for (let i = 0; i < 50; i += 1) await change();
    };
    await publishDuring(() => Promise.all([1, 2, 3].map(changeOften)));
    const told = await home.database.read<{ count: string }>(
      `select l.body->'changes'->0->>'after' as count from deliveries d
       join change_log l on l.workspace_id = d.workspace_id and l.seq = d.event_seq order by d.id`,
    );
    expect(told.map(({ count }) => Number(count))).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
  });
});

describe("the statements of a run", () => {
  async function statements(entries: LogEntry[]): Promise<string[]> {
    const seen: string[] = [];
    const one = publisher(counting(home.database, seen, { background: true }));
    // What is kept in memory is read the first time.
    await write([created()]);
    await one.publish(acme.uuid);
    seen.length = 0;
    await write(entries);
    await one.publish(acme.uuid);
    return seen.map((sql) => sql.replace("/* background */ ", "").split(" ")[0] ?? "");
  }
  const many = Array.from({ length: 400 }, () => created());

  it("are as many for 400 events as for one", async () => {
    await hook({ eventType: "person.created" });
    const expected = ["begin", "with", "select", "update", "commit"];
    expect(await statements([created()])).toEqual(expected);
    expect(await statements(many)).toEqual(expected);
  });

  it("are one more when webhooks want some, however many of both", async () => {
    await subscribe(home.database, [acme.uuid, acme.ada.uuid], Array(5).fill([CREATED]));
    const expected = ["begin", "with", "select", "with", "update", "commit"];
    expect(await statements([created()])).toEqual(expected);
    expect(await statements(many)).toEqual(expected);
  });

  it("are those with which it begins, when nothing is there", async () => {
    await hook(CREATED);
    await publish();
    const seen: string[] = [];
    await publisher(counting(home.database, seen, { background: true })).publish(acme.uuid);
    expect(seen.map((sql) => sql.split(" ")[0])).toEqual(["begin", "commit"]);
  });
});
