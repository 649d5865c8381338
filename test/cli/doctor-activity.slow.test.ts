import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { adminOf, type TestAdmin } from "../support/admin.ts";
import { type Client, client } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";

let server: TestServer & { databaseUrl: string };
let world: World;
let admin: Omit<TestAdmin, "query">;
let api: Client;
let person = "";

beforeAll(async () => {
  server = await startProcess();
  world = await startWorld(server.database);
  api = client(server, (await world.workspace()).ada.key);
  admin = adminOf(server.databaseUrl);
});

afterAll(async () => {
  await admin.close();
  await world.stop();
  await server.stop();
});

/** A person with two interactions, which are counted, one to come, a note and a task. */
beforeEach(async () => {
  person = (await api.post("/v1/people", { fullName: "Grace Hopper" })).data.id;
  const entity = { id: person };
  for (const dateTime of ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2096-01-01T00:00:00Z"])
    await api.post("/v1/interactions", { entity, dateTime, title: "", content: "", activityType: "call" });
  await api.post("/v1/notes", { entity, visibility: "public", content: "Met." });
  await api.post("/v1/tasks", { entity, title: "Call", dueAt: "2030-01-01" });
  await until("all that is due is counted", async () => {
    const due = await server.database.read("select from interaction_uncounted where date_time <= now()");
    return due.length === 0 || undefined;
  });
});

async function faultsAfter(sql: string): Promise<string[]> {
  await server.database.read(sql);
  const { json } = await admin.run("doctor --json");
  const { checks } = json<{ checks: { name: string; ok: boolean; message: string }[] }>();
  // The database of the tests is made to be fast, not to survive a power cut.
  return checks
    .filter(({ ok, name }) => !ok && name !== "durability")
    .map(({ name, message }) => `${name}: ${message}`);
}

const uuid = () => person.slice(4);

it("finds sound counts sound, also of what is to come (docs/guides/database.md#doctor)", async () => {
  expect(await faultsAfter("select")).toEqual([]);
});

it.each([
  ["a count is wrong", () => `update interaction_counts set count = count + 1 where entity_id = '${uuid()}'`],
  [
    "a last time is wrong",
    () => `update interaction_counts set last_at = last_at + interval '1 s' where entity_id = '${uuid()}'`,
  ],
  ["a count is missing", () => `delete from interaction_counts where entity_id = '${uuid()}'`],
  ["one to come does not wait to be counted", () => `delete from interaction_uncounted where entity_id = '${uuid()}'`],
  ["the person shows something else", () => `update people set activity = null where id = '${uuid()}'`],
])("finds that %s, and a merge with a new person mends it", async (_, spoil) => {
  const [fault, ...others] = await faultsAfter(spoil());
  expect([fault, others]).toEqual([
    expect.stringMatching(new RegExp(`^interactions: The person ${uuid()} .*merge`)),
    [],
  ]);
  const { data: empty } = await api.post("/v1/people", {});
  const log = { dateTime: "2025-01-01T00:00:00Z", title: "", content: "", activityType: "call" };
  await api.post("/v1/interactions", { entity: { id: empty.id }, ...log });
  expect((await api.post(`/v1/people/${person}/merge`, { records: [{ id: empty.id }] })).status).toBe(200);
  expect(await faultsAfter("select")).toEqual([]);
});

it.each(["notes", "tasks", "interaction_entities"])("finds that %s are about nobody", async (table) => {
  const stray = await server.database.read<{ id: string }>(
    `select entity_id as id from ${table} where entity_id = '${uuid()}'`,
  );
  expect(stray.length).toBeGreaterThan(0);
  // The deletion of the person would take them along, so they get the id of nobody.
  const faults = await faultsAfter(`update ${table} set entity_id = gen_random_uuid() where entity_id = '${uuid()}'`);
  expect(faults.join("\n")).toMatch(
    new RegExp(`about records: ${table} is about the person [-0-9a-f]{36}, which is not there`),
  );
  await server.database.read(`delete from ${table} t where not exists (select from people p where p.id = t.entity_id)`);
  await api.delete(`/v1/people/${person}`);
});
