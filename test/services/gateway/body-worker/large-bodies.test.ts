import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { BODY_VALUES_MAX, LARGE_BODY_BYTES } from "../../../../config/limits.ts";
import { startWorld, type TestGroup, type World } from "../../../../lab/harness/world.ts";
import { type Answer, type Client, client } from "../../../support/client.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

let server: TestServer;
let world: World;
let api: Client;
let group: TestGroup;
let person: string;

beforeAll(async () => {
  server = await startProcess();
  world = await startWorld(server.database);
  const workspace = await world.workspace();
  const { ada } = workspace;
  api = client(server, ada.key);
  group = await workspace.group(ada);
  await workspace.field(ada, group, "person", { type: "numericField", name: "Amount" });
  person = `/v1/people/${(await api.post("/v1/people", { groups: [{ id: group.id }] })).data.id}`;
});

afterAll(async () => {
  await world.stop();
  await server.stop();
});

/** The same JSON, which white space makes so large that a worker reads it. */
const padded = (text: string) => `${" ".repeat(LARGE_BODY_BYTES)}${text}`;

/** What an answer says, without what differs from request to request. */
const saying = ({ status, body }: Answer) =>
  JSON.stringify([status, body]).replaceAll(/"(requestId|timestamp|updatedAt)":"[^"]*"/g, '"$1":""');

describe("A body that a worker reads (docs/guides/conventions.md#bodies)", () => {
  const values = (written: string) => `{"customFieldValues":{"${group.id}":{${written}}}}`;

  it.each<[what: string, text: () => string]>([
    ["texts", () => JSON.stringify({ firstName: 'Ada \ud83d\ude00 "\\ \u2028', emails: ["a@b.test", "é"] })],
    ["exact numbers", () => values('"Amount":12345678901234567890.0123456789')],
    ["numbers", () => values('"Amount":1.50e1')],
    ["a text that pretends to be an exact number", () => '{"firstName":"\\ud800#1"}'],
    ["faults", () => '{"firstName":7,"emails":[1,"x"],"nobody":1,"companies":[{"x":1},{"id":"1"}]}'],
    ["unknown names", () => '{"__proto__":{"firstName":"Eve"},"constructor":1}'],
    ["unknown names of custom fields", () => values('"__proto__":"x","toString":1')],
    ["a member twice", () => '{"firstName":"first","firstName":"last"}'],
    ["a list", () => "[1,2,3]"],
    ["null", () => "null"],
    ["no JSON", () => '{"firstName":'],
    ["65 levels", () => `${"[".repeat(65)}${"]".repeat(65)}`],
    ["lists that are too long", () => JSON.stringify({ emails: Array.from({ length: 3000 }, (_, i) => i) })],
  ])("is answered as a small one is: %s", async (_, text) => {
    const [small, large] = [
      await api.request("PATCH", person, text()),
      await api.request("PATCH", person, padded(text())),
    ];
    // What is not JSON is told with its position.
    const position = / \(?(at position|line).*?(?=")/;
    expect(saying(large).replace(position, "")).toBe(saying(small).replace(position, ""));
  });

  it("is 400 when it is not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from(padded('{"firstName":"')), Buffer.from([0xff]), Buffer.from('"}')]);
    expect((await api.request("PATCH", person, bytes)).status).toBe(400);
  });

  it("keeps a batch of a megabyte as it was sent, in order", async () => {
    const records = Array.from({ length: 100 }, (_, i) => ({
      firstName: `Person ${i}`,
      description: "é\n".repeat(2000),
      emails: Array.from({ length: 20 }, (_, j) => `${"x".repeat(200)}-${i}-${j}@example.test`),
    }));
    const { body } = await api.post("/v1/people/batch/create", { records });
    const results = (body as { data: { results: { data: object }[] } }).data.results;
    expect(results.map(({ data }) => data)).toMatchObject(records);
  });

  it("is the same request as a small one for its Idempotency-Key, and another one when it says something else", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    const text = (name: string) => `{"firstName":"${name}","description":"d"}`;
    const first = await api.request("POST", "/v1/people", text("Ada"), headers);
    const again = await api.request("POST", "/v1/people", padded('{"description":"d","firstName":"Ada"}'), headers);
    expect([again.status, again.data.id]).toEqual([200, first.data.id]);
    expect((await api.request("POST", "/v1/people", padded(text("Bob")), headers)).error.code).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
  });

  it("of a search has the cursors of a small one", async () => {
    for (let i = 0; i < 3; i++) await api.post("/v1/people", { firstName: "Searched" });
    const search = '{"filter":{"firstName":{"eq":"Searched"}}}';
    const page = await api.request("POST", "/v1/people/search?limit=1", padded(search));
    expect(page.items).toHaveLength(1);
    const cursor = new URL(page.nextLink ?? "").searchParams.get("cursor");
    const next = (text: string) => api.request("POST", `/v1/people/search?limit=1&cursor=${cursor}`, text);
    expect((await next(padded(search))).text).toBe((await next(search)).text);
    expect((await next(padded('{"filter":{"firstName":{"eq":"Other"}}}'))).issues).toMatchObject([
      { path: ["cursor"] },
    ]);
  });

  it("is refused where an operation takes none", async () => {
    expect((await api.request("DELETE", person, padded('{"a":1}'))).issues).toMatchObject([
      { code: "unrecognized_keys" },
    ]);
    expect((await api.get(person)).status).toBe(200);
  });

  it("tells the faults of its query too", async () => {
    const answer = await api.request("POST", "/v1/people/search?limit=x", padded('{"filter":7}'));
    expect(answer.issues.map(({ path }) => path)).toEqual([["limit"], ["filter"]]);
  });
});

describe(`More than ${BODY_VALUES_MAX} members and elements (docs/guides/limits.md#sizes)`, () => {
  const elements = (count: number) => `{"emails":[${Array(count).fill(0).join()}]}`;

  it("are 413, and as many are read", async () => {
    expect((await api.request("PATCH", person, elements(BODY_VALUES_MAX - 1))).status).toBe(422);
    const { status, error } = await api.request("PATCH", person, elements(BODY_VALUES_MAX));
    expect([status, error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});
