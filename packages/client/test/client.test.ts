import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../../../lab/harness/until.ts";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import { API_VERSION, type ContactWorkspaceClient, ContactWorkspaceError, createClient, unwrap } from "../src/index.ts";
import { type ClientWorld, startClientWorld } from "./client-world.ts";

const NOBODY = "per_00000000-0000-7000-8000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let world: ClientWorld;
let workspace: TestWorkspace;
let client: ContactWorkspaceClient;

beforeAll(async () => {
  world = await startClientWorld();
  workspace = await world.workspace();
  client = world.clientOf(workspace.ada, { headers: { "X-Program": "tests" } });
});
afterAll(() => world.stop());
beforeEach(() => {
  world.proxy.arrived.length = 0;
});

describe("A client", () => {
  it("creates, reads, changes, lists and deletes, each by the path of its operation", async () => {
    const made = await client.POST("/v1/people", { body: { fullName: "Grace Hopper" } });
    expect(made.data?.data.fullName).toBe("Grace Hopper");
    const params = { path: { personId: made.data?.data.id ?? "" } };
    const changed = await client.PATCH("/v1/people/{personId}", { params, body: { jobTitle: "Rear admiral" } });
    expect(changed.data?.data.jobTitle).toBe("Rear admiral");
    expect((await client.GET("/v1/people/{personId}", { params })).data).toEqual(changed.data);
    const listed = await client.GET("/v1/people", { params: { query: { limit: 1 } } });
    expect(listed.data?.data.items).toEqual([changed.data?.data]);
    expect((await client.DELETE("/v1/people/{personId}", { params })).data).toEqual({
      data: { id: params.path.personId },
    });
  });

  it("searches everything, counts, sorts and lists duplicates", async () => {
    const { ada } = await world.workspace();
    const other = world.clientOf(ada);
    const made: string[] = [];
    for (const gender of ["Female", "Male"] as const) {
      const body = { fullName: "Lin Antikythera", gender, emails: ["lin@antikythera.test"] };
      made.push((await unwrap(other.POST("/v1/people", { body }))).id);
    }
    const query = { q: "antikyth", types: ["person" as const], limit: 1 };
    const { items } = await unwrap(other.GET("/v1/search", { params: { query } }));
    expect(items).toMatchObject([{ id: made[1], entityType: "person", matched: [{ path: ["lastName"] }, {}, {}] }]);
    const counted = await unwrap(other.GET("/v1/people/aggregate", { params: { query: { groupBy: ["gender"] } } }));
    expect(counted.items.map(({ group, count }) => [group, count])).toEqual([
      [["Female"], 1],
      [["Male"], 1],
    ]);
    const sorted = await unwrap(other.GET("/v1/people", { params: { query: { sort: "-createdAt" } } }));
    expect(sorted.items.map(({ id }) => id)).toEqual(made.toReversed());
    await until("the two are a pair", async () => {
      const pairs = await unwrap(other.GET("/v1/people/duplicates"));
      return pairs.items.some(({ records }) => records.map(({ id }) => id).join() === made.join());
    });
  });

  it("encodes names in paths, whatever is in them", async () => {
    const group = await workspace.group(workspace.ada);
    const name = "50% *~'x'/{y} ü";
    await workspace.field(workspace.ada, group, "person", { name, type: "objectField" });
    const path = { groupId: group.id, objectType: name };
    const made = await unwrap(
      client.POST("/v1/groups/{groupId}/{objectType}", { params: { path }, body: { name: "First" } }),
    );
    const listed = await unwrap(client.GET("/v1/groups/{groupId}/{objectType}", { params: { path } }));
    expect(listed.items).toEqual([made]);
  });

  it("sends its key, its version and headers of one's own (docs/guides/conventions.md#version)", async () => {
    await client.GET("/v1/users/me");
    expect(world.proxy.arrived[0]?.headers).toMatchObject({
      authorization: `Bearer ${workspace.ada.key}`,
      "x-api-version": API_VERSION,
      "x-program": "tests",
    });
  });

  it("takes an address with slashes at its end, and none that is no address", async () => {
    const { ada } = workspace;
    const behindSlash = createClient({ baseUrl: `${world.proxy.url}//`, apiKey: ada.key });
    expect(behindSlash.baseUrl).toBe(world.proxy.url);
    expect((await unwrap(behindSlash.GET("/v1/users/me"))).id).toBe(ada.id);
  });

  it("takes an address as a path of the API begins with it, and behind a path of a proxy", async () => {
    const { url } = world.proxy;
    for (const baseUrl of [`${url}/v1`, `${url}/v1/`, ` ${url}/v1//\n`, url.replace("http", "HTTP")]) {
      const one = createClient({ baseUrl, apiKey: workspace.ada.key });
      expect([baseUrl, one.baseUrl]).toEqual([baseUrl, url]);
      expect((await unwrap(one.GET("/v1/users/me"))).id).toBe(workspace.ada.id);
    }
    for (const [given, taken] of [
      ["https://host.test/api/v1/", "https://host.test/api"],
      ["https://host.test/api", "https://host.test/api"],
      ["https://host.test/dev1", "https://host.test/dev1"],
      ["https://host.test/V1", "https://host.test/V1"],
      ["https://[::1]:3000/v1", "https://[::1]:3000"],
    ] as const)
      expect(createClient({ baseUrl: given, apiKey: "" }).baseUrl).toBe(taken);
  });

  it("takes nothing that is no address of a server, and says what is wrong with it", () => {
    for (const [baseUrl, words] of [
      ["contacts.example.test", "no absolute address"],
      ["localhost:3000", "no absolute address"],
      ["/v1", "no absolute address"],
      ["", "no absolute address"],
      ["ftp://host.test", "no absolute address"],
      ["https:host.test", "no absolute address"],
      ["https://", "no absolute address"],
      ["https://host.test/?x=1", "a query or a fragment"],
      ["https://host.test/v1#", "a query or a fragment"],
      ["https://user:secret@host.test", "a user or a password"],
    ] as const) {
      const make = () => createClient({ baseUrl, apiKey: "" });
      expect(make).toThrow(words);
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow("secret");
    }
  });
});

