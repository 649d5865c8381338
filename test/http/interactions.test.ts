import { describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const AT = "2026-01-15T10:00:00.000Z";

describeServer("Interactions", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const log = async (more: object = {}, by: Client = api): Promise<Item> =>
      (
        await by.post("/v1/interactions", {
          entity: { id: person.id },
          dateTime: AT,
          title: "Talk",
          content: "We\ntalked.",
          activityType: "meeting",
          ...more,
        })
      ).data;
    return { workspace, ada, bob, api, asBob, person, log };
  }
  const titles = (items: Item[]) => items.map(({ title }) => title);

  it("are logged with a person or a company, and tell who with whom (docs/guides/interactions.md#fields)", async () => {
    const { ada, api, person, log } = await setUp();
    const { data: company } = await api.post("/v1/companies", { name: "Acme" });
    for (const [record, entityType, fullName] of [
      [person, "person", "Grace Hopper"],
      [company, "company", "Acme"],
    ] as const) {
      const logged = await log({ entity: { id: record.id } });
      expect(logged).toEqual({
        id: expect.stringMatching(/^lit_[0-9a-f-]{36}$/),
        interactionType: "logged",
        from: { type: "user", value: ada.email, name: ada.fullName, userId: ada.id },
        to: { type: entityType, value: record.id, name: fullName },
        title: "Talk",
        content: "We\ntalked.",
        entity: { id: record.id, entityType, fullName },
        dateTime: AT,
        privacyLevel: "full",
        type: "meeting",
        activityType: "meeting",
      });
      expect((await api.get(`/v1/interactions/${logged.id}?entity.id=${record.id}`)).data).toEqual(logged);
      expect((await api.get(`/v1/interactions/${logged.id}?entity[id]=${record.id}`)).data).toEqual(logged);
    }
  });

  it("take a time with or without a zone, in 24 characters (docs/guides/interactions.md#logging)", async () => {
    const { log } = await setUp();
    expect((await log({ dateTime: "2026-01-01T10:00:00" })).dateTime).toBe("2026-01-01T10:00:00.000Z");
    expect((await log({ dateTime: "2026-01-01T10:00+02:00" })).dateTime).toBe("2026-01-01T08:00:00.000Z");
    expect((await log({ dateTime: "2026-01-01T10:00:00.5Z" })).dateTime).toBe("2026-01-01T10:00:00.500Z");
  });

  it("tell the activity under both names, and who sends the old one that it is deprecated", async () => {
    const { api, person } = await setUp();
    const body = { entity: { id: person.id }, dateTime: AT, title: "", content: "" };
    const old = await api.post("/v1/interactions", { ...body, type: "🎉" });
    expect(old.data).toMatchObject({ type: "🎉", activityType: "🎉" });
    expect(old.body).toMatchObject({ deprecations: [expect.stringContaining('"activityType"')] });
    expect(old.headers.deprecation).toBeUndefined();
    const both = await api.post("/v1/interactions", { ...body, type: "call", activityType: "call" });
    expect(both.data).toMatchObject({ activityType: "call" });
    const current = await api.post("/v1/interactions", { ...body, activityType: "iMessage" });
    expect(current.body).not.toHaveProperty("deprecations");
    const key = { "Idempotency-Key": newUuid() };
    const first = await api.post("/v1/interactions", { ...body, type: "lunch" }, key);
    const replay = await api.post("/v1/interactions", { ...body, type: "lunch" }, key);
    expect(replay.text).toBe(first.text);
    expect(replay.body).toHaveProperty("deprecations");
  });

  it("need a person or a company that is there (docs/guides/interactions.md#logging)", async () => {
    const { workspace, ada, api } = await setUp();
    const group = await workspace.group(ada);
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" });
    const body = { dateTime: AT, title: "", content: "", activityType: "call" };
    for (const id of [toId("person", newUuid()), deal.id, toId("user", newUuid())])
      expect((await api.post("/v1/interactions", { ...body, entity: { id } })).issues).toMatchObject([
        { code: "custom", path: ["entity", "id"] },
      ]);
  });

  it("are changed and deleted by whoever sees them, with the record that they are with (docs/guides/interactions.md#changing)", async () => {
    const { api, asBob, person, log } = await setUp();
    const { data: other } = await api.post("/v1/people", {});
    const { id } = await log();
    const path = `/v1/interactions/${id}`;
    const changed = { title: "Call", content: "Short.", dateTime: "2026-02-01T00:00:00.000Z", activityType: "call" };
    const { data } = await asBob.patch(path, { entity: { id: person.id }, ...changed });
    expect(data).toMatchObject({ ...changed, type: "call", from: { name: "Ada Lovelace" } });
    expect((await api.get(`${path}?entity.id=${person.id}`)).data).toEqual(data);
    expect((await api.patch(path, { entity: { id: person.id }, title: "" })).data).toMatchObject({
      title: "",
      content: "Short.",
    });
    expect((await api.patch(path, { title: "x" })).issues).toMatchObject(
      [{ message: undefined, path: ["entity"] }].map(({ path: at }) => ({ path: at })),
    );
    for (const answer of [await api.get(path), await api.delete(path)])
      expect(answer.issues).toEqual([
        { code: "invalid_type", expected: "string", received: "undefined", path: ["entity.id"] },
      ]);
    for (const answer of [
      await api.get(`${path}?entity.id=${other.id}`),
      await api.delete(`${path}?entity.id=${other.id}`),
      await api.patch(path, { entity: { id: other.id }, title: "x" }),
      await api.get(`/v1/interactions/unknown%2Fid?entity.id=${person.id}`),
    ])
      expect(answer.error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await asBob.delete(`${path}?entity.id=${person.id}`)).data).toEqual({ id });
    expect((await api.get(`${path}?entity.id=${person.id}`)).status).toBe(404);
  });

  it("tell no name of a user who was removed (docs/guides/interactions.md#fields)", async () => {
    const { workspace, bob, api, asBob, person, log } = await setUp();
    const { id } = await log({}, asBob);
    await workspace.remove(bob);
    const { data } = await api.get(`/v1/interactions/${id}?entity.id=${person.id}`);
    expect(data.from).toEqual({ type: "user", value: bob.email, userId: bob.id });
  });

  describe("in lists (docs/guides/interactions.md#lists)", () => {
    it("come newest first, upcoming ones soonest first, page by page, of a record or the workspace", async () => {
      const { api, asBob, bob, ada, person, log } = await setUp();
      const { data: other } = await api.post("/v1/people", {});
      await log({ title: "b", dateTime: "2026-01-02T00:00:00Z" });
      await log({ title: "c", dateTime: "2026-01-01T00:00:00Z" }, asBob);
      await log({ title: "a", dateTime: "2026-01-03T00:00:00Z" });
      await log({ title: "late", dateTime: "2096-01-02T00:00:00Z" });
      await log({ title: "soon", dateTime: "2096-01-01T00:00:00Z" });
      await log({ title: "other", dateTime: "2026-01-02T00:00:00Z", entity: { id: other.id } });
      const of = `/v1/interactions?entity.id=${person.id}`;
      expect(titles((await api.get(of)).items)).toEqual(["a", "b", "c"]);
      expect(titles(await api.all(`${of}&limit=1`))).toEqual(["a", "b", "c"]);
      expect(titles(await api.all(`${of}&timeframe=upcoming&limit=1`))).toEqual(["soon", "late"]);
      expect(titles(await api.all("/v1/interactions?limit=2"))).toEqual(["a", "other", "b", "c"]);
      expect(titles((await api.get("/v1/interactions?timeframe=upcoming")).items)).toEqual(["soon", "late"]);
      expect(titles((await api.get(`${of}&user.id=${bob.id}`)).items)).toEqual(["c"]);
      expect(titles((await api.get(`${of}&user.id=${bob.id}&user[id]=${ada.id}`)).items)).toEqual(["a", "b", "c"]);
      expect((await api.get(`${of}&user.id=${toId("user", newUuid())}`)).items).toEqual([]);
      for (const types of ["importedTypes=", "importedTypes=email&importedTypes=call", "importedTypes[]=whatsapp"])
        expect(titles((await api.get(`${of}&${types}`)).items)).toEqual(["a", "b", "c"]);
      expect((await api.get(`/v1/interactions?entity.id=${toId("person", newUuid())}`)).items).toEqual([]);
      for (const [query, path] of [
        ["timeframe=now", ["timeframe"]],
        ["importedTypes=fax", ["importedTypes", 0]],
        ["user.id=x", ["user.id", 0]],
        ["entity.id=x", ["entity.id"]],
      ])
        expect((await api.get(`/v1/interactions?${query}`)).issues).toMatchObject([{ path }]);
    });

    it("of the past and upcoming ones alone are deprecated, and have pages of 30 (docs/guides/interactions.md#past-and-upcoming)", async () => {
      const { api, person, log } = await setUp();
      for (let i = 0; i < 31; i += 1)
        await log({ title: `${i}`, dateTime: new Date(Date.UTC(2026, 0, 1, i)).toISOString() });
      await log({ title: "soon", dateTime: "2096-01-01T00:00:00Z" });
      const path = `/v1/interactions/past?entity.id=${person.id}`;
      const pages = await api.pages(`${path}&limit=5`);
      expect(pages.map(({ length }) => length)).toEqual([30, 1]);
      const past = await api.get(path);
      const upcoming = await api.get(`/v1/interactions/upcoming?entity.id=${person.id}`);
      expect(titles(upcoming.items)).toEqual(["soon"]);
      for (const { headers, body } of [past, upcoming]) {
        expect(headers.deprecation).toBe("Tue, 29 Sep 2026 00:00:00 GMT");
        expect(headers.sunset).toBe("Mon, 29 Mar 2027 00:00:00 GMT");
        expect(body).toMatchObject({ deprecations: [expect.stringContaining("timeframe")] });
      }
      for (const name of ["past", "upcoming"])
        expect((await api.get(`/v1/interactions/${name}`)).issues).toMatchObject([{ path: ["entity.id"] }]);
    });
  });

  describe("with a person are told with the person (docs/guides/people.md#interactions)", () => {
    it("for the caller and for the workspace", async () => {
      const { api, asBob, bob, person, log } = await setUp();
      await log({ dateTime: "2026-01-01T10:00:00Z" });
      await log({ dateTime: "2026-02-01T10:00:00Z" }, asBob);
      await log({ dateTime: "2096-02-01T10:00:00Z" }, asBob);
      const { data } = await api.get(`/v1/people/${person.id}`);
      const user = { id: bob.id, fullName: bob.fullName, email: bob.email };
      expect(data.interactionMetadata).toEqual({
        user: { approximateCount: 1, lastInteractedAt: "2026-01-01T10:00:00.000Z" },
        workspace: { approximateCount: 2, lastInteractedAt: "2026-02-01T10:00:00.000Z", lastInteractedBy: [user] },
      });
      expect((await asBob.get("/v1/people")).items[0]?.interactionMetadata).toMatchObject({
        user: { approximateCount: 1, lastInteractedAt: "2026-02-01T10:00:00.000Z" },
      });
    });

    it("and who knows them best, in each visible group that the person is in", async () => {
      const { workspace, ada, bob, api, asBob, person, log } = await setUp();
      const cleo = await workspace.user("Cleo Park");
      const [open, closed, none] = await Promise.all([
        workspace.group(ada, { visibility: "public" }),
        workspace.group(ada, { members: [[cleo, "reader"]] }),
        workspace.group(bob, { members: [[cleo, "admin"]] }),
      ]);
      await asBob.patch(`/v1/people/${person.id}`, { groups: [{ id: none.id }] });
      await api.patch(`/v1/people/${person.id}`, { groups: [{ id: open.id }, { id: closed.id }] });
      const seen = async (by = api) => {
        const { strongestConnection } = (await by.get(`/v1/people/${person.id}`)).data as unknown as {
          strongestConnection: Record<string, Item>;
        };
        return Object.fromEntries(Object.entries(strongestConnection).map(([group, user]) => [group, user.id]));
      };
      expect(await seen()).toEqual({});
      await log({ dateTime: "2026-01-01T10:00:00Z" }, scene.api(cleo));
      expect(await seen()).toEqual({ [open.id]: cleo.id, [closed.id]: cleo.id });
      await log({ dateTime: "2026-01-02T10:00:00Z" }, asBob);
      expect(await seen()).toEqual({ [open.id]: bob.id, [closed.id]: cleo.id });
      expect(await seen(asBob)).toEqual({ [open.id]: bob.id, [none.id]: bob.id });
      await workspace.remove(bob);
      expect(await seen()).toEqual({ [open.id]: cleo.id, [closed.id]: cleo.id });
    });
  });
});
