import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { type Database, run } from "../../../../database/database.ts";
import type { Query } from "../../../../database/query.ts";
import { writeEvents } from "../../../../engine/events/outbox.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { until } from "../../../../lab/harness/until.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import type { EventDraft } from "../../../../model/events.ts";
import { createPublisher } from "../../../../services/webhooks/publishing/publisher.ts";
import { EVENTS_AT_ONCE } from "../../../../services/webhooks/publishing/queued.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { removeWorkspace } from "../../../../services/workspaces/workspaces/workspaces.remove.ts";
import { counting } from "../../../support/counting.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/guides/events.md#order, docs/decisions/0013-events.md
const home = useHome();
let acme: TestWorkspace;
let owner: readonly [Uuid, Uuid];

beforeEach(async () => {
  for (const table of ["outbox", "events", "deliveries", "webhooks", "webhook_queues"])
    await home.database.read(`delete from ${table}`);
  acme = await home.workspace();
  owner = [acme.uuid, acme.ada.uuid];
});

const publisher = (database: Pick<Database, "read" | "transaction"> = home.database) =>
  createPublisher(database, {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });

const created = (recordId = newUuid()): EventDraft => ({ type: "company.created", recordId, body: { groups: [] } });

/** An event that tells a number. */
const counted = (recordId: Uuid, count: number): EventDraft => ({
  type: "company.updated",
  recordId,
  body: { changes: [{ path: ["description"], type: "set", value: String(count) }] },
});

const write = (events: EventDraft[], workspaceId = acme.uuid) => writeEvents(home.database.read, workspaceId, events);

/** The records of the events that were passed on, in the order of their positions. */
async function passedOn(): Promise<Uuid[]> {
  const rows = await home.database.read<{ recordId: Uuid }>(
    `select record_id as "recordId" from events order by position`,
  );
  return rows.map(({ recordId }) => recordId);
}

async function isOutboxEmpty(): Promise<boolean> {
  return (await home.database.read("select from outbox")).length === 0;
}

/** Has two publishers pass events on while work writes some, and until none is left. */
async function publishDuring(work: () => Promise<unknown>): Promise<void> {
  let isWriting = true;
  const publishing = [publisher(), publisher()].map(async (one) => {
    while (isWriting || !(await isOutboxEmpty())) await one.publish();
  });
  await work();
  isWriting = false;
  await Promise.all(publishing);
}

/** The connections of the database that wait for a lock. */
const waiting = () =>
  home.database.read<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );

