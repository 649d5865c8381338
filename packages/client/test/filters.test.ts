import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestGroup } from "../../../lab/harness/world.ts";
import { type ContactWorkspaceClient, type components, customField, serializeQuery, unwrap } from "../src/index.ts";
import { type ClientWorld, startClientWorld } from "./client-world.ts";

type PersonFilter = components["schemas"]["PersonFilter"];

let world: ClientWorld;
let client: ContactWorkspaceClient;
let group: TestGroup;
let email: string;

beforeAll(async () => {
  world = await startClientWorld();
  const workspace = await world.workspace();
  client = world.clientOf(workspace.ada);
  ({ email } = workspace.ada);
  group = await workspace.group(workspace.ada);
  const field = (name: string, type: string) => workspace.field(workspace.ada, group, "person", { name, type });
  await field("Price [net] & 50%", "numericField");
  await field("Deals", "objectField");
  await workspace.field(workspace.ada, group, "Deals", { name: "Stage.x", type: "textField" });
  const values = { [group.id]: { "Price [net] & 50%": 10.5 } };
  const records = [
    { fullName: "Ada", jobTitle: "CEO", birthday: "1815-12-10", gender: "Female" as const },
    { fullName: "Bob & Söhne", emails: ["bob+1@acme.test"], groups: [{ id: group.id }], customFieldValues: values },
    { fullName: "Carl", groups: [{ id: group.id }] },
  ];
  await unwrap(client.POST("/v1/people/batch/create", { body: { records } }));
  const path = { groupId: group.id, objectType: "Deals" };
  const body = { name: "First", customFieldValues: { "Stage.x": "won" } };
  await unwrap(client.POST("/v1/groups/{groupId}/{objectType}", { params: { path }, body }));
});
afterAll(() => world.stop());

describe("Filters (docs/guides/filters.md)", () => {
  const FILTERS: [what: string, filter: () => PersonFilter, found: string[]][] = [
    ["a text", () => ({ jobTitle: { eq: "CEO" } }), ["Ada"]],
    [
      "a text with characters of URLs",
      () => ({ fullName: { like: "b & s" }, emails: { eq: "bob+1@acme.test" } }),
      ["Bob & Söhne"],
    ],
    ["a date between two", () => ({ birthday: { gt: "1815-01-01", lt: "1816-01-01" } }), ["Ada"]],
    ["a choice", () => ({ gender: { not_in: ["Unknown", "Male"] } }), ["Ada"]],
    ["no value", () => ({ groups: { empty: true } }), ["Ada"]],
    ["a reference", () => ({ groups: { in: { id: group.id } } }), ["Bob & Söhne", "Carl"]],
    ["several references", () => ({ groups: { all: { id: [group.id] } } }), ["Bob & Söhne", "Carl"]],
    ["a user by e-mail address", () => ({ createdBy: { not_in: { email: [email] } } }), []],
    ["a custom field", () => ({ [customField(group.id, "Price [net] & 50%")]: { gt: 10, lt: "11" } }), ["Bob & Söhne"]],
    ["a condition that is left out", () => ({ fullName: { eq: undefined, like: "arl" } }), ["Carl"]],
  ];

  it.each(FILTERS)("by %s find the same in a list and in a search", async (_, filter, found) => {
    const listed = await unwrap(client.GET("/v1/people", { params: { query: { filter: filter() } } }));
    const searched = await unwrap(client.POST("/v1/people/search", { body: { filter: filter() } }));
    expect(listed.items.map(({ fullName }) => fullName)).toEqual(found);
    expect(searched.items).toEqual(listed.items);
  });

  it("of objects name a custom field without its group", async () => {
    const path = { groupId: group.id, objectType: "Deals" };
    const stage = (value: string) => ({ filter: { [customField("Stage.x")]: { eq: value } } });
    const list = async (value: string) =>
      (await unwrap(client.GET("/v1/groups/{groupId}/{objectType}", { params: { path, query: stage(value) } }))).items;
    expect((await list("won")).map(({ name }) => name)).toEqual(["First"]);
    expect(await list("lost")).toEqual([]);
  });

  it("of tasks and enrichments are those of their lists", async () => {
    const filter = { dueAt: { lt: "2031-01-01" }, completedAt: { empty: true as const } };
    const tasks = await unwrap(client.GET("/v1/tasks", { params: { query: { filter, onlyAssignedToMe: "true" } } }));
    expect(tasks.items).toEqual([]);
    const query = { filter: { status: { in: ["failed" as const, "cancelled" as const] } } };
    expect((await unwrap(client.GET("/v1/enrichments", { params: { query } }))).items).toEqual([]);
  });

  it("with an empty list are refused, because without the condition every record would pass", async () => {
    const query = { filter: { groups: { in: { id: [] } } } };
    await expect(client.GET("/v1/people", { params: { query } })).rejects.toThrow(
      "filter[groups][in][id] is an empty list",
    );
  });
});

describe("A query", () => {
  it.each<[object, string]>([
    [{ limit: 5, cursor: undefined }, "limit=5"],
    [{ "entity.id": "per_1" }, "entity.id=per_1"],
    [{ types: ["person.created", "note.created"] }, "types=person.created&types=note.created"],
    [{ importedTypes: [] }, "importedTypes="],
    [{ query: "a&b=c d" }, "query=a%26b%3Dc%20d"],
    [{ filter: { groups: { empty: true } } }, "filter[groups][empty]=true"],
    [{ filter: { a: { in: [1, "2"] }, b: { eq: null } } }, "filter[a][in]=1&filter[a][in]=2"],
    [{ filter: { "x [y]": { eq: "é" } } }, "filter[x%20%5By%5D][eq]=%C3%A9"],
    [{ filter: {} }, ""],
  ])("%j is written %s", (query, written) => {
    expect(serializeQuery({ ...query })).toBe(written);
  });

  it("with an empty list is taken by a list that knows it (docs/guides/interactions.md#lists)", async () => {
    const { response } = await client.GET("/v1/interactions", { params: { query: { importedTypes: [] } } });
    expect([response.status, world.proxy.arrived.at(-1)?.path]).toEqual([200, "/v1/interactions?importedTypes="]);
  });
});
