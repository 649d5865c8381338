import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { appendToLog } from "../../../../engine/events/append.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import type { LogEntry } from "../../../../model/log.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { createPublisher, type Publisher, type Run } from "../../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { beginAnew, newestSeq } from "../../../../services/webhooks/webhooks/webhooks.queries.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/decisions/0013-events.md#webhooks-that-are-behind, docs/guides/webhook-deliveries.md#how-many-may-wait
const home = useHome();
let flooding: TestWorkspace;
let quiet: TestWorkspace;
let publisher: Publisher;
const PENDING_MAX = 2_000;

beforeEach(async () => {
  for (const table of ["webhook_progress", "deliveries", "webhooks", "webhook_queues"])
    await home.database.read(`delete from ${table}`);
  flooding = await home.workspace();
  quiet = await home.workspace();
  publisher = newPublisher();
});

function newPublisher(bounds: { pendingMax?: number } = {}): Publisher {
  const means = {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
    behindRestMs: 0,
    ...bounds,
  };
  return createPublisher(home.database, means);
}

const publish = ({ uuid } = flooding) => publisher.publish(uuid);

const CREATED: SubscribedEvent[] = [{ eventType: "person.created" }];
const UPDATED: SubscribedEvent[] = [{ eventType: "person.updated" }, { eventType: "person.groups_updated" }];
const created = (): LogEntry => ({ type: "person.created", recordId: newUuid(), body: {} });
const write = ({ uuid }: TestWorkspace, count = 1, make = created) =>
  appendToLog(home.database.read, { workspaceId: uuid }, Array.from({ length: count }, make));
const hooks = ({ uuid, ada }: TestWorkspace, count: number, { entries = CREATED, sinceSeq = 0 } = {}) =>
  subscribe(home.database, [uuid, ada.uuid], Array(count).fill(entries), { sinceSeq });

/** Makes entries with two events, which the admin sees. */
async function updated(workspace: TestWorkspace): Promise<() => LogEntry> {
  const { id } = await workspace.group(workspace.ada);
  const changes = [
    { path: ["jobTitle"], before: null, after: "CTO" },
    { path: ["groups"], before: [], after: [{ id }] },
  ];
  return () => ({ type: "person.updated+groups_updated", recordId: newUuid(), body: { changes } });
}

/** Publishes for all until nothing is left to do but what has no room. */
async function publishAll(): Promise<void> {
  // Without a rest there is always another round: two runs that do nothing are the end of one that moved nothing.
  for (let idle = 0; idle < 3; ) {
    const runs: Run[] = [];
    for (const workspaceId of await publisher.due()) runs.push(await publisher.publish(workspaceId));
    idle = runs.some(({ deliveries }) => deliveries > 0) ? 0 : idle + 1;
  }
}

/** The numbers of deliveries of a workspace, and of its webhooks that are behind. */
async function counts({ uuid }: TestWorkspace): Promise<{ deliveries: number; behind: number }> {
  const [row] = await home.database.read<{ deliveries: number; behind: number }>(
    `select (select count(*)::int from deliveries where workspace_id = $1) as deliveries,
       (select count(*)::int from webhook_queues where workspace_id = $1 and made_through is not null) as behind`,
    [uuid],
  );
  return row ?? { deliveries: 0, behind: 0 };
}

/** Number of different pairs of event and webhook among deliveries, and whether each webhook has them in order. */
async function apartAndInOrder() {
  const [row] = await home.database.read(
    `select count(distinct (webhook_id, event_id))::int as apart, bool_and(is_later) as "isInOrder" from (
       select webhook_id, event_id, coalesce(event_seq > lag(event_seq)
         over (partition by webhook_id order by next_attempt_at, event_seq, id), true)
         and coalesce(event_seq > lag(event_seq) over (partition by webhook_id order by id), true) as is_later
       from deliveries) d`,
  );
  return row;
}

/** Writes deliveries of a webhook that wait for a receiver. */
async function pile({ uuid }: TestWorkspace, webhookId: Uuid | undefined, count: number): Promise<void> {
  await home.database.read(
    `insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status, next_attempt_at, created_at)
     select $1, gen_random_uuid(), $2, 0, $1, 'person.created', $1, 'pending', now() + interval '1 hour', now() from generate_series(1, $3)`,
    [uuid, webhookId, count],
  );
}

