import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";
import { answerJson, hang, type ProviderServer, reset, startProvider } from "../support/provider-server.ts";
import { describeOwnServer, describeServer } from "../support/scene.ts";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Waits until an enrichment has finished. */
function finished(api: Client, { id }: Item): Promise<Item> {
  return until(`the enrichment ${id} has finished`, async () => {
    const { data } = await api.get(`/v1/enrichments/${id}`);
    return data.finishedAt === null ? undefined : data;
  });
}

const ids = (items: Item[]) => items.map(({ id }) => id);

describeServer("Enrichments of a server without a provider", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const enrich = async (by = api, id = person.id) => (await by.post(`/v1/people/${id}/enrich`)).data;
    return { workspace, ada, api, person, enrich };
  }

  it("begin pending, and fail with how to configure one; that costs nothing (docs/guides/enrichment.md#fields)", async () => {
    const { ada, api, person, enrich } = await setUp();
    const made = await enrich();
    expect(made).toEqual({
      id: expect.stringMatching(/^enr_[0-9a-f-]{36}$/),
      entity: { id: person.id, entityType: "person", fullName: "Grace Hopper" },
      status: "pending",
      creditsUsed: 0,
      result: null,
      error: null,
      createdBy: { id: ada.id, fullName: ada.fullName, email: ada.email },
      createdAt: expect.stringMatching(TIMESTAMP),
      finishedAt: null,
    });
    const ended = await finished(api, made);
    expect(ended).toEqual({
      ...made,
      status: "failed",
      error: { code: "PROVIDER_NOT_CONFIGURED", message: expect.stringContaining("ENRICHMENT_PROVIDER to http") },
      finishedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(Date.parse(String(ended.finishedAt))).toBeGreaterThanOrEqual(Date.parse(String(made.createdAt)));
    expect((await api.get(`/v1/people/${person.id}`)).data).toEqual(person);
    expect((await api.get("/v1/credits")).data).toEqual({ remaining: 100, used: 0, renewsAt: null });
  });

  it("take an empty body or {}, and no member", async () => {
    const { api, person } = await setUp();
    const path = `/v1/people/${person.id}/enrich`;
    const json = { "Content-Type": "application/json" };
    for (const body of [undefined, "", {}]) expect((await api.request("POST", path, body, json)).status).toBe(200);
    expect((await api.post(path, { provider: "none" })).issues).toEqual([
      { code: "unrecognized_keys", path: [], keys: ["provider"] },
    ]);
    expect((await api.post(path, [])).status).toBe(422);
  });

  it("of nobody are 404, and so is what is no id of a person", async () => {
    const { workspace, api } = await setUp();
    const stranger = scene.api((await scene.workspace()).ada);
    const { data: foreign } = await stranger.post("/v1/people", {});
    const { data: company } = await api.post("/v1/companies", { name: "Acme" });
    const { data: gone } = await api.post("/v1/people", {});
    await api.delete(`/v1/people/${gone.id}`);
    for (const id of [toId("person", newUuid()), foreign.id, company.id, gone.id])
      expect((await api.post(`/v1/people/${id}/enrich`)).error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await api.post("/v1/people/per_1/enrich")).issues).toMatchObject([
      { code: "too_small", path: ["personId"] },
    ]);
    const counted = "select count(*)::int as count from credits where workspace_id = $1";
    expect(await scene.server.database.read(counted, [workspace.uuid])).toEqual([{ count: 0 }]);
  });

  it("are asked for by every member, not with a read key, and seen by all of the workspace and nobody else", async () => {
    const { workspace, ada, api, person, enrich } = await setUp();
    const asBob = scene.api(await workspace.user("Bob Stone"));
    const made = await enrich(asBob);
    const asReader = scene.api((await workspace.key(ada, { access: "read" })).key);
    expect((await asReader.post(`/v1/people/${person.id}/enrich`)).error.code).toBe("FORBIDDEN");
    for (const by of [api, asBob, asReader]) {
      expect((await by.get(`/v1/enrichments/${made.id}`)).data.id).toBe(made.id);
      expect(ids((await by.get("/v1/enrichments")).items)).toEqual([made.id]);
      expect((await by.get("/v1/credits")).status).toBe(200);
    }
    const stranger = scene.api((await scene.workspace()).ada);
    expect((await stranger.get(`/v1/enrichments/${made.id}`)).error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await stranger.get("/v1/enrichments")).items).toEqual([]);
  });

  it("have one path and one method each", async () => {
    const { api, person, enrich } = await setUp();
    const { id } = await enrich();
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await api.request(method, path);
      return [status, headers.allow];
    };
    expect(await allowed("GET", `/v1/people/${person.id}/enrich`)).toEqual([405, "POST"]);
    expect(await allowed("DELETE", `/v1/enrichments/${id}`)).toEqual([405, "GET, HEAD"]);
    expect(await allowed("POST", "/v1/credits")).toEqual([405, "GET, HEAD"]);
  });

  it("are made once under an Idempotency-Key", async () => {
    const { api, person } = await setUp();
    const send = () => api.post(`/v1/people/${person.id}/enrich`, {}, headers);
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await send();
    await finished(api, first.data);
    expect((await send()).text).toBe(first.text);
    expect((await api.get("/v1/enrichments")).items).toHaveLength(1);
  });

  it("keep the last name of a person who was deleted (docs/guides/enrichment.md#deleted-and-merged-people)", async () => {
    const { api, person, enrich } = await setUp();
    const made = await finished(api, await enrich());
    await api.patch(`/v1/people/${person.id}`, { fullName: "Amazing Grace" });
    expect((await api.get(`/v1/enrichments/${made.id}`)).data.entity).toMatchObject({ fullName: "Amazing Grace" });
    await api.post("/v1/people/batch/delete", { records: [{ id: person.id }] });
    const entity = { id: person.id, entityType: "person", fullName: "Amazing Grace" };
    expect((await api.get(`/v1/enrichments/${made.id}`)).data).toEqual({ ...made, entity });
  });

  it("move with a merge, and are asked for under a merged id (docs/guides/enrichment.md#deleted-and-merged-people)", async () => {
    const { api, person, enrich } = await setUp();
    const { data: twin } = await api.post("/v1/people", { fullName: "G. Hopper" });
    const made = await enrich(api, twin.id);
    await api.post(`/v1/people/${person.id}/merge`, { records: [{ id: twin.id }] });
    const entity = { id: person.id, entityType: "person", fullName: "Grace Hopper" };
    expect((await finished(api, made)).entity).toEqual(entity);
    expect((await enrich(api, twin.id)).entity).toEqual(entity);
  });

  it("are never left unfinished by a person who is deleted while they are asked for", async () => {
    const { workspace, ada, api } = await setUp();
    const patient = scene.patientApi(ada);
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await patient.post("/v1/people", { fullName: `P ${i}` })).data.id),
    );
    await Promise.all(
      people.flatMap((id) => [patient.post(`/v1/people/${id}/enrich`), patient.delete(`/v1/people/${id}`)]),
    );
    const database = scene.server.database;
    const left = () =>
      database.read<{ id: string }>("select id from enrichments where workspace_id = $1 and due_at is not null", [
        workspace.uuid,
      ]);
    await until("all have finished", async () => (await left()).length === 0);
    const nameless = "select id from enrichments where workspace_id = $1 and entity_name is null";
    expect(await database.read(nameless, [workspace.uuid])).toEqual([]);
    expect((await api.get("/v1/credits")).data).toEqual({ remaining: 100, used: 0, renewsAt: null });
  });

  describe("in lists (docs/guides/enrichment.md#lists)", () => {
    it("come in the order of creation, page by page, also with a filter", async () => {
      const { api, enrich } = await setUp();
      const made: Item[] = [];
      for (let i = 0; i < 5; i += 1) made.push(await enrich());
      for (const one of made) await finished(api, one);
      for (const filter of ["", "&filter[status][eq]=failed"]) {
        const pages = await api.pages(`/v1/enrichments?limit=2${filter}`);
        expect(pages.map(ids)).toEqual([ids(made.slice(0, 2)), ids(made.slice(2, 4)), ids(made.slice(4))]);
      }
    });

    it("are filtered by their status, in whatever form a client writes lists", async () => {
      const { api, enrich } = await setUp();
      const { id } = await finished(api, await enrich());
      const found = async (query: string) => ids((await api.get(`/v1/enrichments?${query}`)).items);
      for (const query of [
        "filter[status][eq]=failed",
        "filter[status][not_eq]=completed",
        "filter[status][in]=failed&filter[status][in]=cancelled",
        "filter[status][in][]=failed",
        "filter[status][not_in]=pending&filter[status][not_in]=in_progress",
        "filter[status][eq]=pending&filter[finishedAt][not_empty]&combinator=or",
      ])
        expect([query, await found(query)]).toEqual([query, [id]]);
      for (const query of [
        "filter[status][eq]=completed",
        "filter[status][not_eq]=failed",
        "filter[status][in]=pending&filter[status][in]=in_progress",
        "filter[status][not_in]=failed",
        "filter[status][eq]=failed&filter[finishedAt][empty]",
      ])
        expect([query, await found(query)]).toEqual([query, []]);
    });

    it("are filtered by their times, exactly to the millisecond, and by days", async () => {
      const { api, enrich } = await setUp();
      const { id, createdAt, finishedAt } = await finished(api, await enrich());
      const found = async (field: string, operator: string, value: string) =>
        ids((await api.get(`/v1/enrichments?filter[${field}][${operator}]=${encodeURIComponent(value)}`)).items);
      const day = 86_400_000;
      for (const [field, time] of Object.entries({ createdAt, finishedAt })) {
        const ms = Date.parse(String(time));
        const at = (shift: number) => new Date(ms + shift).toISOString();
        expect(await found(field, "gt", at(-1))).toEqual([id]);
        expect(await found(field, "gt", at(0))).toEqual([]);
        expect(await found(field, "lt", at(0))).toEqual([]);
        expect(await found(field, "lt", at(1))).toEqual([id]);
        const date = (shift: number) => at(shift).slice(0, 10);
        expect(await found(field, "gt", date(-day))).toEqual([id]);
        expect(await found(field, "gt", date(0))).toEqual([]);
        expect(await found(field, "lt", date(0))).toEqual([]);
        expect(await found(field, "lt", date(day))).toEqual([id]);
      }
    });

    it("refuse filters that make no sense, each at its place", async () => {
      const { api } = await setUp();
      const faults = async (query: string) => (await api.get(`/v1/enrichments?${query}`)).issues;
      for (const [query, path] of [
        ["filter[status][eq]=done", ["filter", "status", "eq"]],
        ["filter[status][eq]=", ["filter", "status", "eq"]],
        ["filter[status][eq]=failed&filter[status][eq]=pending", ["filter", "status", "eq"]],
        ["filter[createdAt][gt]=yesterday", ["filter", "createdAt", "gt"]],
        ["filter[finishedAt][lt]=2026-02-30", ["filter", "finishedAt", "lt"]],
        ["filter[entity][eq]=x", ["filter", "entity"]],
        ["filter[creditsUsed][eq]=1", ["filter", "creditsUsed"]],
        ["combinator=xor", ["combinator"]],
      ] as const)
        expect([query, await faults(query)]).toMatchObject([query, [{ path }]]);
      for (const query of [
        "filter[status][like]=fail",
        "filter[status][empty]",
        "filter[createdAt][eq]=2026-01-01",
        "filter[createdAt][empty]",
        "filter[finishedAt][in]=2026-01-01",
      ])
        expect([query, await faults(query)]).toMatchObject([query, [{ code: "unrecognized_keys" }]]);
    });
  });
});

