import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import type { Query } from "../../../../database/query.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { subscribe } from "../../../support/subscribers.ts";

let home: TestDatabase;
let reads: unknown[];
let query: Query;

beforeAll(async () => {
  home = await testDatabase();
});

afterAll(() => home.drop());

beforeEach(() => {
  reads = [];
  query = (sql, values, form) => {
    reads.push(values[0]);
    return home.database.read(sql, values, form);
  };
});

const ENTRIES: SubscribedEvent[] = [{ eventType: "person.created" }, { eventType: "note.deleted" }];

/** A workspace with so many webhooks. */
async function workspace(webhooks: number): Promise<Uuid> {
  const uuid = newUuid();
  await home.database.read("insert into workspaces (id, slug, name, created_at) values ($1, $2, 'Acme', now())", [
    uuid,
    uuid,
  ]);
  if (webhooks > 0) await subscribe(home.database, [uuid, newUuid()], Array(webhooks).fill(ENTRIES));
  return uuid;
}

it("the active webhooks of a workspace are read once for each of its versions", async () => {
  const acme = await workspace(2);
  const subscriptions = createSubscriptions();
  const sizes = async (version: number) => (await subscriptions.atLeast(query, acme, version)).size;
  expect([await sizes(1), await sizes(1), reads.length]).toEqual([4, 4, 1]);
  await subscribe(home.database, [acme, newUuid()], [ENTRIES]);
  await subscribe(home.database, [acme, newUuid()], [ENTRIES], { status: "inactive" });
  expect([await sizes(1), reads.length]).toEqual([4, 1]);
  expect([await sizes(2), reads.length]).toEqual([6, 2]);
  // The version that was read then is later than the one that was asked for.
  expect([await sizes(3), reads.length]).toEqual([6, 2]);
});

it("a workspace without webhooks is kept too", async () => {
  const acme = await workspace(0);
  const subscriptions = createSubscriptions();
  for (let i = 0; i < 3; i += 1) expect((await subscriptions.atLeast(query, acme, 0)).size).toBe(0);
  expect(reads).toHaveLength(1);
});

it("so many entries are kept, and the workspace goes first that was not asked for longest", async () => {
  const [first, second, third] = [await workspace(2), await workspace(2), await workspace(2)];
  const subscriptions = createSubscriptions(10);
  for (const uuid of [first, second, first, third, first, second]) await subscriptions.atLeast(query, uuid, 1);
  expect(reads).toEqual([first, second, third, second]);
});

it("a workspace that has more than all that are kept is kept alone", async () => {
  const acme = await workspace(10);
  const subscriptions = createSubscriptions(10);
  for (let i = 0; i < 3; i += 1) expect((await subscriptions.atLeast(query, acme, 1)).size).toBe(20);
  expect(reads).toHaveLength(1);
});
