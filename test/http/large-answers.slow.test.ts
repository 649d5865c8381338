import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PAGE_LENGTH_MAX, RECORD_VALUES_BYTES_MAX } from "../../config/limits.ts";
import type { Database } from "../../database/database.ts";
import type { TextRow } from "../../database/query.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Answer, type Client, patientClient } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";
import { recordsOf } from "./batch-results.ts";

const PEOPLE = 90;
const FIELDS = 50;
const LONG = "x".repeat(5000);

/** What statements have given since this was emptied: the bytes of each. */
const read: number[] = [];

/** The same database, which notes how much each statement on records gives. */
function weighing(database: Database): Database {
  const weighed =
    (of: Database["read"]): Database["read"] =>
    async (sql, values, form) => {
      const rows = await of(sql, values, form);
      if (form === "texts")
        read.push((rows as unknown as TextRow[]).reduce((sum, row) => sum + row.join("").length, 0));
      return rows as never;
    };
  return { ...database, sharedConnection: (name) => ({ read: weighed(database.sharedConnection(name).read) }) };
}

describe("Large records", () => {
  let server: TestServer;
  let world: World;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;
  let ids: string[];

  beforeAll(async () => {
    server = await startProcess({ wrap: weighing });
    world = await startWorld(server.database);
    workspace = await world.workspace();
    group = await workspace.group(workspace.ada);
    api = patientClient(server, workspace.ada.key);
    for (let i = 0; i < FIELDS; i++)
      await workspace.field(workspace.ada, group, "person", { type: "textField", name: `Field ${i}` });
    const records = Array.from({ length: PEOPLE }, (_, i) => ({ fullName: `P${i}`, groups: [{ id: group.id }] }));
    ids = recordsOf(await api.post("/v1/people/batch/create", { records })).map(({ id }) => id);
    const values = Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`Field ${i}`, LONG]));
    const body = { customFieldValues: { [group.id]: values } };
    expect((await api.patch(`/v1/people/${ids[0]}`, body)).data.id).toBe(ids[0]);
    // Two of three become as large: pages end at different places, and after small ones too.
    await server.database.read(
      `update people p set memberships = l.memberships from people l
       where l.workspace_id = $1 and l.id = $2 and p.workspace_id = $1 and substr(p.full_name, 2)::int % 3 > 0`,
      [workspace.uuid, ids[0]?.slice(4)],
    );
  });

  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  /** The ids of a walk, page by page. */
  async function walk(first: string, body?: object): Promise<string[][]> {
    const pages: string[][] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const answer: Answer = body ? await api.post(path, body) : await api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.text.length).toBeLessThan(PAGE_LENGTH_MAX + 1000);
      pages.push(answer.items.map(({ id }) => id));
      path = answer.nextLink?.slice(server.publicUrl.length);
    }
    return pages;
  }

  // docs/guides/lists.md#pages
  it("make pages end early, and a walk meets each record once: of all, of filters and of a search", async () => {
    const wanted = [...ids].sort();
    const search = { filter: { fullName: { like: "P" } } };
    for (const [path, body] of [
      ["/v1/people?limit=100"],
      ["/v1/people?limit=100"],
      ["/v1/people?limit=7"],
      ["/v1/people?limit=1"],
      ["/v1/people?limit=100&filter[fullName][like]=P"],
      ["/v1/people/search?limit=100", search],
    ] as [string, object?][]) {
      const pages = await walk(path, body);
      expect({ path, met: pages.flat() }).toEqual({ path, met: wanted });
      if (path.includes("100")) expect(pages.length).toBeGreaterThan(3);
      expect(pages.every((page) => page.length > 0)).toBe(true);
    }
  });

  it("are read from the database no more than a page has room for, as soon as it is known that they are large", async () => {
    await walk("/v1/people?limit=100");
    read.length = 0;
    await walk("/v1/people?limit=100");
    await walk("/v1/people?limit=100&filter[fullName][like]=P");
    expect(Math.max(...read)).toBeGreaterThan(PAGE_LENGTH_MAX / 2);
    expect(Math.max(...read)).toBeLessThan(PAGE_LENGTH_MAX + 2 * RECORD_VALUES_BYTES_MAX);
  });

  // docs/guides/batches.md#what-refuses-the-whole-batch
  it("refuse the batch whose answer they would make larger than 4 MiB, as a whole", async () => {
    const batch = (count: number, jobTitle: string) =>
      api.post("/v1/people/batch/update", { records: Array(count).fill({ id: ids[0], jobTitle }) });
    const refused = await batch(100, "Refused");
    expect(refused.status).toBe(422);
    expect(refused.issues).toMatchObject([{ code: "custom", path: ["records"] }]);
    expect(refused.error.details?.issues?.[0]?.message).toBe(
      "The answer would be larger than 4 MiB. Send fewer records at once",
    );
    expect((await api.get(`/v1/people/${ids[0]}`)).data.jobTitle).toBe("");
    expect(recordsOf(await batch(12, "Written"))).toHaveLength(12);
  });

  it("are as large as the names that they mention: these count too, in pages and in batches", async () => {
    const own = await world.workspace();
    const other = patientClient(server, own.ada.key);
    const home = await own.group(own.ada);
    await own.field(own.ada, home, "person", { type: "objectField", name: "Deals" });
    const names = Array.from({ length: 6 }, (_, i) => `Deals ${i}`);
    for (const name of names) await own.field(own.ada, home, "person", { type: "contactField", name });
    const mentioned: { id: string }[] = [];
    for (let i = 0; i < 10; i++) {
      const records = Array.from({ length: 100 }, (_, k) => ({ name: `${i} ${k} ${"n".repeat(490)}` }));
      const made = recordsOf(await other.post("/v1/companies/batch/create", { records }));
      mentioned.push(...made.map(({ id }) => ({ id })));
    }
    const customFieldValues = { [home.id]: Object.fromEntries(names.map((name) => [name, mentioned])) };
    const people: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { data } = await other.post("/v1/people", { fullName: `P${i}`, groups: [{ id: home.id }] });
      expect((await other.patch(`/v1/people/${data.id}`, { customFieldValues })).status).toBe(200);
      people.push(data.id);
    }
    read.length = 0;
    const pages = await other.pages("/v1/people?limit=100");
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(pages.flat().map(({ id }) => id)).toEqual(people);
    expect(Math.max(...read)).toBeLessThan(PAGE_LENGTH_MAX);
    const records = people.map((id) => ({ id, jobTitle: "x" }));
    expect((await other.post("/v1/people/batch/update", { records })).issues).toMatchObject([{ path: ["records"] }]);
  });
});
