import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { writeEvents } from "../../../../engine/events/outbox.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import { createPublisher } from "../../../../services/webhooks/publishing/publisher.ts";
import { readQueued } from "../../../../services/webhooks/publishing/queued.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/decisions/0013-events.md
const home = useHome();
let acme: TestWorkspace;

beforeEach(async () => {
  await home.database.read("delete from outbox");
  acme = await home.workspace();
});

afterEach(() => {
  jest.restoreAllMocks();
});

const MARK = "a body that is not to be read";

async function write(workspaceId: Uuid): Promise<void> {
  await writeEvents(home.database.read, workspaceId, [
    { type: "company.deleted", recordId: newUuid(), body: { details: { name: MARK } } },
  ]);
}

it("the bodies of a workspace that has never had a webhook stay in the database", async () => {
  const other = await home.workspace();
  await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[{ eventType: "company.deleted" }]]);
  await write(acme.uuid);
  await write(other.uuid);
  const { events, hasMore } = await readQueued(home.database.read, 41);
  expect(events.map(({ workspaceId, position, body, versions }) => [workspaceId, position, body, versions])).toEqual([
    [acme.uuid, 42, JSON.stringify({ details: { name: MARK } }), { webhooks: 1, definitions: expect.any(Number) }],
    [other.uuid, 43, null, null],
  ]);
  expect(hasMore).toBe(false);
});

it("a body is parsed when some webhook wants events of its type, and else it is not", async () => {
  const { publish } = createPublisher(home.database, {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  const parse = jest.spyOn(JSON, "parse");
  const parsed = () => parse.mock.calls.filter(([text]) => text.includes(MARK)).length;
  const owner = [acme.uuid, acme.ada.uuid] as const;
  await subscribe(home.database, owner, [[{ eventType: "person.created" }, { eventType: "company.created" }]]);
  await write(acme.uuid);
  expect([(await publish()).events, parsed()]).toEqual([1, 0]);
  await subscribe(home.database, owner, [[{ eventType: "company.deleted" }]]);
  await write(acme.uuid);
  expect([(await publish()).events, parsed()]).toEqual([1, 1]);
});

it("an event of a workspace that was deleted meanwhile is passed on, and holds up no other", async () => {
  await write(newUuid());
  const { publish } = createPublisher(home.database, {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  expect(await publish()).toEqual({ events: 1, deliveries: 0, hasMore: false });
});
