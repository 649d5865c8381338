import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Client, client } from "../support/client.ts";
import { counting } from "../support/counting.ts";
import { startProcess, type TestServer } from "../support/server.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../support/world.ts";

// What an operation costs must not grow with the records that there are, nor with those of a page.
describe("Statements of", () => {
  const seen: string[] = [];
  let server: TestServer;
  let world: World;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;
  let person: string;

  beforeAll(async () => {
    server = await startProcess({ wrap: (database) => counting(database, seen) });
    world = await startWorld(server.database);
    workspace = await world.workspace();
    api = client(server, workspace.ada.key);
    group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", { type: "textField", name: "Note" });
    await workspace.field(workspace.ada, group, "person", { type: "contactField", name: "Contacts" });
    person = (
      await api.post("/v1/people", { firstName: "Ada", groups: [{ id: group.id }], companies: [{ name: "Acme" }] })
    ).data.id;
  });

  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  /** The statements of a request whose key is known already. */
  async function statementsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
    await api.get("/v1/users/me");
    seen.length = 0;
    expect((await request()).status).toBe(200);
    // Asking for the key again, and noting its use, is not the request's own.
    return seen.filter((sql) => !/api_keys/.test(sql)).map((sql) => sql.slice(0, 80));
  }

  const withValues = { groups: [] as object[], customFieldValues: {} };
  const OPERATIONS: [what: string, count: number, request: () => Promise<{ status: number }>][] = [
    ["a person", 1, () => api.get(`/v1/people/${person}`)],
    ["a page of 100 people", 1, () => api.get("/v1/people?limit=100")],
    ["a page of 100 companies", 1, () => api.get("/v1/companies?limit=100")],
    ["the groups", 1, () => api.get("/v1/groups")],
    ["making a person", 3, () => api.post("/v1/people", { firstName: "New" })],
    // A look for the saved response, and its insert: the lock goes with the version.
    [
      "making a person with an Idempotency-Key",
      5,
      () => api.post("/v1/people", {}, { "Idempotency-Key": randomUUID() }),
    ],
    [
      "making a person in a group with a value",
      5,
      () =>
        api.post("/v1/people", {
          ...withValues,
          groups: [{ id: group.id }],
          customFieldValues: { [group.id]: { Note: "x" } },
        }),
    ],
    ["changing a person", 5, () => api.patch(`/v1/people/${person}`, { jobTitle: `${seen.length} ${Math.random()}` })],
    ["changing nothing of a person", 4, () => api.patch(`/v1/people/${person}`, {})],
    ["making a company", 5, () => api.post("/v1/companies", { name: `C ${Math.random()}` })],
    ["deleting a person", 7, async () => api.delete(`/v1/people/${await spare()}`)],
  ];
  const spares: string[] = [];
  const spare = async () => spares.pop() ?? "";

  it.each(OPERATIONS)("%s are %i", async (_, count, request) => {
    spares.push((await api.post("/v1/people", {})).data.id);
    const statements = await statementsOf(request);
    expect({ count: statements.length, statements }).toMatchObject({ count });
  });

  it("all of these are as many with 150 more records, in groups, with values and links", async () => {
    const counts = async () => {
      const all: number[] = [];
      for (const [, , request] of OPERATIONS) {
        spares.push((await api.post("/v1/people", {})).data.id);
        all.push((await statementsOf(request)).length);
      }
      return all;
    };
    const before = await counts();
    const records = Array.from({ length: 75 }, (_, i) => ({
      firstName: `P${i}`,
      groups: [{ id: group.id }],
      companies: [{ name: `Co ${i}` }],
      customFieldValues: { [group.id]: { Note: "x" } },
    }));
    expect((await api.post("/v1/people/batch/create", { records })).status).toBe(200);
    expect(await counts()).toEqual(before);
  });

  it("a batch of 100 are as many as those of a batch of 2, and a page that names other records has one more", async () => {
    const batch = (count: number) => () =>
      api.post("/v1/people/batch/create", {
        records: Array.from({ length: count }, () => ({
          groups: [{ id: group.id }],
          companies: [{ name: "Acme" }],
          customFieldValues: { [group.id]: { Note: "x" } },
        })),
      });
    const two = await statementsOf(batch(2));
    expect(await statementsOf(batch(100))).toEqual(two);
    await api.patch(`/v1/people/${person}`, { customFieldValues: { [group.id]: { Contacts: [{ id: person }] } } });
    expect(await statementsOf(() => api.get("/v1/people?limit=100"))).toHaveLength(2);
  });
});
