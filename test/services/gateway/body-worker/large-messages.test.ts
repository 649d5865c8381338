import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LARGE_BODY_BYTES } from "../../../../config/limits.ts";
import { startWorld, type World } from "../../../../lab/harness/world.ts";
import { type Assistant, assistant } from "../../../support/assistant.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

let server: TestServer;
let world: World;
let small: Assistant;
let large: Assistant;

beforeAll(async () => {
  server = await startProcess();
  world = await startWorld(server.database);
  const { ada } = await world.workspace();
  small = await assistant(server, ada.key);
  large = await assistant(server, ada.key, { padding: LARGE_BODY_BYTES });
});

afterAll(async () => {
  await Promise.all([small.close(), large.close()]);
  await world.stop();
  await server.stop();
});

/** What a body says, without what differs from call to call. */
const saying = (body: unknown) => JSON.stringify(body).replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '"$1":""');

describe("A message that a worker reads (docs/guides/assistants.md#arguments)", () => {
  it.each<[tool: string, args: object]>([
    ["search_people", { filter: { firstName: { eq: "Nobody" } }, limit: 3 }],
    ["search_people", { filter: 7, limit: "x", nobody: 1 }],
    ["search_people", { cursor: "none" }],
    ["create_person", { firstName: 7, idempotencyKey: "not ok" }],
    ["create_people", { records: "none" }],
    ["get_person", { personId: `per_${randomUUID()}` }],
    ["delete_person", { personId: "x" }],
  ])("is answered as a small one is: %s %j", async (tool, args) => {
    expect(saying((await large.call(tool, args)).body)).toBe(saying((await small.call(tool, args)).body));
  });

  it("lists the tools", async () => {
    expect((await large.client.listTools()).tools).toEqual((await small.client.listTools()).tools);
  });

  it("is the same call as a small one for its key, and another one when it says something else", async () => {
    const call = (who: Assistant, firstName: string, idempotencyKey: string) =>
      who.call("create_person", { firstName, idempotencyKey });
    const key = randomUUID();
    const { data } = await call(small, "Ada", key);
    expect((await call(large, "Ada", key)).data.id).toBe(data.id);
    expect((await call(large, "Bob", key)).error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

describe("A large result (docs/guides/assistants.md#results)", () => {
  const description = `"$&" \\ \n é ${"x".repeat(4000)}`;
  const records = Array.from({ length: 40 }, (_, i) => ({ firstName: "Many", lastName: `Number ${i}`, description }));

  it("of many records is shortened to ids", async () => {
    const { results } = await small.call("create_people", { records });
    expect(results).toHaveLength(40);
    expect(Object.keys(results[0] ?? {})).toEqual(["id", "status"]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(40);
  });

  it("is the page that a list answers, as text and as a value", async () => {
    const { items } = await small.call("search_people", { filter: { firstName: { eq: "Many" } }, limit: 40 });
    expect(items.map((item) => item.description)).toEqual(Array(40).fill(description));
  });
});