/** Writes events in a transaction that is open until `commit` is called. */
async function writeLate(events: EventDraft[]): Promise<{ commit(): Promise<void> }> {
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = home.database.transaction(async (trx) => {
    await writeEvents((sql, values, form) => run(trx, sql, values, form), acme.uuid, events);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  return {
    commit() {
      end.resolve();
      return committed;
    },
  };
}

describe("passing events on", () => {
  it("gives each event the next position, in the order of their writing, and takes it from the outbox", async () => {
    const events = Array.from({ length: 5 }, () => created());
    await write(events.slice(0, 3));
    expect(await publisher().publish()).toEqual({ events: 3, deliveries: 0, hasMore: false });
    await write(events.slice(3));
    await publisher().publish();
    expect(await passedOn()).toEqual(events.map(({ recordId }) => recordId));
    const [positions] = await home.database.read(
      `select max(e.position) - min(e.position) as apart, max(e.position) = max(l.last_position) as "isLast",
         bool_and(e.published_at <= now()) as "isPublished" from events e, event_log l`,
    );
    expect(positions).toEqual({ apart: 4, isLast: true, isPublished: true });
    expect(await isOutboxEmpty()).toBe(true);
    expect(await publisher().publish()).toEqual({ events: 0, deliveries: 0, hasMore: false });
  });

  it("keeps what an event tells as it was written", async () => {
    const recordId = newUuid();
    await write([counted(recordId, 7)]);
    const before = await home.database.read("select workspace_id, id, type, record_id, body::text from outbox");
    await publisher().publish();
    expect(await home.database.read("select workspace_id, id, type, record_id, body::text from events")).toEqual(
      before,
    );
  });

  it("gives an event whose transaction commits late a later position, and loses none", async () => {
    const [late, soon] = [created(), created()];
    const { commit } = await writeLate([late]);
    await write([soon]);
    await publisher().publish();
    expect(await passedOn()).toEqual([soon.recordId]);
    await commit();
    await publisher().publish();
    expect(await passedOn()).toEqual([soon.recordId, late.recordId]);
  });

  it("leaves an event that is committed behind its back for the next time, with its deliveries", async () => {
    await subscribe(home.database, owner, [[{ eventType: "company.created" }]]);
    const [late, soon] = [created(), created()];
    const { commit } = await writeLate([late]);
    await write([soon]);
    let published: Promise<unknown> | undefined;
    await home.database.transaction(async (trx) => {
      await trx.raw("select from webhook_queues for update");
      published = publisher().publish();
      await until("the publisher has read its events, and waits", async () => (await waiting()).length > 0);
      await commit();
    });
    expect(await published).toEqual({ events: 1, deliveries: 1, hasMore: false });
    expect(await publisher().publish()).toEqual({ events: 1, deliveries: 1, hasMore: false });
    const delivered = await home.database.read("select record_id from deliveries order by event_position");
    expect(delivered).toEqual([{ record_id: soon.recordId }, { record_id: late.recordId }]);
  });

  it("drops the events of a workspace that was removed, and gives the others the positions that their deliveries know", async () => {
    const doomed = await home.workspace();
    const [webhook] = await subscribe(home.database, owner, [[{ eventType: "company.created" }]]);
    const kept = newUuid();
    await write([created()], doomed.uuid);
    await write([created(kept)]);
    const isEnd = (sql: string) => sql.includes("delete from webhook_queues");
    await home.database.transaction(async (trx) => {
      const remove: Query = async (sql, values, form) => {
        // Until the removal comes to its end it holds up nobody.
        if (isEnd(sql)) expect(await publisher().publish()).toMatchObject({ events: 2 });
        return run(trx, sql, values, form);
      };
      await removeWorkspace(remove, doomed.uuid);
    });
    await write([created()], doomed.uuid);
    await write([created(kept)]);
    await publisher().publish();
    expect((await passedOn()).filter((uuid) => uuid === kept)).toHaveLength(2);
    const strays = await home.database.read(
      `select from deliveries d where webhook_id = $1 and not exists (
         select from events e where e.workspace_id = d.workspace_id and e.position = d.event_position and e.id = d.event_id)`,
      [webhook],
    );
    expect(strays).toEqual([]);
    // The one that was passed on while the removal was under way is purged with its age.
    expect(await home.database.read("select from events where workspace_id = $1", [doomed.uuid])).toHaveLength(1);
  });

  it("passes many on in several transactions, and tells that there is more", async () => {
    const events = Array.from({ length: EVENTS_AT_ONCE + 1 }, () => created());
    await write(events);
    const one = publisher();
    expect(await one.publish()).toEqual({ events: EVENTS_AT_ONCE, deliveries: 0, hasMore: true });
    expect(await one.publish()).toEqual({ events: 1, deliveries: 0, hasMore: false });
    expect(await passedOn()).toEqual(events.map(({ recordId }) => recordId));
  });

  it("passes on at most some megabytes of bodies together, and one that is larger alone", async () => {
    const large = (bytes: number): EventDraft => ({
      type: "company.deleted",
      recordId: newUuid(),
      body: { details: { name: "x".repeat(bytes) } },
    });
    const events = [large(3_000_000), large(2_000_000), large(9_000_000), created()];
    await write(events);
    const one = publisher();
    const counts: number[] = [];
    while (!(await isOutboxEmpty())) counts.push((await one.publish()).events);
    expect(counts).toEqual([2, 1, 1]);
    expect(await passedOn()).toEqual(events.map(({ recordId }) => recordId));
  });
});

describe("several processes that pass events on", () => {
  it("give each event one position, however many do so at once", async () => {
    const events = Array.from({ length: 1_200 }, () => created());
    await publishDuring(async () => {
      for (let i = 0; i < events.length; i += 40) await write(events.slice(i, i + 40));
    });
    expect(await passedOn()).toEqual(events.map(({ recordId }) => recordId));
  });

  it("leave it to the one that does it at the moment", async () => {
    await write([created()]);
    await home.database.transaction(async (trx) => {
      await trx.raw("select from event_log for update");
      expect(await publisher().publish()).toEqual({ events: 0, deliveries: 0, hasMore: false });
    });
    expect((await publisher().publish()).events).toBe(1);
  });

  it("go on where one was killed in the middle, and neither lose an event nor deliver it twice", async () => {
    const [webhook] = await subscribe(home.database, owner, [[{ eventType: "company.created" }]]);
    const event = created();
    await write([event]);
    let killed: Promise<unknown> | undefined;
    await home.database.transaction(async (trx) => {
      // A publisher that waits for the queue of the webhook has read its events, and has neither delivered nor moved
      // them.
      await trx.raw("select from webhook_queues for update");
      killed = expect(publisher().publish()).rejects.toThrow();
      const [waits] = await until("the publisher waits", async () => {
        const found = await waiting();
        return found.length > 0 && found;
      });
      await home.database.read("select pg_terminate_backend($1)", [waits?.pid]);
      await killed;
    });
    expect([await passedOn(), await isOutboxEmpty()]).toEqual([[], false]);
    expect(await publisher().publish()).toEqual({ events: 1, deliveries: 1, hasMore: false });
    expect(await passedOn()).toEqual([event.recordId]);
    expect(await home.database.read("select webhook_id from deliveries")).toEqual([{ webhook_id: webhook }]);
  });

  it("pass the events of one record on in the order of the commits, while several change it at once", async () => {
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
        await writeEvents((sql, values, form) => run(trx, sql, values, form), acme.uuid, [
          counted(recordId, row?.count ?? 0),
          created(),
        ]);
      });
    const changeOften = async () => {
      for (let i = 0; i < 50; i += 1) await change();
    };
    await publishDuring(() => Promise.all([1, 2, 3].map(changeOften)));
    const told = await home.database.read<{ count: string }>(
      "select body->'changes'->0->>'value' as count from events where record_id = $1 order by position",
      [recordId],
    );
    expect(told.map(({ count }) => Number(count))).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
  });
});

