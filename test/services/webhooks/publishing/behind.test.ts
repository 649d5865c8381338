import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { writeEvents } from "../../../../engine/events/outbox.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import type { EventDraft } from "../../../../model/events.ts";
import { createPublisher, type Run } from "../../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { beginAnew } from "../../../../services/webhooks/webhooks/webhooks.queries.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/decisions/0013-events.md#webhooks-that-are-behind, docs/guides/webhook-deliveries.md#how-many-may-wait
const home = useHome();
let flooding: TestWorkspace;
let quiet: TestWorkspace;
let publish: () => Promise<Run>;
const PENDING_MAX = 2_000;

beforeEach(async () => {
  for (const table of ["outbox", "events", "deliveries", "webhooks", "webhook_queues"])
    await home.database.read(`delete from ${table}`);
  flooding = await home.workspace();
  quiet = await home.workspace();
  publish = publisher();
});

function publisher(bounds: { pendingMax?: number } = {}): () => Promise<Run> {
  const means = {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
    ...bounds,
  };
  return createPublisher(home.database, means, { behindRestMs: 0 }).publish;
}

const CREATED = { eventType: "person.created" as const };
const created = (): EventDraft => ({ type: "person.created", recordId: newUuid(), body: {} });
const write = ({ uuid }: TestWorkspace, count = 1) =>
  writeEvents(
    home.database.read,
    uuid,
    Array.from({ length: count }, () => created()),
  );
const hooks = ({ uuid, ada }: TestWorkspace, count: number, options = {}) =>
  subscribe(home.database, [uuid, ada.uuid], Array(count).fill([CREATED]), options);

/** Publishes until nothing is left to do but what has no room. Gives the runs. */
async function publishAll(): Promise<Run[]> {
  const runs: Run[] = [];
  // Without a rest there is always another round: two runs that do nothing are the end of one that moved nothing.
  for (let idle = 0; idle < 3; ) {
    const run = await publish();
    idle = run.events + run.deliveries > 0 ? 0 : idle + 1;
    runs.push(run);
  }
  return runs.filter(({ events, deliveries }) => events + deliveries > 0);
}

/** The numbers of deliveries and of events in the feed of a workspace, and of its webhooks that are behind. */
async function counts({ uuid }: TestWorkspace): Promise<{ deliveries: number; events: number; behind: number }> {
  const [row] = await home.database.read<{ deliveries: number; events: number; behind: number }>(
    `select (select count(*)::int from deliveries where workspace_id = $1) as deliveries,
       (select count(*)::int from events where workspace_id = $1) as events,
       (select count(*)::int from webhook_queues where workspace_id = $1 and made_through is not null) as behind`,
    [uuid],
  );
  return row ?? { deliveries: 0, events: 0, behind: 0 };
}

/** Writes deliveries of a webhook that wait for a receiver. */
async function pile({ uuid }: TestWorkspace, webhookId: Uuid | undefined, count: number): Promise<void> {
  await home.database.read(
    `insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
     select $1, gen_random_uuid(), $2, 0, $1, 'person.created', $1, 'pending', now() + interval '1 hour', now() from generate_series(1, $3)`,
    [uuid, webhookId, count],
  );
}

