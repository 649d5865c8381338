import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, toId, type Uuid, uuidOf } from "../../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../../engine/feed/published.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { until } from "../../../../lab/harness/until.ts";
import type { TestGroup, TestUser, TestWorkspace } from "../../../../lab/harness/world.ts";
import type { EventType } from "../../../../model/events.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { createBudget } from "../../../../services/webhooks/publishing/budget.ts";
import { fanOut } from "../../../../services/webhooks/publishing/fan-out.ts";
import { createPublisher, type Run } from "../../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { markQueueGone, newestSeq } from "../../../../services/webhooks/webhooks/webhooks.queries.ts";
import { counting } from "../../../support/counting.ts";
import { publish as append, type TestEvent } from "../../../support/events.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/guides/events.md#who-sees-what
const home = useHome();
let acme: TestWorkspace;
let bob: TestUser;
let statements: string[];
let publish: (workspaceId?: Uuid) => Promise<Run>;

beforeAll(async () => {
  statements = [];
  const publisher = createPublisher(counting(home.database, statements, { background: true }), {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  publish = (workspaceId = acme.uuid) => publisher.publish(workspaceId);
});

beforeEach(async () => {
  for (const table of ["webhook_progress", "deliveries", "webhooks", "webhook_queues"])
    await home.database.read(`delete from ${table}`);
  statements.length = 0;
  acme = await home.workspace();
  bob = await acme.user("Bob Babbage");
});

const event = (type: EventType, body: TestEvent["body"] = {}, recordId = newUuid()) => ({ type, recordId, body });
const write = (...events: TestEvent[]) => append(home.database, acme.uuid, events);

/** A webhook of a user with these entries. */
async function webhook(user: TestUser, entries: (SubscribedEvent | EventType)[], options = {}): Promise<Uuid> {
  const subscribed = entries.map((entry) => (typeof entry === "string" ? { eventType: entry } : entry));
  const [uuid = newUuid()] = await subscribe(home.database, [acme.uuid, user.uuid], [subscribed], options);
  return uuid;
}

/** The webhooks that have deliveries, each as often as it has some. */
async function delivered(): Promise<Uuid[]> {
  const rows = await home.database.read<{ webhookId: Uuid }>(
    `select webhook_id as "webhookId" from deliveries order by webhook_id`,
  );
  return rows.map(({ webhookId }) => webhookId);
}

const uuidOfGroup = ({ id }: TestGroup) => uuidOf("group", id) ?? newUuid();

describe("A delivery", () => {
  it("is made with the event, in its position, and is due at once", async () => {
    const hook = await webhook(bob, ["company.created"]);
    const one = event("company.created");
    await write(event("person.created"), one);
    expect(await publish()).toEqual({ deliveries: 1, hasMore: false });
    const rows = await home.database.read(
      `select d.webhook_id, d.event_type, d.record_id, d.status, d.attempts, d.next_attempt_at::timestamptz(3) = d.created_at as "isDue",
         d.next_attempt_at <= now() as "isMade", e.type, q.due_at <= now() as "isQueued"
       from deliveries d join change_log e on e.workspace_id = d.workspace_id and e.seq = d.event_seq and e.id = d.event_id
         and e.record_id = d.record_id join webhook_queues q on q.workspace_id = d.workspace_id and q.webhook_id = d.webhook_id`,
    );
    expect(rows).toEqual([
      {
        webhook_id: hook,
        event_type: "company.created",
        record_id: one.recordId,
        status: "pending",
        attempts: [],
        isDue: true,
        isMade: true,
        type: "company.created",
        isQueued: true,
      },
    ]);
  });

  it("is one for each webhook and event, however many entries match", async () => {
    const hooks = [
      await webhook(bob, ["person.created", { eventType: "person.created", filter: {} }]),
      await webhook(bob, ["person.created"]),
    ];
    await webhook(bob, ["person.deleted"]);
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual(hooks.sort());
  });

  it("has an id that follows the order of the positions", async () => {
    await webhook(bob, ["person.created"]);
    await write(...Array.from({ length: 20 }, () => event("person.created")));
    await publish();
    const rows = await home.database.read<{ position: string }>(
      "select event_seq as position from deliveries order by id",
    );
    const positions = rows.map(({ position }) => Number(position));
    expect(positions).toHaveLength(20);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it("is not made of events that were written before the webhook became active", async () => {
    const first = await webhook(bob, ["person.created", "person.groups_updated"]);
    const changes = [{ path: ["groups"], type: "add" as const, value: [{ id: (await acme.group(bob)).id }] }];
    await write(event("person.created"), { type: "person.updated+groups_updated", body: { changes } });
    const sinceSeq = Number(await newestSeq(home.database.read));
    const hook = await webhook(bob, ["person.created", "person.groups_updated"], { sinceSeq });
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual([first, first, first, hook].sort());
  });

  it("is not made for a webhook that is inactive, or that became inactive or was changed before the event", async () => {
    const hook = await webhook(bob, ["person.created"]);
    await webhook(bob, ["person.created"], { status: "inactive" });
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual([hook]);
    await home.database.read("update webhooks set status = 'inactive'");
    await home.database.read("update workspaces set webhooks_version = webhooks_version + 1 where id = $1", [
      acme.uuid,
    ]);
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual([hook]);
  });

  it.each([
    ["deleted", (id: Uuid) => markQueueGone(home.database.read, acme.uuid, id)],
    [
      "deleted by the release before",
      (id: Uuid) => home.database.read("delete from webhook_queues where webhook_id = $1", [id]),
    ],
  ])("is not made for a webhook that was %s meanwhile, and others get theirs", async (_how, remove) => {
    const [kept, deleted] = [await webhook(bob, ["person.created"]), await webhook(bob, ["person.created"])];
    await write(event("person.created"));
    await publish();
    // Its version is as it was: the deletion is committed while the publisher is at work.
    await remove(deleted);
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual([kept, kept, deleted].sort());
  });

  it("never is of an event of another workspace", async () => {
    await webhook(bob, ["person.created"]);
    const other = await home.workspace();
    const hooks = await subscribe(home.database, [other.uuid, other.ada.uuid], [[{ eventType: "person.created" }]]);
    await append(home.database, other.uuid, [event("person.created")]);
    await publish();
    await publish(other.uuid);
    expect(await delivered()).toEqual(hooks);
  });

  it("leaves a queue due that has been due for longer, and locks it all the same", async () => {
    const hook = await webhook(bob, ["person.created"]);
    await home.database.read("update webhook_queues set due_at = '2026-01-01'");
    await write(event("person.created"));
    let published: Promise<Run> | undefined;
    await home.database.transaction(async (trx) => {
      await trx.raw(`select from webhook_queues where webhook_id = '${hook}' for update`);
      published = publish();
      await until("the publisher waits for the queue", async () => {
        const rows = await home.database.read(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows.length > 0;
      });
    });
    await published;
    expect(await home.database.read("select due_at from webhook_queues")).toEqual([
      { due_at: new Date("2026-01-01T00:00:00Z") },
    ]);
    expect(await delivered()).toEqual([hook]);
  });
});

describe("Only what the owner sees is delivered", () => {
  it("an object of a group, to those who are in it", async () => {
    const group = await acme.group(acme.ada, { members: [] });
    const hooks = [await webhook(acme.ada, ["object.created"]), await webhook(bob, ["object.created"])];
    await write(event("object.created", { home: uuidOfGroup(group), objectType: "Deals" }));
    await publish();
    expect(await delivered()).toEqual(hooks.slice(0, 1));
  });

  it("an object of a group that was made public just before, to everybody", async () => {
    const group = await acme.group(acme.ada, { members: [] });
    const hook = await webhook(bob, ["object.created"]);
    const created = event("object.created", { home: uuidOfGroup(group), objectType: "Deals" });
    await write(created);
    await publish();
    expect(await delivered()).toEqual([]);
    await home.database.read("update groups set visibility = 'public' where workspace_id = $1 and id = $2", [
      acme.uuid,
      uuidOfGroup(group),
    ]);
    await home.database.read("update workspaces set catalog_version = catalog_version + 1 where id = $1", [acme.uuid]);
    await write(created);
    await publish();
    expect(await delivered()).toEqual([hook]);
  });

  it("changes, when one is left that the owner sees and the filter asks for", async () => {
    const group = await acme.group(acme.ada, { members: [] });
    const path = ["customFieldValues", group.id, "Text"];
    const filter = { eventType: "person.updated" as const, filter: { path } };
    const all = await webhook(bob, ["person.updated"]);
    await webhook(bob, [filter]);
    const ofAda = await webhook(acme.ada, [filter]);
    const hidden = { path, type: "set" as const, value: "x" };
    await write(event("person.updated", { changes: [hidden] }));
    await publish();
    expect(await delivered()).toEqual([ofAda]);
    await write(event("person.updated", { changes: [hidden, { path: ["jobTitle"], type: "set", value: "CTO" }] }));
    await publish();
    expect(await delivered()).toEqual([ofAda, ofAda, all].sort());
  });

  it("a note as it is now: one that has become private is for its author alone", async () => {
    const hooks = { ada: await webhook(acme.ada, ["note.updated"]), bob: await webhook(bob, ["note.updated"]) };
    const note = newUuid();
    await home.database.read(
      `insert into notes (workspace_id, id, created_at, created_by, entity_kind, entity_id, visibility, content, search)
       values ($1, $2, now(), $3, 'person', $2, 'public', 'x', '')`,
      [acme.uuid, note, acme.ada.uuid],
    );
    const changed = event("note.updated", { changes: [{ path: ["content"], type: "set" }] }, note);
    await write(changed);
    await publish();
    expect(await delivered()).toEqual([hooks.ada, hooks.bob].sort());
    await home.database.read("update notes set visibility = 'private' where id = $1", [note]);
    await write(changed);
    await publish();
    expect(await delivered()).toEqual([hooks.ada, hooks.ada, hooks.bob].sort());
  });

  it("nothing, to a user who was removed", async () => {
    await webhook(bob, ["person.created"]);
    await acme.remove(bob);
    await write(event("person.created"));
    await publish();
    expect(await delivered()).toEqual([]);
  });
});

describe("Many webhooks", () => {
  const nothing: SubscribedEvent[] = [{ eventType: "person.created", filter: { groupId: toId("group", newUuid()) } }];

  it("get an event in statements of a bounded size", async () => {
    await subscribe(home.database, [acme.uuid, bob.uuid], Array(4_500).fill([{ eventType: "person.created" }]));
    await write(event("person.created"));
    expect(await publish()).toEqual({ deliveries: 4_500, hasMore: false });
    expect(statements.filter((sql) => sql.includes("insert into deliveries"))).toHaveLength(3);
    expect(new Set(await delivered()).size).toBe(4_500);
  });

  it("that are found and refused let others have a turn of the event loop after each 2,000", async () => {
    let inTurn = 0;
    let most = 0;
    const found = Array.from({ length: 9_000 }, () => ({
      webhookId: newUuid(),
      sinceSeq: 0,
      subscribedEvents: [],
      get ownerId() {
        inTurn += 1;
        most = Math.max(most, inTurn);
        return bob.uuid;
      },
    }));
    const index = { size: 9_000, types: () => [], find: () => new Set(found) };
    const definitions = await storeOf(home.database).definitionsCache.atLeast(acme.uuid, 0);
    const means = { workspaceId: acme.uuid, index, definitions };
    const hidden: PublishedEvent = {
      position: 1,
      workspaceId: acme.uuid,
      id: newUuid(),
      type: "note.created",
      recordId: newUuid(),
      body: { users: [acme.ada.uuid] },
      sight: null,
    };
    let isOver = false;
    const turn = () => {
      inTurn = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const bounds = { mayBegin: () => true, mayHave: () => true, budget: createBudget() };
    expect(await fanOut(home.database.read, means, [hidden], bounds)).toEqual({ deliveries: 0, full: [] });
    isOver = true;
    expect(most).toBeLessThanOrEqual(2_000);
    expect(most).toBeGreaterThan(0);
  });

  it("of which two want an event cost two deliveries", async () => {
    await subscribe(home.database, [acme.uuid, bob.uuid], Array(10_000).fill(nothing));
    const hooks = [await webhook(bob, ["person.created"]), await webhook(acme.ada, ["person.created"])];
    await write(event("person.created", { groups: [] }));
    expect(await publish()).toEqual({ deliveries: 2, hasMore: false });
    expect(await delivered()).toEqual(hooks.sort());
  });
});