describe("the statements of a run", () => {
  async function statements(events: EventDraft[]): Promise<string[]> {
    const seen: string[] = [];
    const one = publisher(counting(home.database, seen, { background: true }));
    // What is kept in memory is read the first time.
    await write([created()]);
    await one.publish();
    seen.length = 0;
    await write(events);
    await one.publish();
    return seen.map((sql) => sql.replace("/* background */ ", "").split(" ")[0] ?? "");
  }
  const many = Array.from({ length: 400 }, () => created());

  it("are as many for 400 events as for one", async () => {
    const expected = ["select", "begin", "with", "with", "commit"];
    expect(await statements([created()])).toEqual(expected);
    expect(await statements(many)).toEqual(expected);
  });

  it("are one more when webhooks want some, however many of both", async () => {
    await subscribe(home.database, owner, Array(5).fill([{ eventType: "company.created" }]));
    const expected = ["select", "begin", "with", "with", "with", "commit"];
    expect(await statements([created()])).toEqual(expected);
    expect(await statements(many)).toEqual(expected);
  });

  it("are one look when nothing waits, and that one is work in the background", async () => {
    const seen: string[] = [];
    await publisher(counting(home.database, seen)).publish();
    await write([created()]);
    await publisher(counting(home.database, seen)).publish();
    expect(seen).toEqual([]);
  });
});
