import { createHash, randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { assistant } from "../support/assistant.ts";
import { type Answer, type Client, type Item, raw } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const PATH = "/v1/request-logs";
const idOf = ({ headers }: Answer) => String(headers["x-request-id"]);

// docs/guides/request-log.md
describeServer("The request log", (scene) => {
  /** What the log tells of the answers, in their order. */
  async function logged(api: Client, answers: Answer[]): Promise<(Item | undefined)[]> {
    const items = await api.all(`${PATH}?limit=100`);
    return answers.map((answer) => items.find(({ requestId }) => requestId === idOf(answer)));
  }

  it("tells how each request was answered, the newest first", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const key = randomUUID();
    const begun = Date.now();
    const answers = [
      await api.post("/v1/people", { firstName: "Ada" }, { "Idempotency-Key": key }),
      await api.post("/v1/people", { firstName: "Ada" }, { "Idempotency-Key": key }),
      await api.post("/v1/people", { firstName: "Other" }, { "Idempotency-Key": key }),
      await api.get(`/v1/people/per_${randomUUID()}`),
      await api.get("/v1/people?limit=0"),
      await api.request("PUT", "/v1/people"),
      await api.get("/v1/nothing/secret-in-the-path?and=in-the-query"),
      await api.get(PATH),
    ];
    const entries = await logged(api, answers);
    const told = entries.map((entry) => [entry?.method, entry?.route, entry?.status, entry?.errorCode]);
    expect(told).toEqual([
      ["POST", "/v1/people", 200, null],
      ["POST", "/v1/people", 200, null],
      ["POST", "/v1/people", 422, "IDEMPOTENCY_KEY_REUSED"],
      ["GET", "/v1/people/{personId}", 404, "RESOURCE_NOT_FOUND"],
      ["GET", "/v1/people", 422, "UNPROCESSABLE_ENTITY"],
      ["PUT", null, 405, "METHOD_NOT_ALLOWED"],
      ["GET", null, 404, "RESOURCE_NOT_FOUND"],
      ["GET", PATH, 200, null],
    ]);
    const hash = createHash("sha256").update(key).digest("hex");
    expect(entries.map((entry) => entry?.idempotencyKeyHash)).toEqual([hash, hash, hash, ...Array(5).fill(null)]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ userId: ada.id, tool: null, rateLimitRemaining: null });
      expect(Date.parse(String(entry?.createdAt))).toBeGreaterThanOrEqual(begun);
      expect(entry?.durationMs).toBeGreaterThan(0);
    }
    const { items, text } = await api.get(`${PATH}?limit=9`);
    expect(items.map(({ requestId }) => requestId).slice(1)).toEqual(answers.map(idOf).reverse());
    expect(text).not.toMatch(/secret-in-the-path|in-the-query|Ada/);
    expect(text).not.toContain(ada.key);
  });

  it("shows users their own requests, and admins of the workspace all, and nobody those of another workspace", async () => {
    const workspace = await scene.workspace();
    const bob = await workspace.user("Bob");
    const [ada, bobs] = [scene.api(workspace.ada), scene.api(bob)];
    const others = scene.api((await scene.workspace()).ada);
    const [ofAda, ofBob, ofOthers] = [
      await ada.get("/v1/groups"),
      await bobs.get("/v1/users"),
      await others.get("/v1/users"),
    ];
    const all = [ofAda, ofBob, ofOthers];
    const seen = async (api: Client) => (await logged(api, all)).map((entry) => entry?.userId);
    expect(await seen(ada)).toEqual([workspace.ada.id, bob.id, undefined]);
    expect(await seen(bobs)).toEqual([undefined, bob.id, undefined]);
    expect((await bobs.get(`${PATH}?requestId=${idOf(ofAda)}`)).items).toEqual([]);
    expect((await ada.get(`${PATH}?requestId=${idOf(ofBob)}`)).items).toHaveLength(1);
  });

  it("is narrowed by a request id, by errors and by a time, and read in pages", async () => {
    const api = scene.api((await scene.workspace()).ada);
    const [wrong, right] = [await api.get("/v1/people?limit=x"), await api.get("/v1/people")];
    const ids = async (query: string) => (await api.get(`${PATH}?${query}`)).items.map(({ requestId }) => requestId);
    expect(await ids(`requestId=${idOf(right)}`)).toEqual([idOf(right)]);
    expect(await ids("onlyErrors=true")).toEqual([idOf(wrong)]);
    for (const unknown of [randomUUID(), idOf(right).toUpperCase(), "x".repeat(36)])
      expect(await ids(`requestId=${unknown}`)).toEqual([]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await ids(`since=${later}`)).toEqual([]);
    expect((await ids("since=2026-01-01")).slice(-2)).toEqual([idOf(right), idOf(wrong)]);
    const pages = await api.pages(`${PATH}?limit=2&onlyErrors=false`);
    const all = pages.flat().map(({ requestId }) => requestId);
    expect(all.slice(-2)).toEqual([idOf(right), idOf(wrong)]);
    expect(new Set(all).size).toBe(all.length);
    for (const query of ["requestId=1", "onlyErrors=1", "since=yesterday", "limit=101"])
      expect((await api.get(`${PATH}?${query}`)).status).toBe(422);
  });

  it("tells which tool an assistant called, and how it was refused", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const mcp = await assistant(scene.server, ada.key);
    await mcp.call("create_person", { gender: "X", idempotencyKey: "tool-key" });
    await mcp.call("no_such_tool_with_a_secret");
    await mcp.call("get_current_user");
    const { items } = await api.get(`${PATH}?limit=3`);
    const hash = createHash("sha256").update("tool-key").digest("hex");
    expect(
      items.map((entry) => [entry.route, entry.tool, entry.status, entry.errorCode, entry.idempotencyKeyHash]),
    ).toEqual([
      ["/mcp", "get_current_user", 200, null, null],
      ["/mcp", null, 200, "RESOURCE_NOT_FOUND", null],
      ["/mcp", "create_person", 200, "UNPROCESSABLE_ENTITY", hash],
    ]);
    const codes = (await api.get(`${PATH}?onlyErrors=true`)).items.map(({ errorCode }) => errorCode);
    expect(codes).toEqual(["RESOURCE_NOT_FOUND", "UNPROCESSABLE_ENTITY"]);
  });

  it("keeps the last thousand of a workspace, and some more for a while", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const request = `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\n`;
    for (let sent = 0; sent < 1500; sent += 100) {
      await raw(scene.server, `${`${request}\r\n`.repeat(99)}${request}Connection: close\r\n\r\n`);
      // A list has what was answered before it, and so none of a second's requests are too many.
      await api.get(`${PATH}?limit=1`);
    }
    const kept = await api.all(`${PATH}?limit=100`);
    expect(kept.length).toBeGreaterThanOrEqual(1000);
    expect(kept.length).toBeLessThanOrEqual(1250);
  });

  it("has nothing of a request without a valid key", async () => {
    const { ada } = await scene.workspace();
    const refused = await scene.api("nonsense").get("/v1/people");
    expect(await logged(scene.api(ada), [refused])).toEqual([undefined]);
  });
});
