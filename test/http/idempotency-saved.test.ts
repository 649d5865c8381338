import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { SAVED_RESPONSE_BYTES_MAX } from "../../config/limits.ts";
import type { Answer } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { recordsOf } from "./batch-results.ts";

const isReplay = ({ headers }: Answer) => headers["idempotent-replayed"] === "true";

// docs/guides/idempotency.md#what-is-saved, docs/guides/idempotency.md#what-is-not-saved
describeServer("Under an Idempotency-Key", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const home = await workspace.group(ada);
    const headers = { "Idempotency-Key": randomUUID() };
    /** Sends a request under the one key of the scene, unless `more` has another. */
    const send = (method: string, path: string, body?: unknown, more = {}) =>
      api.request(method, path, body, { ...headers, ...more });
    return { ...workspace, api, home, headers, send };
  }

  describe("nothing is kept of what was refused before it ran (docs/guides/idempotency.md#what-is-not-saved)", () => {
    it.each<[what: string, status: number, method: string, path: string, body: unknown, headers: object]>([
      ["an unsupported version", 400, "POST", "/v1/people", {}, { "X-API-Version": "1999-01-01" }],
      ["broken JSON", 400, "POST", "/v1/people", "{", {}],
      ["another content type", 400, "POST", "/v1/people", "{}", { "Content-Type": "text/plain" }],
      ["no API key", 401, "POST", "/v1/people", {}, { Authorization: undefined }],
      ["an unknown path", 404, "POST", "/v1/persons", {}, {}],
      ["a method that is not there", 405, "PATCH", "/v1/people", {}, {}],
      ["a body that is too large", 413, "POST", "/v1/people", `"${"x".repeat(10 * 1024 * 1024)}"`, {}],
      ["a body against its schema", 422, "POST", "/v1/people", { firstName: 1 }, {}],
      ["a path against its schema", 422, "DELETE", "/v1/people/per_1", undefined, {}],
    ])("%s: %i", async (_, status, method, path, body, more) => {
      const { send } = await setUp();
      expect((await send(method, path, body, more)).status).toBe(status);
      const corrected = await send("POST", "/v1/people", { firstName: "Ada" });
      expect([corrected.status, isReplay(corrected)]).toEqual([200, false]);
    });

    it("a read key: 403", async () => {
      const { api, ada, key, send, headers } = await setUp();
      const reader = scene.api((await key(ada, { access: "read" })).key);
      expect((await reader.post("/v1/people", {}, headers)).status).toBe(403);
      expect(isReplay(await send("POST", "/v1/people", {}))).toBe(false);
      expect(await api.all("/v1/people")).toHaveLength(1);
    });
  });

  it("nothing is kept of a name that definitions lack: once it is defined, the same request runs (docs/guides/idempotency.md#what-is-not-saved)", async () => {
    const { ada, home, field, api } = await setUp();
    const values = (value: object) => ({ groups: [{ id: home.id }], customFieldValues: { [home.id]: value } });
    const cases: [path: string, body: object, entity: string, definition: object][] = [
      [`/v1/groups/${home.id}/Deals`, { name: "Big" }, "person", { type: "objectField", name: "Deals" }],
      ["/v1/people", values({ Note: "x" }), "person", { type: "textField", name: "Note" }],
      [
        "/v1/people",
        values({ Stage: "Won" }),
        "person",
        { type: "singleSelect", name: "Stage", options: [{ label: "Won" }] },
      ],
    ];
    for (const [path, body, entity, definition] of cases) {
      const headers = { "Idempotency-Key": randomUUID() };
      expect([404, 422]).toContain((await api.post(path, body, headers)).status);
      await field(ada, home, entity, definition);
      const again = await api.post(path, body, headers);
      expect([path, again.status, isReplay(again)]).toEqual([path, 200, false]);
    }
    const field404 = `/v1/groups/${home.id}/custom-fields/person/Later`;
    const rename = () => api.patch(field404, { name: "Now" }, { "Idempotency-Key": "rename" });
    expect((await rename()).status).toBe(404);
    await field(ada, home, "person", { type: "textField", name: "Later" });
    expect((await rename()).status).toBe(200);
  });

  it("the 4xx of a rule, a reference, a role or an id is kept, and told again when its cause is gone (docs/guides/idempotency.md#what-is-saved)", async () => {
    const { api, ada, user, group, send } = await setUp();
    const bob = await user("Bob Stone");
    const others = await group(bob, { members: [[ada, "reader"]] });
    const [taken, free] = [
      (await api.post("/v1/companies", { name: "Acme" })).data.id,
      (await api.post("/v1/companies", { name: "Globex" })).data.id,
    ];
    const person = (await api.post("/v1/people", {})).data.id;
    const cases: [status: number, method: string, path: string, body: object, cure: () => Promise<unknown>][] = [
      [422, "PATCH", `/v1/companies/${free}`, { name: "Acme" }, () => api.delete(`/v1/companies/${taken}`)],
      [
        403,
        "POST",
        `/v1/groups/${others.id}/members`,
        { id: ada.id, role: "admin" },
        () => scene.api(bob).patch(`/v1/groups/${others.id}/members/${ada.id}`, { role: "admin" }),
      ],
      [422, "POST", "/v1/people", { companies: [{ id: `com_${randomUUID()}` }] }, async () => undefined],
      [404, "DELETE", `/v1/people/per_${randomUUID()}`, {}, async () => undefined],
      [422, "POST", `/v1/people/${person}/merge`, { records: [{ id: person }] }, async () => undefined],
    ];
    for (const [status, method, path, body, cure] of cases) {
      const headers = { "Idempotency-Key": randomUUID() };
      const first = await send(method, path, body, headers);
      expect([path, first.status, isReplay(first)]).toEqual([path, status, false]);
      await cure();
      const again = await send(method, path, body, headers);
      expect([path, again.status, again.text, isReplay(again)]).toEqual([path, status, first.text, true]);
    }
    expect((await send("PATCH", `/v1/companies/${free}`, { name: "Acme" })).status).toBe(200);
    expect(
      (
        await send(
          "POST",
          `/v1/groups/${others.id}/members`,
          { id: ada.id, role: "admin" },
          { "Idempotency-Key": "new" },
        )
      ).status,
    ).toBe(200);
  });

  it("an answer of 1 MiB is kept and one of a byte more is not, in bytes and not in characters (docs/guides/idempotency.md#large-answers)", async () => {
    const { api } = await setUp();
    const send = (body: object, key: string) => api.post("/v1/people/batch/create", body, { "Idempotency-Key": key });
    const overhead = Buffer.byteLength((await send(batchOf(100), "probe")).text) - 100;
    const both = async (bytes: number): Promise<[first: Answer, again: Answer]> => {
      const [body, key] = [batchOf(bytes - overhead), randomUUID()];
      const first = await send(body, key);
      expect([Buffer.byteLength(first.text), recordsOf(first).length]).toEqual([bytes, 100]);
      expect((await send(batchOf(1), key)).error.code).toBe("IDEMPOTENCY_KEY_REUSED");
      return [first, await send(body, key)];
    };
    const [first, again] = await both(SAVED_RESPONSE_BYTES_MAX);
    expect([again.text === first.text, isReplay(again)]).toEqual([true, true]);
    const [, lost] = await both(SAVED_RESPONSE_BYTES_MAX + 1);
    expect([lost.status, lost.error.code]).toEqual([422, "IDEMPOTENCY_RESPONSE_NOT_STORED"]);
    expect(await api.all("/v1/people?limit=100")).toHaveLength(300);
  });

  it("an answer is kept until its time is over; then the request runs anew, and the new answer is kept (docs/guides/idempotency.md#keys)", async () => {
    const { api, uuid, send, headers } = await setUp();
    const expireIn = (seconds: number) =>
      scene.server.database.read(
        "update saved_responses set expires_at = now() + make_interval(secs => $3) where workspace_id = $1 and key = $2",
        [uuid, headers["Idempotency-Key"], seconds],
      );
    const first = await send("POST", "/v1/people", {});
    const [row] = await scene.server.database.read<{ left: number }>(
      "select extract(epoch from expires_at - now())::float8 as left from saved_responses where workspace_id = $1",
      [uuid],
    );
    expect(row?.left).toBeGreaterThan(86_400 - 30);
    expect(row?.left).toBeLessThanOrEqual(86_400);
    await expireIn(10);
    expect((await send("POST", "/v1/people", {})).text).toBe(first.text);
    await expireIn(0);
    const second = await send("POST", "/v1/people", {});
    expect([second.status, isReplay(second)]).toEqual([200, false]);
    expect(second.data.id).not.toBe(first.data.id);
    await expireIn(0);
    // A key whose time is over stands for no request, so another request may use it.
    const third = await send("POST", "/v1/companies", { name: "Acme" });
    expect([third.status, isReplay(third)]).toEqual([200, false]);
    expect((await send("POST", "/v1/companies", { name: "Acme" })).text).toBe(third.text);
    expect(await api.all("/v1/people")).toHaveLength(2);
  });
});

/** 100 people whose descriptions have so many bytes together, most of them two for a character. */
function batchOf(bytes: number): { records: { description: string }[] } {
  const records = Array.from({ length: 100 }, (_, i) => {
    const own = Math.floor(bytes / 100) + (i < bytes % 100 ? 1 : 0);
    return { description: "é".repeat(own >> 1) + "x".repeat(own % 2) };
  });
  return { records };
}