describe("A workspace with more deliveries than one run may make", () => {
  it("leaves its webhooks behind and goes on in the log, and holds up no other", async () => {
    await hooks(flooding, 1_000);
    await hooks(quiet, 1);
    await write(flooding, 400);
    await write(quiet);
    expect(await publish()).toEqual({ deliveries: 2_000, hasMore: true });
    expect(await counts(flooding)).toEqual({ deliveries: 2_000, behind: 1_000 });
    expect(await publish(quiet)).toEqual({ deliveries: 1, hasMore: false });
    expect(await counts(quiet)).toEqual({ deliveries: 1, behind: 0 });
    // All that was written has been looked at.
    const [progress] = await home.database.read<{ through: string }>(
      "select through from webhook_progress where workspace_id = $1",
      [flooding.uuid],
    );
    const [last] = await home.database.read<{ seq: string }>(
      "select max(seq) as seq from change_log where workspace_id = $1",
      [flooding.uuid],
    );
    expect(Number(progress?.through)).toBeGreaterThanOrEqual(Number(last?.seq));
  });

  it("holds up a webhook that is not behind for one turn, of a thousand deliveries", async () => {
    await hooks(flooding, 500);
    await write(flooding, 20);
    await publish();
    const [late] = await hooks(flooding, 1, { sinceSeq: Number(await newestSeq(home.database.read)) });
    await write(flooding);
    const turns = [await publish(), await publish()];
    expect(turns).toEqual([
      { deliveries: 1_000, hasMore: true },
      { deliveries: 1, hasMore: true },
    ]);
    const rows = await home.database.read("select from deliveries where webhook_id = $1", [late]);
    expect(rows).toHaveLength(1);
  });

  it("gets each delivery once, in the order of the events, also of events that come meanwhile", async () => {
    await hooks(flooding, 100);
    await write(flooding, 50);
    await publish();
    await write(flooding, 10);
    await publish();
    await publish();
    await write(flooding, 5);
    await publishAll();
    expect(await counts(flooding)).toEqual({ deliveries: 6_500, behind: 0 });
    expect(await apartAndInOrder()).toEqual({ apart: 6_500, isInOrder: true });
    // From here on deliveries are made with the event.
    await write(flooding);
    expect(await publish()).toEqual({ deliveries: 100, hasMore: false });
  });

  it("gets each delivery once also of entries with two events, between which a run and a turn end", async () => {
    const make = await updated(flooding);
    await hooks(flooding, 700, { entries: UPDATED });
    await write(flooding, 5, make);
    expect(await publish()).toEqual({ deliveries: 3 * 700, hasMore: true });
    expect(await publish()).toEqual({ deliveries: 2 * 700, hasMore: true });
    await write(flooding, 2, make);
    await publishAll();
    expect(await counts(flooding)).toEqual({ deliveries: 14 * 700, behind: 0 });
    expect(await apartAndInOrder()).toEqual({ apart: 14 * 700, isInOrder: true });
  });

  it("counts webhooks that are found and whose owners do not see the event", async () => {
    await hooks(flooding, 1_000, { entries: [{ eventType: "note.created" }] });
    const hidden: LogEntry = { type: "note.created", recordId: newUuid(), body: { users: [newUuid()] } };
    await write(flooding, 12, () => hidden);
    await publish();
    expect(await counts(flooding)).toEqual({ deliveries: 0, behind: 1_000 });
    await publishAll();
    expect(await counts(flooding)).toEqual({ deliveries: 0, behind: 0 });
  });
});

describe("A webhook that is behind", () => {
  const behind = async () => {
    await hooks(flooding, 100);
    await write(flooding, 30);
    await publish();
  };

  it("gets no event that was written before it became active, though it gets its deliveries later", async () => {
    await hooks(flooding, 100);
    await write(flooding, 30);
    const [late] = await hooks(flooding, 1, { sinceSeq: Number(await newestSeq(home.database.read)) });
    await write(flooding, 3);
    await publishAll();
    expect(await counts(flooding)).toMatchObject({ deliveries: 30 * 100 + 3 * 101, behind: 0 });
    const [row] = await home.database.read("select count(*)::int from deliveries where webhook_id = $1", [late]);
    expect(row).toEqual({ count: 3 });
  });

  it("and becomes active again begins with what happens from then on", async () => {
    await behind();
    const [{ uuid } = { uuid: newUuid() }] = await home.database.read<{ uuid: Uuid }>(
      "select webhook_id as uuid from webhook_queues limit 1",
    );
    await beginAnew(home.database.read, flooding.uuid, uuid);
    await publishAll();
    await write(flooding);
    await publishAll();
    const [row] = await home.database.read("select count(*)::int from deliveries where webhook_id = $1", [uuid]);
    expect(row).toEqual({ count: 21 });
  });

  it("and was made inactive or deleted holds up no other, and is behind no longer", async () => {
    await behind();
    await home.database.read(
      `with gone as (delete from webhook_queues where webhook_id = (select min(id::text)::uuid from webhooks)),
         off as (update webhooks set status = 'inactive' where id = (select max(id::text)::uuid from webhooks))
       update workspaces set webhooks_version = webhooks_version + 1`,
    );
    await publishAll();
    expect(await counts(flooding)).toEqual({ deliveries: 98 * 30 + 2 * 20, behind: 0 });
    // Otherwise there would be a turn for it again and again, until it is active again.
    expect(await publish()).toEqual({ deliveries: 0, hasMore: false });
    expect(await publisher.due()).toEqual([]);
  });
});

