import { describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Notes", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const note = async (more: object = {}, by: Client = api) =>
      (await by.post("/v1/notes", { entity: { id: person.id }, visibility: "public", content: "Met.", ...more })).data;
    return { workspace, ada, bob, api, asBob, person, note };
  }
  const contents = (items: Item[]) => items.map(({ content }) => content);

  it("are about a person, a company or an object, and answer all that they have (docs/guides/notes.md#fields)", async () => {
    const { workspace, ada, api, person } = await setUp();
    const group = await workspace.group(ada);
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    const { data: company } = await api.post("/v1/companies", { name: "Acme" });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" });
    for (const [record, entityType, fullName] of [
      [person, "person", "Grace Hopper"],
      [company, "company", "Acme"],
      [deal, "object", "Big"],
    ] as const) {
      const sent = { entity: { id: record.id }, visibility: "private", content: " # Title\n\n*kept* as it is " };
      const { data } = await api.post("/v1/notes", sent);
      expect(data).toEqual({
        id: expect.stringMatching(/^nte_[0-9a-f-]{36}$/),
        entity: { id: record.id, entityType, fullName },
        content: sent.content,
        visibility: "private",
        author: { type: "user", id: ada.id, fullName: ada.fullName, email: ada.email, deleted: false },
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        parentNote: null,
      });
      expect((await api.get(`/v1/notes/${data.id}`)).data).toEqual(data);
    }
  });

  it("are refused with all faults, also those of the record and the parent that they name", async () => {
    const { api, person } = await setUp();
    const faults = async (body: unknown) =>
      (await api.post("/v1/notes", body)).issues.map(({ code, path }) => [code, ...path]);
    expect(await faults({})).toEqual([
      ["invalid_type", "entity"],
      ["invalid_type", "content"],
      ["invalid_type", "visibility"],
    ]);
    const least = { entity: { id: person.id }, visibility: "public", content: "x" };
    expect(await faults({ ...least, content: "", visibility: "team", title: "x" })).toEqual([
      ["too_small", "content"],
      ["invalid_enum_value", "visibility"],
      ["unrecognized_keys"],
    ]);
    expect(await faults({ ...least, content: "x".repeat(100_001) })).toEqual([["too_big", "content"]]);
    expect(await faults({ ...least, content: "a\u0000" })).toEqual([["custom", "content"]]);
    for (const id of [toId("person", newUuid()), toId("note", newUuid()), "x".repeat(40)])
      expect(await faults({ ...least, entity: { id }, parentNote: { id: toId("note", newUuid()) } })).toEqual([
        ["custom", "entity", "id"],
        ["custom", "parentNote", "id"],
      ]);
    expect((await api.post("/v1/notes", { ...least, content: "x".repeat(100_000) })).status).toBe(200);
  });

  it("change content and visibility, and stay with their record (docs/guides/notes.md#fields)", async () => {
    const { api, note, person } = await setUp();
    const { id } = await note();
    expect((await api.patch(`/v1/notes/${id}`, { content: "Said no." })).data).toMatchObject({
      content: "Said no.",
      visibility: "public",
    });
    expect((await api.patch(`/v1/notes/${id}`, { visibility: "private" })).data).toMatchObject({ content: "Said no." });
    expect((await api.patch(`/v1/notes/${id}`, { entity: { id: person.id } })).issues).toMatchObject([
      { code: "unrecognized_keys", path: [] },
    ]);
    expect((await api.patch(`/v1/notes/${id}`, { content: null })).status).toBe(422);
    expect((await api.delete(`/v1/notes/${id}`)).data).toEqual({ id });
    expect((await api.get(`/v1/notes/${id}`)).status).toBe(404);
  });

  it("are changed by their author and admins of the workspace only (docs/guides/notes.md#who-sees-what)", async () => {
    const { workspace, api, asBob, note } = await setUp();
    const asCleo = scene.api(await workspace.user("Cleo Park"));
    const { id } = await note({}, asBob);
    expect((await asCleo.patch(`/v1/notes/${id}`, { content: "x" })).error.code).toBe("FORBIDDEN");
    expect((await asCleo.delete(`/v1/notes/${id}`)).error.code).toBe("FORBIDDEN");
    expect((await asBob.patch(`/v1/notes/${id}`, { content: "Mine." })).status).toBe(200);
    expect((await api.patch(`/v1/notes/${id}`, { content: "The admin's." })).status).toBe(200);
    expect((await api.delete(`/v1/notes/${id}`)).status).toBe(200);
  });

  it("that are private are seen by their author alone, not even by admins (docs/guides/notes.md#who-sees-what)", async () => {
    const { api, asBob, note, person } = await setUp();
    const { id } = await note({ visibility: "private", content: "secret words" }, asBob);
    await note({ content: "public words" });
    for (const answer of [
      await api.get(`/v1/notes/${id}`),
      await api.patch(`/v1/notes/${id}`, { content: "x" }),
      await api.delete(`/v1/notes/${id}`),
    ])
      expect(answer.error.code).toBe("RESOURCE_NOT_FOUND");
    expect(contents((await api.get("/v1/notes?query=words")).items)).toEqual(["public words"]);
    expect(contents((await asBob.get(`/v1/notes?entity.id=${person.id}`)).items)).toEqual([
      "secret words",
      "public words",
    ]);
  });

  it("about an object are seen by those who see its group (docs/guides/notes.md#entities)", async () => {
    const { workspace, ada, bob, api, asBob } = await setUp();
    const group = await workspace.group(ada, { members: [[bob, "reader"]] });
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" });
    const write = (by: Client) =>
      by.post("/v1/notes", { entity: { id: deal.id }, visibility: "public", content: "On it" });
    const { data } = await write(asBob);
    expect(data.author).toMatchObject({ id: bob.id });
    await api.delete(`/v1/groups/${group.id}/members/${bob.id}`);
    expect((await asBob.get(`/v1/notes/${data.id}`)).status).toBe(404);
    expect((await asBob.get("/v1/notes")).items).toEqual([]);
    expect((await asBob.get(`/v1/notes?entity.id=${deal.id}`)).items).toEqual([]);
    expect((await write(asBob)).issues).toMatchObject([{ code: "custom", path: ["entity", "id"] }]);
    expect((await api.get("/v1/notes")).items).toHaveLength(1);
  });

  it("of a removed user tell no name (docs/guides/notes.md#authors)", async () => {
    const { workspace, bob, api, asBob, note } = await setUp();
    const { id } = await note({}, asBob);
    await workspace.remove(bob);
    expect((await api.get(`/v1/notes/${id}`)).data.author).toEqual({ type: "user", id: bob.id, deleted: true });
  });

  it("go with their record, and move with a merge, under its old id too (docs/guides/merging.md#what-moves)", async () => {
    const { api, person, note } = await setUp();
    const { data: twin } = await api.post("/v1/people", { fullName: "G. Hopper" });
    const moved = await note({ entity: { id: twin.id }, content: "Of the twin." });
    await api.post(`/v1/people/${person.id}/merge`, { records: [{ id: twin.id }] });
    expect((await api.get(`/v1/notes/${moved.id}`)).data.entity).toMatchObject({
      id: person.id,
      fullName: "Grace Hopper",
    });
    const { entity } = await note({ entity: { id: twin.id }, content: "By the alias." });
    expect(entity).toMatchObject({ id: person.id });
    for (const id of [person.id, twin.id])
      expect(contents((await api.get(`/v1/notes?entity.id=${id}`)).items)).toEqual(["Of the twin.", "By the alias."]);
    await api.delete(`/v1/people/${person.id}`);
    expect((await api.get(`/v1/notes/${moved.id}`)).status).toBe(404);
    expect((await api.get(`/v1/notes?entity.id=${person.id}`)).items).toEqual([]);
  });

  it("are never left behind by a record that is deleted while they are written", async () => {
    const { workspace, ada, api } = await setUp();
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await api.post("/v1/people", { fullName: `P ${i}` })).data.id),
    );
    const patient = scene.patientApi(ada);
    await Promise.all(
      people.flatMap((id) => [
        patient.post("/v1/notes", { entity: { id }, visibility: "public", content: "x" }),
        patient.delete(`/v1/people/${id}`),
      ]),
    );
    const left = await scene.server.database.read<{ count: number }>(
      "select count(*)::int as count from notes where workspace_id = $1",
      [workspace.uuid],
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  describe("in threads (docs/guides/notes.md#threads)", () => {
    it("tell the note that they reply to, without its own parent", async () => {
      const { api, asBob, bob, note } = await setUp();
      const parent = await note({ content: "The question" }, asBob);
      const reply = await note({ content: "The answer", parentNote: { id: parent.id } });
      const { parentNote, ...rest } = parent;
      expect(parentNote).toBeNull();
      expect(reply.parentNote).toEqual({ ...rest, deleted: false });
      expect(reply.parentNote).toMatchObject({ author: { id: bob.id } });
      await api.delete(`/v1/notes/${parent.id}`);
      expect((await api.get(`/v1/notes/${reply.id}`)).data.parentNote).toEqual({ id: parent.id, deleted: true });
    });

    it("hide the content of a parent that is private by now", async () => {
      const { api, asBob, note } = await setUp();
      const parent = await note({ content: "The question" }, asBob);
      const reply = await note({ parentNote: { id: parent.id } });
      await asBob.patch(`/v1/notes/${parent.id}`, { visibility: "private" });
      expect((await api.get(`/v1/notes/${reply.id}`)).data.parentNote).toMatchObject({ id: parent.id, content: null });
      expect((await asBob.get(`/v1/notes/${reply.id}`)).data.parentNote).toMatchObject({ content: "The question" });
    });

    it("are one level deep and about one record, and need a parent that the author sees", async () => {
      const { api, asBob, note, person } = await setUp();
      const [parent, hidden] = [await note(), await note({ visibility: "private" }, asBob)];
      const reply = await note({ parentNote: { id: parent.id } });
      const { data: other } = await api.post("/v1/people", {});
      const refused = async (entityId: string, id: string) =>
        (
          await api.post("/v1/notes", {
            entity: { id: entityId },
            visibility: "public",
            content: "x",
            parentNote: { id },
          })
        ).issues;
      for (const [entityId, id] of [
        [person.id, reply.id],
        [other.id, parent.id],
        [person.id, hidden.id],
      ] as const)
        expect(await refused(entityId, id)).toMatchObject([{ code: "custom", path: ["parentNote", "id"] }]);
    });
  });

  describe("in lists (docs/guides/notes.md#lists)", () => {
    it("come in the order of creation, page by page, of one record where it is named", async () => {
      const { api, note } = await setUp();
      const { data: other } = await api.post("/v1/people", {});
      for (const content of ["a", "b", "c"]) await note({ content });
      await note({ content: "elsewhere", entity: { id: other.id } });
      const pages = await api.pages("/v1/notes?limit=3");
      expect(pages.map(contents)).toEqual([["a", "b", "c"], ["elsewhere"]]);
      expect(contents(await api.all(`/v1/notes?entity.id=${other.id}&limit=1`))).toEqual(["elsewhere"]);
      expect(contents(await api.all(`/v1/notes?entity[id]=${other.id}`))).toEqual(["elsewhere"]);
    });

    it("are empty for a record that is not there, and refuse what is no id", async () => {
      const { api, note } = await setUp();
      await note();
      for (const id of [toId("person", newUuid()), toId("note", newUuid())])
        expect((await api.get(`/v1/notes?entity.id=${id}`)).items).toEqual([]);
      expect((await api.get("/v1/notes?entity.id=abc")).issues).toMatchObject([{ path: ["entity.id"] }]);
    });

    it("leave out what other parameters say that notes do not have", async () => {
      const { api, note } = await setUp();
      await note();
      const unknown = "personId=x&companyId=y&entityId=z&filter[content][eq]=q&filter[a]=b";
      expect((await api.get(`/v1/notes?${unknown}`)).items).toHaveLength(1);
    });

    it("take bounds of time, which are exclusive, as timestamps and dates", async () => {
      const { api, note } = await setUp();
      const first = await note({ content: "first" });
      // The next one is not made in the same millisecond.
      await until(
        "a millisecond has passed",
        async () => Date.now() > Date.parse(String(first.createdAt)) || undefined,
      );
      await note({ content: "second" });
      const found = async (query: string) => contents((await api.get(`/v1/notes?${query}`)).items);
      const at = encodeURIComponent(String(first.createdAt));
      expect(await found(`createdAfter=${at}`)).toEqual(["second"]);
      expect(await found(`createdBefore=${at}`)).toEqual([]);
      const shifted = `${new Date(Date.parse(String(first.createdAt)) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
      expect(await found(`createdAfter=${encodeURIComponent(shifted)}`)).toEqual(["second"]);
      const day = String(first.createdAt).slice(0, 10);
      expect(await found(`createdAfter=${day}`)).toEqual(["first", "second"]);
      expect(await found(`createdBefore=${day}`)).toEqual([]);
      expect(await found("createdAfter=9999-12-31")).toEqual([]);
      for (const wrong of ["yesterday", "2026-02-30", "2026-01-01T25:00:00Z", ""])
        expect((await api.get(`/v1/notes?createdAfter=${wrong}`)).issues).toMatchObject([{ path: ["createdAfter"] }]);
    });
  });

  describe("are found by their words (docs/guides/notes.md#search)", () => {
    const TEXTS = [
      "The Quarterly budget was approved: 50% more, see https://example.com/plans_2026",
      "Größenwahn beim Frühstück",
      "これは予算会議の議事録です",
      "关于北京大学的采购合同",
      "ประชุมงบประมาณประจำปี",
      "اجتماع الميزانية السنوية",
      "Встреча по бюджету 🎉 👍🏽",
      "예산 회의록",
      "O'Neil's well-known café, \\back'slash",
    ];
    const FOUND: [query: string, texts: number[]][] = [
      ["budget", [0]],
      ["QUARTER", [0]],
      ["approved quarterly", [0]],
      ["approved nowhere", []],
      ["udget", []],
      ["example.com", [0]],
      ["plans 202", [0]],
      ["größen", [1]],
      ["FRÜHSTÜCK", [1]],
      ["Fru\u0308hstu\u0308ck", [1]],
      ["予算", [2]],
      ["予算会議", [2]],
      ["会議の議事録", [2]],
      ["会議予算", []],
      ["北京", [3]],
      ["大学", [3]],
      ["北", [3]],
      ["北京大学 合同", [3]],
      ["京北", []],
      ["งบประมาณ", [4]],
      ["الميزانية", [5]],
      ["اجتم", [5]],
      ["бюдж", [6]],
      ["🎉", [6]],
      ["👍", [6]],
      ["예산", [7]],
      ["회의", [7]],
      ["o'neil", [8]],
      ["known CAFÉ", [8]],
      ["\\back'", [8]],
      ["   ", [0, 1, 2, 3, 4, 5, 6, 7, 8]],
      ["' & ! ( :* <->", []],
      ["-", []],
    ];

    it("in any language, in any order, by their beginnings", async () => {
      const { api, note } = await setUp();
      for (const content of TEXTS) await note({ content });
      for (const [query, texts] of FOUND) {
        const { items } = await api.get(`/v1/notes?query=${encodeURIComponent(query)}`);
        expect([query, contents(items)]).toEqual([query, texts.map((i) => TEXTS[i])]);
      }
    });

    it("also after a change, and in the notes of one record page by page", async () => {
      const { api, note, person } = await setUp();
      const { data: other } = await api.post("/v1/people", {});
      const changed = await note({ content: "budget" });
      await api.patch(`/v1/notes/${changed.id}`, { content: "forecast" });
      for (const content of ["forecast one", "forecast two"]) await note({ content });
      await note({ content: "forecast elsewhere", entity: { id: other.id } });
      expect((await api.get("/v1/notes?query=budget")).items).toEqual([]);
      const found = await api.all(`/v1/notes?entity.id=${person.id}&query=forecast&limit=1`);
      expect(contents(found)).toEqual(["forecast", "forecast one", "forecast two"]);
    });

    it("and a search is no longer than its limit (docs/guides/limits.md#sizes)", async () => {
      const { api } = await setUp();
      expect((await api.get(`/v1/notes?query=${"x".repeat(1001)}`)).issues).toMatchObject([
        { code: "too_big", path: ["query"], maximum: 1000 },
      ]);
    });
  });
});