let provider: ProviderServer;

async function withProvider() {
  provider = await startProvider();
  return { ENRICHMENT_PROVIDER: "http", ENRICHMENT_URL: provider.url, ENRICHMENT_TOKEN: "s3cret" };
}

describeOwnServer("Enrichments of a server with an HTTP provider", withProvider, (scene) => {
  afterAll(async () => {
    await provider?.stop();
  });

  beforeEach(() => {
    provider.asked.length = 0;
    provider.answer(answerJson({}));
  });

  async function setUp(body: object = { fullName: "Grace Hopper" }) {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const { data: person } = await api.post("/v1/people", body);
    const enrich = async () => (await api.post(`/v1/people/${person.id}/enrich`)).data;
    const credits = async () => (await api.get("/v1/credits")).data;
    return { workspace, api, person, enrich, credits };
  }
  const asked = (count = 1) => until("the provider is asked", () => provider.asked[count - 1]);

  it("fill the empty fields of the person, tell which, and cost a credit (docs/guides/enrichment.md#what-is-filled)", async () => {
    const { api, person, enrich, credits } = await setUp({ fullName: "Grace Hopper", emails: ["grace@navy.example"] });
    const found = {
      fullName: "Somebody Else",
      emails: ["other@navy.example"],
      urls: ["https://example.com/grace"],
      jobTitle: "Rear admiral",
      birthday: "1906-12-09",
      gender: "Female",
      companies: [{ name: "US Navy" }],
      customFieldValues: { a: 1 },
      confidence: 0.9,
    };
    provider.answer(answerJson(found));
    const made = await enrich();
    const ended = await finished(api, made);
    expect(ended).toEqual({
      ...made,
      status: "completed",
      creditsUsed: 1,
      result: { addedFields: ["birthday", "gender", "jobTitle", "companies", "urls"] },
      finishedAt: expect.stringMatching(TIMESTAMP),
    });
    const { data: filled } = await api.get(`/v1/people/${person.id}`);
    expect(filled).toEqual({
      ...person,
      birthday: "1906-12-09",
      gender: "Female",
      jobTitle: "Rear admiral",
      companies: [{ id: expect.stringMatching(/^com_/), name: "US Navy" }],
      urls: ["https://example.com/grace"],
    });
    expect(await credits()).toEqual({ remaining: 99, used: 1, renewsAt: null });
    expect(provider.asked).toMatchObject([
      { method: "POST", person, headers: { authorization: "Bearer s3cret", "idempotency-key": made.id } },
    ]);
    expect(ids((await api.get("/v1/people?filter[jobTitle][eq]=Rear admiral".replace(" ", "%20"))).items)).toEqual([
      person.id,
    ]);
  });

  it("are completed and cost a credit also when nothing is found", async () => {
    const { api, person, enrich, credits } = await setUp();
    const ended = await finished(api, await enrich());
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 1, result: { addedFields: [] }, error: null });
    expect((await api.get(`/v1/people/${person.id}`)).data).toEqual(person);
    expect(await credits()).toMatchObject({ remaining: 99, used: 1 });
  });

  it("name a person who had no name", async () => {
    const { api, person, enrich } = await setUp({ emails: ["grace@navy.example"] });
    provider.answer(answerJson({ fullName: "Grace Hopper" }));
    const { entity, result } = await finished(api, await enrich());
    expect(entity).toMatchObject({ fullName: "Grace Hopper" });
    expect(result).toEqual({ addedFields: ["firstName", "lastName", "fullName"] });
    expect((await api.get(`/v1/people/${person.id}`)).data).toMatchObject({ firstName: "Grace", lastName: "Hopper" });
  });

  it("fail, write nothing and cost nothing when the provider refuses, or answers what is no person", async () => {
    const { api, person, enrich, credits } = await setUp();
    for (const [answerer, code] of [
      [answerJson({}, 404), "PROVIDER_REFUSED"],
      [answerJson({}, 302, { Location: "/" }), "PROVIDER_REDIRECTED"],
      [answerJson("<html>"), "PROVIDER_ANSWER_INVALID"],
      [answerJson({ phones: ["1"], emails: "grace@navy.example" }), "PROVIDER_ANSWER_INVALID"],
    ] as const) {
      provider.answer(answerer);
      const ended = await finished(api, await enrich());
      expect(ended).toMatchObject({ status: "failed", creditsUsed: 0, result: null, error: { code } });
    }
    expect(provider.asked).toHaveLength(4);
    expect((await api.get(`/v1/people/${person.id}`)).data).toEqual(person);
    expect(await credits()).toEqual({ remaining: 100, used: 0, renewsAt: null });
  });

  it("ask again after a failure that may pass, with the same key (docs/guides/enrichment.md#attempts)", async () => {
    const { api, enrich } = await setUp();
    let goOn = () => {};
    const hasLooked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const found = answerJson({ jobTitle: "Rear admiral" });
    provider.answer(reset, (...answering) => void hasLooked.then(() => found(...answering)));
    const made = await enrich();
    await asked();
    expect((await api.get(`/v1/enrichments/${made.id}`)).data).toMatchObject({ status: "in_progress", result: null });
    goOn();
    expect(await finished(api, made)).toMatchObject({ status: "completed", result: { addedFields: ["jobTitle"] } });
    expect(provider.asked.map(({ headers }) => headers["idempotency-key"])).toEqual([made.id, made.id]);
  });

  it("reserve a credit until they have finished, and give it back when the person is deleted meanwhile", async () => {
    const { api, person, enrich, credits } = await setUp();
    provider.answer(hang);
    const made = await enrich();
    await asked();
    expect((await api.get("/v1/enrichments?filter[status][eq]=in_progress")).items).toMatchObject([
      { id: made.id, creditsUsed: 0, finishedAt: null },
    ]);
    expect((await api.get("/v1/enrichments?filter[finishedAt][empty]")).items).toMatchObject([{ id: made.id }]);
    expect(await credits()).toEqual({ remaining: 99, used: 1, renewsAt: null });
    await api.delete(`/v1/people/${person.id}`);
    expect((await api.get(`/v1/enrichments/${made.id}`)).data).toEqual({
      ...made,
      status: "cancelled",
      error: { code: "PERSON_DELETED", message: expect.any(String) },
      finishedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await credits()).toEqual({ remaining: 100, used: 0, renewsAt: null });
  });

  it("are refused without a credit, and of many for the last one only one is made (docs/guides/enrichment.md#credits)", async () => {
    const { workspace, api, person, enrich, credits } = await setUp();
    provider.answer(hang);
    await enrich();
    await scene.server.database.read("update credits set remaining = 1 where workspace_id = $1", [workspace.uuid]);
    const patient = scene.patientApi(workspace.ada);
    const answers = await Promise.all(Array.from({ length: 8 }, () => patient.post(`/v1/people/${person.id}/enrich`)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(7);
    for (const { status, error } of refused)
      expect([status, error]).toMatchObject([403, { code: "FORBIDDEN", details: { remaining: 0 } }]);
    expect(await credits()).toEqual({ remaining: 0, used: 2, renewsAt: null });
    expect((await api.get("/v1/enrichments")).items).toHaveLength(2);
    expect((await api.post(`/v1/people/${toId("person", newUuid())}/enrich`)).status).toBe(404);
    await api.delete(`/v1/people/${person.id}`);
    expect(await credits()).toEqual({ remaining: 2, used: 0, renewsAt: null });
  });
});