describe("A workspace that makes more deliveries than others", () => {
  it("has all its events in the feed, and those of another workspace in feed and webhooks, with the first run", async () => {
    await hooks(flooding, 1_000);
    await hooks(quiet, 1);
    await write(flooding, 400);
    await write(quiet);
    expect(await publish()).toEqual({ events: 401, deliveries: 2_001, hasMore: true });
    expect(await counts(flooding)).toEqual({ deliveries: 2_000, events: 400, behind: 1_000 });
    expect(await counts(quiet)).toEqual({ deliveries: 1, events: 1, behind: 0 });
  });

  it("holds up an event that is written while it catches up for one turn, of a thousand deliveries", async () => {
    await hooks(flooding, 500);
    await hooks(quiet, 1);
    await write(flooding, 20);
    await publish();
    await write(quiet);
    const turns = [await publish(), await publish()];
    expect(turns).toEqual([
      { events: 0, deliveries: 1_000, hasMore: true },
      { events: 1, deliveries: 1, hasMore: true },
    ]);
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
    expect(await counts(flooding)).toEqual({ deliveries: 6_500, events: 65, behind: 0 });
    const [row] = await home.database.read(
      `select count(distinct (webhook_id, event_id))::int as apart, bool_and(is_later) as "isInOrder" from (
         select webhook_id, event_id, coalesce(event_position > lag(event_position)
           over (partition by webhook_id order by next_attempt_at, event_position, id), true)
           and coalesce(event_position > lag(event_position) over (partition by webhook_id order by id), true) as is_later
         from deliveries) d`,
    );
    expect(row).toEqual({ apart: 6_500, isInOrder: true });
    // From here on deliveries are made with the event.
    await write(flooding);
    expect(await publish()).toEqual({ events: 1, deliveries: 100, hasMore: false });
  });

  it("takes turns with another one that does so", async () => {
    const workspaces = [flooding, quiet];
    for (const one of workspaces) await hooks(one, 1_000);
    for (const one of workspaces) await write(one, 10);
    await publish();
    const before = await Promise.all(workspaces.map(counts));
    await publish();
    await publish();
    const after = await Promise.all(workspaces.map(counts));
    expect(after.map(({ deliveries }, i) => deliveries - (before[i]?.deliveries ?? 0))).toEqual([1_000, 1_000]);
  });

  it("is left behind when many others have used up what a run may do, and gets its deliveries afterwards", async () => {
    const many = [flooding, quiet, await home.workspace()];
    for (const one of many) await hooks(one, 1_000);
    for (const one of many) await write(one, 2);
    expect(await publish()).toMatchObject({ events: 6, deliveries: 4_000 });
    await publishAll();
    for (const one of many) expect(await counts(one)).toEqual({ deliveries: 2_000, events: 2, behind: 0 });
  });

  it("counts webhooks that are found and whose owners do not see the event", async () => {
    await subscribe(
      home.database,
      [flooding.uuid, flooding.ada.uuid],
      Array(1_000).fill([{ eventType: "note.created" }]),
    );
    const hidden: EventDraft = { type: "note.created", recordId: newUuid(), body: { users: [newUuid()] } };
    await writeEvents(home.database.read, flooding.uuid, Array(12).fill(hidden));
    await publish();
    expect(await counts(flooding)).toEqual({ deliveries: 0, events: 12, behind: 1_000 });
    await publishAll();
    expect(await counts(flooding)).toEqual({ deliveries: 0, events: 12, behind: 0 });
  });
});

describe("A webhook that is behind", () => {
  const behind = async () => {
    await hooks(flooding, 100);
    await write(flooding, 30);
    await publish();
  };

  it("gets no event that was written before it became active, though it gets its deliveries later", async () => {
    const seqs = () =>
      home.database.read<{ seq: number }>("select max(seq)::float8 as seq from outbox").then(([row]) => row?.seq);
    await hooks(flooding, 100);
    await write(flooding, 30);
    const [late] = await hooks(flooding, 1, { sinceSeq: await seqs() });
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
    expect(await counts(flooding)).toEqual({ deliveries: 98 * 30 + 2 * 20, events: 30, behind: 0 });
    // Otherwise there would be a turn for it again and again, until it is active again.
    expect(await publish()).toEqual({ events: 0, deliveries: 0, hasMore: false });
  });
});

describe("Deliveries that wait for their receivers", () => {
  beforeEach(() => {
    publish = publisher({ pendingMax: PENDING_MAX });
  });

  it("hold back what comes for their webhook when they are half of what a workspace may have, and no other webhook", async () => {
    const [hog, healthy] = await hooks(flooding, 2);
    await hooks(quiet, 1);
    await pile(flooding, hog, PENDING_MAX / 2 + 1);
    const ofEach = () =>
      home.database.read(
        `select (select count(*)::int from deliveries where webhook_id = $1 and event_position > 0) as hog,
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
    expect(await counts(flooding)).toMatchObject({ events: 31, behind: 1 });
    expect(await counts(quiet)).toEqual({ deliveries: 2, events: 2, behind: 0 });

    await home.database.read(
      "update deliveries set status = 'succeeded' where webhook_id = $1 and event_position = 0",
      [hog],
    );
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
      "select count(*)::int from deliveries where webhook_id = $1 and event_position > 0",
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
    expect(waiting).toMatchObject({ events: 100, behind: 20 });
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
      await home.database.read("update deliveries set status = 'succeeded' where event_position > 0");
      await publishAll();
    }
    const [all] = await home.database.read(
      `select count(*)::int, count(distinct (webhook_id, event_id))::int as apart from deliveries
       where event_position > 0 and webhook_id <> $1`,
      [many[0]],
    );
    expect(all).toEqual({ count: 3_800, apart: 3_800 });
  });
});
