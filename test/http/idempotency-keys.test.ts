import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { type Answer, raw } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const isReplay = ({ headers }: Answer) => headers["idempotent-replayed"] === "true";

// docs/guides/idempotency.md#keys, docs/guides/idempotency.md#replays
describeServer("An Idempotency-Key", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const make = (key: string | string[], as = api) => as.post("/v1/people", {}, { "Idempotency-Key": key });
    return { ...workspace, api, make };
  }

  it.each([
    ["empty", ""],
    ["too long", "k".repeat(256)],
    ["with a blank", "a b"],
    ["with a tab", "a\tb"],
    ["with a letter beyond ASCII", "clé"],
    ["sent twice", ["a", "b"]],
    ["sent twice alike", ["a", "a"]],
  ])("that is %s is 400, and nothing runs (docs/guides/idempotency.md#keys)", async (_, key) => {
    const { api, make } = await setUp();
    const { status, error } = await make(key);
    expect([status, error.code]).toEqual([400, "IDEMPOTENCY_KEY_INVALID"]);
    expect((await api.get("/v1/people")).items).toEqual([]);
  });

  it("with a control character, which is no HTTP, runs nothing either", async () => {
    const { api, ada } = await setUp();
    const head = ["POST /v1/people HTTP/1.1", "Host: x", `Authorization: Bearer ${ada.key}`, "Content-Length: 2"];
    for (const character of ["\u007f", "\u0000", "\u0001"]) {
      const lines = [...head, "Connection: close", `Idempotency-Key: a${character}b`, "", "{}"];
      expect(await raw(scene.server, lines.join("\r\n"))).toMatch(/^HTTP\/1.1 400 /);
    }
    expect((await api.get("/v1/people")).items).toEqual([]);
  });

  it("may be any printable ASCII, is taken as it is, and differs from another by any character (docs/guides/idempotency.md#keys)", async () => {
    const { api, make } = await setUp();
    const opaque = [
      "a,b",
      "a, b".replace(" ", ""),
      '"quoted"',
      "quoted",
      "../..",
      '{"$gt":""}',
      "%00",
      "';--",
      "~",
      "!",
    ];
    const keys = [...new Set([...opaque, "x", "X", '"x"', "k".repeat(255), "k".repeat(254)])];
    const first = await Promise.all(keys.map((key) => make(key)));
    expect(first.map((answer) => [answer.status, isReplay(answer)])).toEqual(keys.map(() => [200, false]));
    const again = await Promise.all(keys.map((key) => make(key)));
    expect(again.map((answer) => [answer.text, isReplay(answer)])).toEqual(first.map(({ text }) => [text, true]));
    expect(new Set(first.map(({ data }) => data.id)).size).toBe(keys.length);
    expect(await api.all("/v1/people")).toHaveLength(keys.length);
  });

  it("is ignored by GET and by searches, valid or not (docs/guides/idempotency.md#keys)", async () => {
    const { api } = await setUp();
    const search = () => api.post("/v1/people/search", {}, { "Idempotency-Key": "same" });
    expect((await search()).items).toEqual([]);
    await api.post("/v1/people", {});
    for (const key of ["same", "", "a b", ["a", "b"]]) {
      const headers = { "Idempotency-Key": key };
      const answers = [await api.get("/v1/people", headers), await api.post("/v1/people/search", {}, headers)];
      expect(answers.map(({ status, items }) => [status, items.length])).toEqual([
        [200, 1],
        [200, 1],
      ]);
      expect(answers.some(isReplay)).toBe(false);
    }
    expect((await api.post("/v1/people", {}, { "Idempotency-Key": "same" })).status).toBe(200);
  });

  it("belongs to a user in a workspace: all API keys of the user share it, nobody else does (docs/guides/idempotency.md#keys)", async () => {
    const [here, there] = [await setUp(), await setUp()];
    const bob = await here.user("Bob Stone");
    const first = await here.make("one");
    const others = [await here.make("one", scene.api(bob)), await there.make("one")];
    expect(others.map((answer) => [answer.status, isReplay(answer)])).toEqual([
      [200, false],
      [200, false],
    ]);
    const second = await here.make("one", scene.api((await here.key(here.ada)).key));
    expect([second.text, isReplay(second)]).toEqual([first.text, true]);
    expect(new Set([first, ...others].map(({ data }) => data.id)).size).toBe(3);
  });

  it("is worth nothing with a revoked API key, or the key of a removed user (docs/guides/idempotency.md#replays)", async () => {
    const { user, key, revoke, remove, make } = await setUp();
    const bob = await user("Bob Stone");
    const issued = await key(bob);
    for (const bearer of [issued.key, bob.key]) expect((await make("one", scene.api(bearer))).status).toBe(200);
    await revoke(issued.id);
    await until("the revoked key is refused", async () => (await make("one", scene.api(issued.key))).status === 401);
    expect(isReplay(await make("one", scene.api(bob)))).toBe(true);
    await remove(bob);
    await until("the removed user is refused", async () => (await make("one", scene.api(bob))).status === 401);
  });

  it("replays for a user whose access to the group is gone (docs/guides/idempotency.md#replays)", async () => {
    const { ada, api, user, group } = await setUp();
    const bob = scene.api(await user("Bob Stone"));
    const { id: bobId } = (await bob.get("/v1/users/me")).data;
    const home = await group(ada, { members: [[{ ...ada, id: bobId }, "contributor"]] });
    const send = () => bob.post("/v1/people", { groups: [{ id: home.id }] }, { "Idempotency-Key": randomUUID() });
    const headers = { "Idempotency-Key": "kept" };
    const keep = () => bob.post("/v1/people", { groups: [{ id: home.id }] }, headers);
    const first = await keep();
    expect(first.data.groups).toMatchObject([{ id: home.id }]);
    await api.delete(`/v1/groups/${home.id}/members/${bobId}`);
    expect((await send()).status).toBe(422);
    const again = await keep();
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);
  });
});
