import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Caller } from "../../base/contract/caller.ts";
import { demoOnce } from "../../cli/demo.ts";
import { createServices } from "../../cli/process.ts";
import { type Env, readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

interface Listed {
  id: string;
  name: string;
  people: { id: string }[];
  companies: { id: string }[];
  customFieldValues: Record<string, Record<string, unknown>>;
}

let server: TestDatabase;
let broker: ServiceBroker;
let env: Env;

beforeAll(async () => {
  server = await testDatabase();
  env = readEnv({ DATABASE_URL: server.url, PUBLIC_URL: "http://crm.test:81" });
  broker = new ServiceBroker(brokerOptions(env, { log: () => undefined }));
  const folders = serviceFolders().filter((name) => name !== "gateway");
  await createServices(broker, folders, { env, database: server.database });
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await server.drop();
});

const start = () => demoOnce(server.database, broker, env);
const counts = () =>
  server.database.read(`select (select count(*)::int from people) as people, (select count(*)::int from companies) as companies,
    (select count(*)::int from objects) as deals, (select count(*)::int from object_people) as people_of_deals,
    (select count(*)::int from users) as users, (select count(*)::int from groups) as groups,
    (select count(*)::int from api_keys where revoked_at is null) as keys`);

test("the first start makes a workspace and prints a key, a curl line and the docs; a killed one is made good", async () => {
  const lines = await start();
  const key = /^API key: (cwk_\S+)$/.exec(lines[0] ?? "")?.[1];
  expect(lines.slice(1)).toEqual([
    `curl -s -H "Authorization: Bearer ${key}" http://crm.test:81/v1/people`,
    "Docs: http://crm.test:81/docs",
  ]);
  const whole = [{ people: 12, companies: 4, deals: 3, people_of_deals: 5, users: 2, groups: 2, keys: 1 }];
  expect(await counts()).toEqual(whole);
  expect(await start()).toEqual([]);

  // As a start leaves it that is killed in between: begun, with a part of the records and a key that nobody was told.
  await server.database.read("update settings set value = '\"begun\"' where name = 'demo'");
  await server.database.read("delete from people where id in (select id from people order by id limit 5)");
  await server.database.read("delete from groups where name = 'Customers'");
  const repaired = await start();
  expect(repaired[0]).toMatch(/^API key: cwk_/);
  expect(repaired[0]).not.toBe(lines[0]);
  expect(await counts()).toEqual(whole);
});

test("its object type is found as clients look for it, and its deals are linked both ways", async () => {
  const { caller, group } = await broker.call<{ caller: Caller; group: { id: string } }, object>(
    "workspaces.importTarget",
    { workspace: "demo", group: "Sales", kind: "person" },
  );
  const list = async (action: string, params: object = {}) => {
    const page = await broker.call<{ items: string }, object>(action, { ...params, limit: 100 }, { meta: { caller } });
    const items: Listed[] = JSON.parse(page.items);
    return items;
  };
  for (const entityType of ["person", "company"]) {
    const fields = await list("custom-fields.list", { groupId: group.id, entityType });
    expect(fields).toContainEqual({ name: "Deals", type: "objectField" });
  }
  const deals = await list("objects.list", { groupId: group.id, objectType: "Deals" });
  expect(deals.length).toBeGreaterThanOrEqual(2);
  const [people, companies] = await Promise.all([list("people.list"), list("companies.list")]);
  const dealsOf = (records: Listed[], id: string) =>
    records.find((record) => record.id === id)?.customFieldValues[group.id]?.Deals;
  for (const deal of deals) {
    expect(deal.customFieldValues).toEqual({ Amount: expect.stringMatching(/^\d/), Stage: expect.any(String) });
    expect(deal.companies).toHaveLength(1);
    expect(deal.people).not.toEqual([]);
    const shown = [{ id: deal.id, fullName: deal.name, entityType: "object" }];
    for (const { id } of deal.people) expect(dealsOf(people, id)).toEqual(shown);
    for (const { id } of deal.companies) expect(dealsOf(companies, id)).toEqual(shown);
  }
});

test("a database with a workspace of somebody's own gets no demo", async () => {
  await server.database.read("delete from settings");
  expect(await start()).toEqual([]);
});
