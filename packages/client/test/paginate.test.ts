import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestGroup, TestWorkspace } from "../../../lab/harness/world.ts";
import { type ContactWorkspaceClient, createClient, paginate, unwrap } from "../src/index.ts";
import { type ClientWorld, impatientClock, startClientWorld } from "./client-world.ts";

let world: ClientWorld;
let workspace: TestWorkspace;
let client: ContactWorkspaceClient;
let group: TestGroup;

const NAMES = ["Ada & Co", "Grace=Hopper", "Hedy #1", "Mary+Ann", "Élodie [x]"];

beforeAll(async () => {
  world = await startClientWorld();
  workspace = await world.workspace();
  client = world.clientOf(workspace.ada);
  group = await workspace.group(workspace.ada, { name: "Sales" });
  await workspace.field(workspace.ada, group, "person", { name: "Deals & more", type: "objectField" });
  const path = { groupId: group.id, objectType: "Deals & more" };
  await unwrap(client.POST("/v1/people/batch/create", { body: { records: NAMES.map((fullName) => ({ fullName })) } }));
  for (const name of NAMES)
    await unwrap(client.POST("/v1/groups/{groupId}/{objectType}", { params: { path }, body: { name } }));
});
afterAll(() => world.stop());

async function all<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe("Pages (docs/guides/lists.md#pages)", () => {
  it("are read one after the other, as far as they are asked for", async () => {
    world.proxy.arrived.length = 0;
    const people = paginate(client, "/v1/people", { params: { query: { limit: 2 } } });
    expect((await all(people)).map(({ fullName }) => fullName)).toEqual(NAMES);
    expect(world.proxy.arrived).toHaveLength(3);
    for await (const { fullName } of people) if (fullName === NAMES[1]) break;
    expect(world.proxy.arrived).toHaveLength(4);
  });

  it("are given as they are, with what stands beside their entries", async () => {
    const pages = await all(paginate(client, "/v1/people", { params: { query: { limit: 2 } } }).pages());
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    const [page] = await all(paginate(client, "/v1/events", { params: { query: { limit: 3 } } }).pages());
    expect(page?.items[0]?.type).toBe("person.created");
    expect(page?.cursor).toEqual(expect.any(String));
  });

  it("keep the filter, also with characters that mean something in a URL", async () => {
    const query = { limit: 1, combinator: "or" as const, filter: { fullName: { like: "&" }, lastName: { eq: "#1" } } };
    const found = await all(paginate(client, "/v1/people", { params: { query } }));
    expect(found.map(({ fullName }) => fullName)).toEqual(["Ada & Co", "Hedy #1"]);
  });

  it("of objects lead back to their path", async () => {
    const path = { groupId: group.id, objectType: "Deals & more" };
    const found = await all(
      paginate(client, "/v1/groups/{groupId}/{objectType}", { params: { path, query: { limit: 2 } } }),
    );
    expect(found.map(({ name }) => name)).toEqual(NAMES);
  });

  it("of a search get its body again, and headers of one's own", async () => {
    world.proxy.arrived.length = 0;
    const found = await all(
      paginate(client, "/v1/people/search", {
        params: { query: { limit: 2 }, header: { "X-API-Version": "2025-05-26" } },
        body: { filter: { fullName: { not_eq: "Hedy #1" } } },
      }),
    );
    expect(found).toHaveLength(4);
    expect(new Set(world.proxy.arrived.map(({ body }) => body)).size).toBe(1);
    expect(world.proxy.arrived.map(({ headers }) => headers["x-api-version"])).toEqual(["2025-05-26", "2025-05-26"]);
  });

  it("are read again from the first when the list is walked again", async () => {
    const people = paginate(client, "/v1/people");
    expect(await all(people)).toEqual(await all(people));
  });

  it("are sent again like every request", async () => {
    world.proxy.faults.push("answer lost", "dropped");
    const patient = world.clientOf(workspace.ada, { clock: impatientClock() });
    expect(await all(paginate(patient, "/v1/people", { params: { query: { limit: 2 } } }))).toHaveLength(NAMES.length);
    expect(world.proxy.faults).toEqual([]);
  });

  it("throw the error of the server, after the entries that have been read", async () => {
    const seen: string[] = [];
    const walk = async () => {
      for await (const { fullName } of paginate(client, "/v1/people", { params: { query: { limit: 2 } } })) {
        seen.push(fullName);
        if (seen.length === 2) world.proxy.faults.push({ answer: { status: 500 } });
      }
    };
    await expect(walk()).rejects.toMatchObject({ name: "ContactWorkspaceError", status: 500 });
    expect(seen).toEqual(NAMES.slice(0, 2));
    await expect(all(paginate(client, "/v1/people", { params: { query: { limit: 1000 } } }))).rejects.toMatchObject({
      status: 422,
    });
  });

  it("end with the signal of the caller", async () => {
    const caller = new AbortController();
    const walk = async () => {
      for await (const _ of paginate(client, "/v1/people", { params: { query: { limit: 1 } }, signal: caller.signal }))
        caller.abort(new Error("no longer wanted"));
    };
    await expect(walk()).rejects.toThrow("no longer wanted");
  });

  it("are not followed to another address, where the key has no business: PUBLIC_URL is what clients use", async () => {
    world.proxy.arrived.length = 0;
    const elsewhere = createClient({ baseUrl: world.serverUrl, apiKey: workspace.ada.key });
    const walk = all(paginate(elsewhere, "/v1/people", { params: { query: { limit: 2 } } }));
    await expect(walk).rejects.toThrow(/PUBLIC_URL/);
    await expect(walk).rejects.toThrow(world.proxy.url);
    await expect(walk).rejects.toThrow(world.serverUrl);
    expect(world.proxy.arrived).toEqual([]);
  });

  it("are not followed to an address that only begins like the client's", async () => {
    const body = {
      data: { items: [], pagination: { nextLink: `${world.proxy.url}@example.test/v1/people?cursor=x` } },
    };
    world.proxy.faults.push({ answer: { status: 200, body } });
    await expect(all(paginate(client, "/v1/people"))).rejects.toThrow(/PUBLIC_URL/);
  });
});