describe("Deliveries that wait for their receivers", () => {
  beforeEach(() => {
    publisher = newPublisher({ pendingMax: PENDING_MAX });
  });

  it("hold back what comes for their webhook when they are half of what a workspace may have, and no other webhook", async () => {
    const [hog, healthy] = await hooks(flooding, 2);
    await hooks(quiet, 1);
    await pile(flooding, hog, PENDING_MAX / 2 + 1);
    const ofEach = () =>
      home.database.read(
        `select (select count(*)::int from deliveries where webhook_id = $1 and event_seq > 0) as hog,
           (select count(*)::int from deliveries where webhook_id = $2) as healthy`,
        [hog, healthy],
      );
    // The first event is the one with which they are counted.
    await write(flooding);
    await write(quiet);
    await publishAll();
    await write(flooding, 30);
    await write(quiet);
    await publishAll();
    expect(await ofEach()).toEqual([{ hog: 1, healthy: 31 }]);
    expect(await counts(flooding)).toMatchObject({ behind: 1 });
    expect(await counts(quiet)).toEqual({ deliveries: 2, behind: 0 });

    await home.database.read("update deliveries set status = 'succeeded' where webhook_id = $1 and event_seq = 0", [
      hog,
    ]);
    await publishAll();
    expect(await ofEach()).toEqual([{ hog: 31, healthy: 31 }]);
    expect(await counts(flooding)).toMatchObject({ behind: 0 });
  });

  it("lose their webhook no event that is left for later with those of the whole workspace", async () => {
    const [hog] = await hooks(flooding, 100);
    await pile(flooding, hog, PENDING_MAX / 2 + 1);
    await write(flooding, 30);
    // The budget is used up after twenty events, and the room of the webhook, too.
    await publish();
    await home.database.read("update deliveries set status = 'succeeded'");
    await publishAll();
    const [row] = await home.database.read(
      "select count(*)::int from deliveries where webhook_id = $1 and event_seq > 0",
      [hog],
    );
    expect(row).toEqual({ count: 30 });
  });

  it("never become many more than a workspace may have, however many events and webhooks there are", async () => {
    const many = await hooks(flooding, 20);
    await pile(flooding, many[0], PENDING_MAX / 2 + 1);
    await write(flooding, 100);
    await publishAll();
    const waiting = await counts(flooding);
    expect(waiting).toMatchObject({ behind: 20 });
    // The last run before they are counted may make two thousand.
    expect(waiting.deliveries).toBeLessThanOrEqual(PENDING_MAX + 2_000);
    // Each of the others has a share all the same.
    const [least] = await home.database.read(
      'select min(count)::int >= 25 as "hasShare" from (select count(*) from deliveries group by webhook_id) d',
    );
    expect(least).toEqual({ hasShare: true });

    // As the others' deliveries end, they get a part of their share at a time, and each event once.
    await write(flooding, 100);
    for (let round = 0; round < 20 && (await counts(flooding)).behind > 1; round += 1) {
      await home.database.read("update deliveries set status = 'succeeded' where event_seq > 0");
      await publishAll();
    }
    const [all] = await home.database.read(
      `select count(*)::int, count(distinct (webhook_id, event_id))::int as apart from deliveries
       where event_seq > 0 and webhook_id <> $1`,
      [many[0]],
    );
    expect(all).toEqual({ count: 3_800, apart: 3_800 });
  });

  it("hold back no second event of an entry for good, when the first has used up the room of its webhook", async () => {
    const make = await updated(flooding);
    const many = await hooks(flooding, 20, { entries: UPDATED });
    await pile(flooding, many[0], PENDING_MAX / 2 + 1);
    // With the first ones they are counted, and have no room any more.
    for (const count of [1, 15, 60]) {
      await write(flooding, count, make);
      await publishAll();
    }
    expect((await counts(flooding)).behind).toBe(20);
    for (let round = 0; round < 20 && (await counts(flooding)).behind > 1; round += 1) {
      await home.database.read("update deliveries set status = 'succeeded' where event_seq > 0");
      await publishAll();
    }
    const [all] = await home.database.read(
      `select count(*)::int, count(distinct (webhook_id, event_id))::int as apart from deliveries
       where event_seq > 0 and webhook_id <> $1`,
      [many[0]],
    );
    expect(all).toEqual({ count: 19 * 2 * 76, apart: 19 * 2 * 76 });
  });
});
