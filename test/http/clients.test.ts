import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

// Requests as real clients send them, and what these read of the answers: automation platforms, command lines,
// assistants.
describeServer("Clients", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    return { workspace, api, person };
  }
  const JSON_TYPE = { "Content-Type": "application/json" };

  /** A DELETE without a body, with a JSON content type and no body, and with an empty object. */
  async function deletes(api: Client, paths: string[]): Promise<void> {
    const [bare = "", typed = "", empty = ""] = paths;
    const answers = [
      await api.request("DELETE", bare),
      await api.request("DELETE", typed, undefined, JSON_TYPE),
      await api.request("DELETE", empty, {}),
    ];
    expect(answers.map(({ status, data }) => [status, data])).toEqual(
      paths.map((path) => [200, { id: decodeURIComponent(path.split("/")[3]?.split("?")[0] ?? "") }]),
    );
  }

  describe("of notes", () => {
    it("list those of a record under several names of the parameter, and ignore filters and names that there are not", async () => {
      const { api, person } = await setUp();
      const { data: other } = await api.post("/v1/people", {});
      const write = (id: string, content: string) =>
        api.post("/v1/notes", { entity: { id }, content, visibility: "public" });
      await write(person.id, "of Grace");
      await write(other.id, "of nobody");
      const listed = async (query: string) => (await api.get(`/v1/notes?${query}`)).items.map(({ content }) => content);
      for (const query of [`entity.id=${person.id}`, `entity[id]=${person.id}`, `entity%5Bid%5D=${person.id}&limit=50`])
        expect(await listed(query)).toEqual(["of Grace"]);
      for (const ignored of [
        `personId=${person.id}`,
        `companyId=x`,
        `entityId=x`,
        "filter[entity][eq]=x",
        "filter[x]=y",
      ])
        expect(await listed(ignored)).toEqual(["of Grace", "of nobody"]);
      const later = await listed("query=grace&createdAfter=2020-01-01T00:00:00Z&createdBefore=2099-01-01");
      expect(later).toEqual(["of Grace"]);
    });

    it("walk all of them a hundred at a time, and look for those of a record themselves", async () => {
      const { api, person } = await setUp();
      for (let i = 0; i < 3; i += 1)
        await api.post("/v1/notes", { entity: { id: person.id }, content: `${i}`, visibility: "public" });
      const all = await api.all("/v1/notes?limit=100");
      expect(all.filter(({ entity }) => (entity as Item).id === person.id)).toHaveLength(3);
    });

    it("read the author's name and address, and a parent that is null or has an id", async () => {
      const { api, person, workspace } = await setUp();
      const body = { entity: { id: person.id }, content: "x", visibility: "private" };
      const { data: note } = await api.post("/v1/notes", body);
      expect(note).toMatchObject({
        author: { fullName: workspace.ada.fullName, email: workspace.ada.email },
        entity: { id: person.id, entityType: "person", fullName: "Grace Hopper" },
        parentNote: null,
      });
      const { data: reply } = await api.post("/v1/notes", { ...body, parentNote: { id: note.id } });
      expect(reply).toMatchObject({ parentNote: { id: note.id } });
      expect((await api.patch(`/v1/notes/${note.id}`, { content: "y" })).data).toMatchObject({ content: "y" });
      expect((await api.patch(`/v1/notes/${note.id}`, { visibility: "public" })).status).toBe(200);
    });

    it("delete them with and without a body, and compare the id", async () => {
      const { api, person } = await setUp();
      const make = async () =>
        (await api.post("/v1/notes", { entity: { id: person.id }, content: "x", visibility: "public" })).data.id;
      await deletes(
        api,
        [await make(), await make(), await make()].map((id) => `/v1/notes/${id}`),
      );
    });
  });

  describe("of interactions", () => {
    const LOGGED = { title: "Call", content: "We talked." };

    it("log them with a type or an activity type, an emoji too, and times without a zone", async () => {
      const { api, person } = await setUp();
      const log = (more: object) => api.post("/v1/interactions", { entity: { id: person.id }, ...LOGGED, ...more });
      const dateTime = "2026-01-01T10:00:00";
      expect((await log({ dateTime, activityType: "call" })).data).toMatchObject({
        dateTime: "2026-01-01T10:00:00.000Z",
      });
      expect((await log({ dateTime, type: "meeting" })).data).toMatchObject({
        type: "meeting",
        activityType: "meeting",
      });
      expect((await log({ dateTime, type: "☕" })).data).toMatchObject({ type: "☕", activityType: "☕" });
      expect((await log({ dateTime: "2026-01-01T10:00:00.000+02:00", type: "call" })).issues).toMatchObject([
        { code: "too_big", maximum: 24, path: ["dateTime"] },
      ]);
    });

    it("page through past and upcoming ones by the cursor, whatever limit they send", async () => {
      const { api, person } = await setUp();
      for (let i = 0; i < 31; i += 1)
        await api.post("/v1/interactions", {
          entity: { id: person.id },
          ...LOGGED,
          dateTime: `2026-01-${String(i + 1).padStart(2, "0")}T00:00:00Z`,
          activityType: "call",
        });
      const path = `/v1/interactions/past?entity.id=${person.id}`;
      const first = await api.get(`${path}&limit=10`);
      expect(first.items).toHaveLength(30);
      const cursor = new URL(first.nextLink ?? "").searchParams.get("cursor");
      expect((await api.get(`${path}&limit=500&cursor=${cursor}`)).items).toHaveLength(1);
      expect((await api.get(`/v1/interactions/upcoming?entity.id=${person.id}`)).items).toEqual([]);
    });

    it("get, change and delete one with its record, the id percent-encoded", async () => {
      const { api, person } = await setUp();
      const make = async () =>
        (
          await api.post(
            "/v1/interactions",
            { entity: { id: person.id }, ...LOGGED, dateTime: "2026-01-01T00:00:00Z", activityType: "call" },
            { "Idempotency-Key": randomUUID() },
          )
        ).data.id;
      const encoded = (id: string) => id.replaceAll("_", "%5F").replaceAll("-", "%2D");
      const id = await make();
      expect((await api.get(`/v1/interactions/${encoded(id)}?entity.id=${person.id}`)).data).toMatchObject({ id });
      const body = { entity: { id: person.id }, title: "Short call" };
      expect((await api.patch(`/v1/interactions/${encoded(id)}`, body)).data).toMatchObject({
        id,
        title: "Short call",
      });
      await deletes(
        api,
        [id, await make(), await make()].map((one) => `/v1/interactions/${encoded(one)}?entity.id=${person.id}`),
      );
    });
  });

  describe("of webhooks", () => {
    const TARGET = "https://automation.example.test/webhook/1";

    it("look for their own on the first page by the text of its events, change it, and make it anew when it is gone", async () => {
      const { workspace, api } = await setUp();
      const group = await workspace.group(workspace.ada);
      const subscribedEvents = [
        { eventType: "person.updated", filter: { value: "Lead", path: ["customFieldValues", group.id, "Status"] } },
        { eventType: "person.created", filter: { groupId: group.id } },
        { eventType: "company.created", filter: {} },
      ];
      await workspace.field(workspace.ada, group, "person", { name: "Status", type: "textField" });
      const body = { name: "n8n", targetUrl: TARGET, subscribedEvents };
      expect((await api.post("/v1/webhooks", body)).status).toBe(200);
      const own = (items: Item[]) =>
        items.find(
          (item) =>
            item.targetUrl === TARGET && JSON.stringify(item.subscribedEvents) === JSON.stringify(subscribedEvents),
        );
      const found = own((await api.get("/v1/webhooks")).items);
      expect(found).toBeDefined();
      const changed = await api.patch(`/v1/webhooks/${found?.id}`, { ...body, name: "n8n again" });
      expect([changed.status, changed.data.id]).toEqual([200, found?.id]);
      expect((await api.delete(`/v1/webhooks/${found?.id}`)).data).toEqual({ id: found?.id });
      expect((await api.patch(`/v1/webhooks/${found?.id}`, body)).status).toBe(404);
      expect((await api.delete(`/v1/webhooks/${found?.id}`)).status).toBe(404);
      expect((await api.post("/v1/webhooks", body)).status).toBe(200);
    });

    it("are refused an update to no events, and a create with a status", async () => {
      const { api } = await setUp();
      const body = { name: "n8n", targetUrl: TARGET, subscribedEvents: [{ eventType: "note.created", filter: {} }] };
      const { data } = await api.post("/v1/webhooks", body);
      expect((await api.patch(`/v1/webhooks/${data.id}`, { subscribedEvents: [] })).status).toBe(422);
      expect((await api.post("/v1/webhooks", { ...body, status: "active" })).status).toBe(422);
    });

    it("narrow every event to a group, deletions too, and read the id and the secret", async () => {
      const { workspace, api } = await setUp();
      const { id: groupId } = await workspace.group(workspace.ada);
      const types = ["person.created", "person.updated", "person.deleted", "company.deleted"];
      const made = await api.post("/v1/webhooks", {
        name: "activepieces",
        targetUrl: TARGET,
        subscribedEvents: types.map((eventType) => ({ eventType, filter: { groupId } })),
      });
      expect([made.status, made.data.id, made.data.signingSecret]).toEqual([
        200,
        expect.stringMatching(/^wbk_/),
        expect.stringMatching(/^whsec_/),
      ]);
      await deletes(
        api,
        await Promise.all(
          [1, 2, 3].map(async (i) => {
            const subscribedEvents = [{ eventType: "person.created" }, { eventType: "reminder.triggered" }];
            const { data } = await api.post("/v1/webhooks", { name: `${i}`, targetUrl: TARGET, subscribedEvents });
            return `/v1/webhooks/${data.id}`;
          }),
        ),
      );
    });
  });
});
