import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { Answer } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf } from "./batch-results.ts";

/** The header of a request under a key, a new one unless it is given. */
const keyed = (key = randomUUID()) => ({ "Idempotency-Key": key });

const isReplay = ({ headers }: Answer) => headers["idempotent-replayed"] === "true";

/** What a replay repeats. */
const said = ({ status, text, headers }: Answer) => ({ status, text, type: headers["content-type"] });

const reused = (answer: Answer) => [answer.status, answer.error.code];
const REUSED = [422, "IDEMPOTENCY_KEY_REUSED"];

// docs/guides/idempotency.md. Keys, what is saved, races and faults have files of their own.
describeServer("A write with an Idempotency-Key", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const count = async (path = "/v1/people") => (await api.all(path)).length;
    return { ...workspace, api, count };
  }

  it("runs once; every retry has its status and bytes, and a request id of its own (docs/guides/idempotency.md#replays)", async () => {
    const { api, count } = await setUp();
    const headers = keyed();
    const send = () => api.post("/v1/people", { firstName: "Ada" }, headers);
    const first = await send();
    expect([first.status, first.headers["idempotent-replayed"]]).toEqual([200, undefined]);
    const retries = [await send(), ...(await Promise.all(Array.from({ length: 100 }, send)))];
    for (const retry of retries) expect([said(retry), isReplay(retry)]).toEqual([said(first), true]);
    const requestIds = [first, ...retries].map((answer) => answer.headers["x-request-id"]);
    expect(new Set(requestIds).size).toBe(102);
    expect(await count()).toBe(1);
  });

  it("repeats an error with the request id that the body had first (docs/guides/idempotency.md#replays)", async () => {
    const { api } = await setUp();
    const headers = keyed();
    const path = `/v1/people/per_${randomUUID()}`;
    const [first, again] = [await api.delete(path, undefined, headers), await api.delete(path, undefined, headers)];
    expect([first.status, said(again), isReplay(again)]).toEqual([404, said(first), true]);
    expect(again.text).toContain(`"requestId":"${first.headers["x-request-id"]}"`);
    expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  describe("is the same request (docs/guides/idempotency.md#what-makes-two-requests-the-same)", () => {
    it("in another spelling of the same JSON", async () => {
      const { api, ada, group, field, count } = await setUp();
      const { id } = await group(ada);
      await field(ada, { id, name: "", visibility: "private" }, "person", { type: "numericField", name: "Amount" });
      const headers = keyed();
      const send = (body: string) => api.post("/v1/people", body, headers);
      const values = `"groups":[{"id":"${id}"}],"customFieldValues":{"${id}":{"Amount"`;
      const first = await send(`{"firstName":"Ada","emails":["a@x","b@x"],${values}:1}}}`);
      expect(first.status).toBe(200);
      for (const same of [
        `{"emails":["a@x","b@x"],${values}:1}},"firstName":"Ada"}`,
        `\r\n{ "firstName" : "\\u0041da",\t"emails" : [ "a@x", "b\\u0040x" ], ${values}: 1 } } } `,
        `{"firstName":"Ada","emails":["a@x","b@x"],${values}:1.0}}}`,
        `{"firstName":"Bob","firstName":"Ada","emails":["a@x","b@x"],${values}:10e-1}}}`,
      ]) {
        const again = await send(same);
        expect([again.text, isReplay(again)]).toEqual([first.text, true]);
      }
      expect(await count()).toBe(1);
    });

    it("with no body, an empty one, and {}", async () => {
      const { api } = await setUp();
      const person = `/v1/people/${(await api.post("/v1/people")).data.id}`;
      const headers = keyed();
      const first = await api.delete(person, undefined, headers);
      expect([first.status, isReplay(first)]).toEqual([200, false]);
      for (const body of ["{}", "", " { } ", undefined]) {
        const again = await api.delete(person, body, { ...headers, "Content-Type": "application/json" });
        expect([body, again.text, isReplay(again)]).toEqual([body, first.text, true]);
      }
    });

    it("with the parameters of its query in another order, its path encoded in another way, and either name of the version", async () => {
      const { api } = await setUp();
      const headers = keyed();
      const send = (path: string, more = {}) => api.post(path, {}, { ...headers, ...more });
      const first = await send("/v1/people?a=1&b=2&a=3");
      for (const [path, more] of [
        ["/v1/people?b=2&a=1&a=3", {}],
        ["/v1/%70eople?a=1&%62=%32&a=3", {}],
        ["/v1/people?a=1&b=2&a=3", { "X-API-Version": "2025-06-09" }],
        ["/v1/people?a=1&b=2&a=3", { "X-API-Version": "2025-05-26" }],
      ] as const) {
        const again = await send(path, more);
        expect([path, again.text, isReplay(again)]).toEqual([path, first.text, true]);
      }
      expect(reused(await send("/v1/people?a=3&b=2&a=1"))).toEqual(REUSED);
    });
  });

  it("is refused when it is another request, runs nothing, and the first one is replayed afterwards (docs/guides/idempotency.md#reuse)", async () => {
    const { api, count } = await setUp();
    const [one, other] = [await api.post("/v1/people", {}), await api.post("/v1/people", {})].map(
      ({ data }) => data.id,
    );
    const headers = keyed();
    const send = (method: string, path: string, body?: unknown) => api.request(method, path, body, headers);
    const first = await send("PATCH", `/v1/people/${one}`, { emails: ["a@x", "b@x"] });
    const before = await api.get("/v1/people");
    const others: [method: string, path: string, body?: unknown][] = [
      ["PATCH", `/v1/people/${one}`, { emails: ["b@x", "a@x"] }],
      ["PATCH", `/v1/people/${one}`, { emails: ["a@x"] }],
      ["PATCH", `/v1/people/${one}`, { emails: ["a@x", "b@x"], jobTitle: "" }],
      ["PATCH", `/v1/people/${one}`, {}],
      ["PATCH", `/v1/people/${other}`, { emails: ["a@x", "b@x"] }],
      ["PATCH", `/v1/people/${one}?x=`, { emails: ["a@x", "b@x"] }],
      ["DELETE", `/v1/people/${one}`],
      ["POST", "/v1/people", { emails: ["a@x", "b@x"] }],
      ["POST", "/v1/companies", { name: "Acme" }],
      ["POST", "/v1/people/batch/delete", { records: [{ id: one }] }],
    ];
    for (const request of others) expect([request, reused(await send(...request))]).toEqual([request, REUSED]);
    const again = await send("PATCH", `/v1/people/${one}`, { emails: ["a@x", "b@x"] });
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
    expect([await count(), await count("/v1/companies")]).toEqual([2, 0]);
    expect((await api.get("/v1/people")).items).toEqual(before.items);
  });

  it("is not run again although what it made is gone, and does not bring it back (docs/guides/idempotency.md#replays)", async () => {
    const { api } = await setUp();
    const headers = keyed();
    const first = await api.post("/v1/people", { firstName: "Ada" }, headers);
    await api.delete(`/v1/people/${first.data.id}`);
    const again = await api.post("/v1/people", { firstName: "Ada" }, headers);
    expect([said(again), isReplay(again)]).toEqual([said(first), true]);
    expect((await api.get(`/v1/people/${first.data.id}`)).status).toBe(404);
  });

  it("may be a batch of 100, which is replayed with its failed records (docs/guides/batches.md#requests)", async () => {
    const { api, count } = await setUp();
    const records = Array.from({ length: 100 }, (_, i) => ({ firstName: i % 15 === 3 ? "\ud800" : `P${i}` }));
    const headers = keyed();
    const first = await api.post("/v1/people/batch/create", { records }, headers);
    expect(outcomesOf(first).filter((outcome) => outcome !== "succeeded")).toHaveLength(7);
    const again = await api.post("/v1/people/batch/create", { records }, headers);
    expect([said(again), isReplay(again)]).toEqual([said(first), true]);
    expect(await count()).toBe(93);
  });
});