describe("Writes", () => {
  const keys = () => world.proxy.arrived.map(({ headers }) => headers["idempotency-key"]);

  it("carry a key of their own, a new one each (docs/guides/idempotency.md#keys)", async () => {
    const { id } = await unwrap(client.POST("/v1/people", { body: { fullName: "Ada" } }));
    const params = { path: { personId: id } };
    await client.PATCH("/v1/people/{personId}", { params, body: {} });
    await client.DELETE("/v1/people/{personId}", { params });
    expect(keys()).toEqual([1, 2, 3].map(() => expect.stringMatching(UUID)));
    expect(new Set(keys()).size).toBe(3);
  });

  it("carry the caller's key where there is one, so a call that is repeated is made once", async () => {
    const header = { "Idempotency-Key": "make-hedy" };
    const make = () => client.POST("/v1/people", { params: { header }, body: { fullName: "Hedy Lamarr" } });
    const [first, second] = [await make(), await make()];
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get("Idempotent-Replayed")).toBe("true");
    expect(keys()).toEqual(["make-hedy", "make-hedy"]);
  });

  it("are not what reads, so reads and searches carry none", async () => {
    const group = await workspace.group(workspace.ada, { name: "Searched" });
    await workspace.field(workspace.ada, group, "person", { name: "Deals", type: "objectField" });
    const path = { groupId: group.id, objectType: "Deals" };
    await client.GET("/v1/people");
    await client.POST("/v1/people/search", {});
    await client.POST("/v1/people/aggregate", { body: { groupBy: ["gender"] } });
    await client.POST("/v1/companies/search", { body: { filter: { name: { eq: "Acme" } } } });
    const { response } = await client.POST("/v1/groups/{groupId}/{objectType}/search", { params: { path } });
    expect(response.status).toBe(200);
    expect(keys()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('carry one also when they make an object of a type named "search"', async () => {
    const group = await workspace.group(workspace.ada, { name: "Searches" });
    await workspace.field(workspace.ada, group, "person", { name: "search", type: "objectField" });
    const path = { groupId: group.id, objectType: "search" };
    await unwrap(client.POST("/v1/groups/{groupId}/{objectType}", { params: { path }, body: { name: "One" } }));
    expect(keys()).toEqual([expect.stringMatching(UUID)]);
  });
});

describe("An error (docs/guides/errors.md#the-error-body)", () => {
  it("is told beside data, and thrown nowhere", async () => {
    const { data, error, response } = await client.GET("/v1/people/{personId}", {
      params: { path: { personId: NOBODY } },
    });
    expect({ data, code: error?.error.code, status: response.status }).toEqual({
      data: undefined,
      code: "RESOURCE_NOT_FOUND",
      status: 404,
    });
  });

  it("is thrown by unwrap, with everything that the server tells", async () => {
    const call = unwrap(client.POST("/v1/people", { body: { fullName: "x", birthday: "2025-02-30" } }));
    const error = await caught(call);
    expect(error).toBeInstanceOf(ContactWorkspaceError);
    expect(error).toMatchObject({
      name: "ContactWorkspaceError",
      code: "UNPROCESSABLE_ENTITY",
      status: 422,
      requestId: expect.stringMatching(UUID),
      issues: [{ code: "invalid_string", path: ["birthday"] }],
      details: { issues: [{ code: "invalid_string" }] },
      documentationUrl: `${world.proxy.url}/docs/errors#unprocessable-entity`,
      retryAfterS: undefined,
    });
    expect(error.message).toContain("birthday");
  });

  it("tells how long to wait, and holds no key", async () => {
    const body = { error: { code: "TOO_MANY_REQUESTS", message: "Later." } };
    world.proxy.faults.push({ answer: { status: 429, headers: { "Retry-After": "7" }, body } });
    const error = await caught(unwrap(world.clientOf(workspace.ada, { maxRetries: 0 }).GET("/v1/users/me")));
    expect(error).toMatchObject({ code: "TOO_MANY_REQUESTS", retryAfterS: 7, issues: [] });
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(workspace.ada.key);
  });

  it.each([
    ["of a proxy, with a page", { status: 403, headers: { "Content-Type": "text/html" } }],
    ["without a body", { status: 400, headers: { "Content-Length": "0" } }],
    ["with JSON of somebody else", { status: 404, body: { error: "no such page" } }],
    ["with an error of somebody else", { status: 404, body: { error: { reason: "no such page" } } }],
    ["with no error in its error", { status: 404, body: { error: null } }],
    ["that is no error, and has no data", { status: 200, body: { hello: "world" } }],
  ])("%s is an unexpected answer", async (_, answer) => {
    world.proxy.faults.push({ answer });
    const error = await caught(unwrap(client.GET("/v1/users/me")));
    expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER", status: answer.status, requestId: undefined });
    expect(error.message).toContain(String(answer.status));
  });
});

async function caught(call: Promise<unknown>): Promise<ContactWorkspaceError> {
  try {
    await call;
  } catch (error) {
    return error as ContactWorkspaceError;
  }
  throw new Error("Nothing was thrown.");
}
