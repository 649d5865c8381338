import { expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Tasks", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const least = { entity: { id: person.id }, title: "Call", dueAt: "2030-01-15" };
    const task = async (more: object = {}, by: Client = api) =>
      (await by.post("/v1/tasks", { ...least, ...more })).data;
    return { workspace, ada, bob, api, asBob, person, least, task };
  }
  const shown = ({ id, fullName, email }: { id: string; fullName: string; email: string }) => ({ id, fullName, email });
  const missing = () => toId("user", newUuid());

  it("with the least that is required have all fields (docs/guides/tasks.md#fields)", async () => {
    const { ada, api, person, least } = await setUp();
    const { data } = await api.post("/v1/tasks", least);
    expect(data).toEqual({
      id: expect.stringMatching(/^tsk_[0-9a-f-]{36}$/),
      entity: { id: person.id, entityType: "person", fullName: "Grace Hopper" },
      title: "Call",
      description: null,
      dueAt: "2030-01-15",
      dueTime: null,
      completedAt: null,
      recurrenceFrequency: null,
      isPublic: true,
      assignedUsers: [shown(ada)],
      createdBy: shown(ada),
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: data.createdAt,
    });
    expect((await api.get(`/v1/tasks/${data.id}`)).data).toEqual(data);
  });

  it("take every field, about a person, a company or an object", async () => {
    const { workspace, ada, bob, api, person } = await setUp();
    const group = await workspace.group(ada);
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    const { data: company } = await api.post("/v1/companies", { name: "Acme" });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" });
    for (const [record, entityType, fullName] of [
      [person, "person", "Grace Hopper"],
      [company, "company", "Acme"],
      [deal, "object", "Big"],
    ] as const) {
      const sent = {
        title: " Send *it* ",
        description: "**md**",
        dueAt: "2030-02-28",
        dueTime: "09:30",
        completedAt: "2026-01-15T10:00:00.000Z",
        recurrenceFrequency: "monthly",
        isPublic: false,
      };
      const named = { entity: { id: record.id }, assignedUsers: [{ email: bob.email.toUpperCase() }, { id: ada.id }] };
      const { data } = await api.post("/v1/tasks", { ...sent, ...named });
      expect(data).toMatchObject(sent);
      expect(data).toMatchObject({
        entity: { id: record.id, entityType, fullName },
        assignedUsers: [shown(bob), shown(ada)],
      });
      expect((await api.get(`/v1/tasks/${data.id}`)).data).toEqual(data);
    }
  });

  it("are refused with all faults (docs/guides/tasks.md#fields)", async () => {
    const { bob, api, least } = await setUp();
    const faults = async (body: unknown) =>
      (await api.post("/v1/tasks", body)).issues.map(({ code, path }) => [code, ...path]);
    expect(await faults({})).toEqual([
      ["invalid_type", "entity"],
      ["invalid_type", "title"],
      ["invalid_type", "dueAt"],
    ]);
    expect(await faults({ ...least, title: "x".repeat(256), description: "x".repeat(100_001) })).toEqual([
      ["too_big", "title"],
      ["too_big", "description"],
    ]);
    for (const dueAt of ["2030-02-30", "tomorrow", "2030-1-1", "2030-01-01T00:00:00.000Z"])
      expect(await faults({ ...least, dueAt })).toEqual([["invalid_string", "dueAt"]]);
    for (const dueTime of ["24:00", "9:30", "09:60", "09:30:00", "noon"])
      expect(await faults({ ...least, dueTime })).toEqual([["invalid_string", "dueTime"]]);
    const wrong = { recurrenceFrequency: "daily", isPublic: "yes", completedAt: "yesterday", name: "x" };
    expect(await faults({ ...least, ...wrong })).toEqual([
      ["invalid_string", "completedAt"],
      ["invalid_enum_value", "recurrenceFrequency"],
      ["invalid_type", "isPublic"],
      ["unrecognized_keys"],
    ]);
    expect(await faults({ ...least, isPublic: null, dueAt: null, assignedUsers: null })).toHaveLength(3);
    const both = { id: bob.id, email: bob.email };
    for (const entity of [toId("person", newUuid()), toId("note", newUuid()), "x".repeat(40)])
      expect(await faults({ ...least, entity: { id: entity }, assignedUsers: [{ id: missing() }] })).toEqual([
        ["custom", "entity", "id"],
        ["custom", "assignedUsers", 0, "id"],
      ]);
    expect(await faults({ ...least, assignedUsers: [both] })).toEqual([["invalid_union", "assignedUsers", 0]]);
    expect(await faults({ ...least, assignedUsers: [{}] })).toEqual([["invalid_union", "assignedUsers", 0]]);
  });

  it("take null where nothing is to be set, and an empty title (docs/guides/tasks.md#fields)", async () => {
    const { task } = await setUp();
    const unset = { description: null, dueTime: null, completedAt: null, recurrenceFrequency: null };
    expect(await task({ ...unset, title: "" })).toMatchObject({ ...unset, title: "" });
  });

  it("change by PATCH in all but the time of completion; null clears (docs/guides/tasks.md#changing)", async () => {
    const { bob, api, task } = await setUp();
    const { data: other } = await api.post("/v1/companies", { name: "Acme" });
    const made = await task({ description: "d", dueTime: "10:00", recurrenceFrequency: "weekly" });
    const patch = async (body: object) => (await api.patch(`/v1/tasks/${made.id}`, body)).data;
    expect(await patch({ title: "New" })).toMatchObject({ ...made, title: "New", updatedAt: expect.any(String) });
    const cleared = { description: null, dueTime: null, recurrenceFrequency: null };
    const changed = { ...cleared, dueAt: "2031-01-01", isPublic: false, assignedUsers: [{ id: bob.id }] };
    expect(await patch({ ...changed, entity: { id: other.id } })).toMatchObject({
      ...changed,
      id: made.id,
      title: "New",
      createdAt: made.createdAt,
      entity: { id: other.id, entityType: "company", fullName: "Acme" },
      assignedUsers: [shown(bob)],
    });
    const refused = await api.patch(`/v1/tasks/${made.id}`, { completedAt: "2026-01-01T00:00:00.000Z" });
    expect(refused.issues).toEqual([{ code: "unrecognized_keys", keys: ["completedAt"], path: [] }]);
    for (const name of ["title", "dueAt", "isPublic", "entity", "assignedUsers"])
      expect((await api.patch(`/v1/tasks/${made.id}`, { [name]: null })).issues).toMatchObject([{ path: [name] }]);
    expect((await api.patch(`/v1/tasks/${made.id}`, { assignedUsers: [] })).issues).toMatchObject([
      { code: "too_small", minimum: 1, path: ["assignedUsers"] },
    ]);
  });

  it("have a later updatedAt when something has changed, and the same when nothing has (docs/guides/tasks.md#fields)", async () => {
    const { ada, api, task, least } = await setUp();
    const sent = { dueTime: "09:30", recurrenceFrequency: "weekly", description: "d" };
    const made = await task(sent);
    const users = { assignedUsers: [{ id: ada.id }] };
    for (const same of [{}, least, sent, { isPublic: true }, users])
      expect((await api.patch(`/v1/tasks/${made.id}`, same)).data).toEqual(made);
    await until("a millisecond has passed", () => Date.now() > Date.parse(String(made.createdAt)));
    let before = made;
    for (const change of [{ title: "New" }, { dueTime: null }, { dueAt: "2030-01-16" }, { isPublic: false }]) {
      const { data } = await api.patch(`/v1/tasks/${made.id}`, change);
      expect(Date.parse(String(data.updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(before.updatedAt)));
      expect(data.updatedAt).not.toBe(made.createdAt);
      before = data;
    }
  });

  it("are deleted once (docs/guides/tasks.md)", async () => {
    const { api, task } = await setUp();
    const { id } = await task();
    expect((await api.delete(`/v1/tasks/${id}`)).data).toEqual({ id });
    expect((await api.get(`/v1/tasks/${id}`)).error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await api.delete(`/v1/tasks/${id}`)).error.code).toBe("RESOURCE_NOT_FOUND");
  });

  it("name each assignee once, and refuse those who are not there (docs/guides/tasks.md#assignees)", async () => {
    const { workspace, ada, bob, api, least, task } = await setUp();
    const twice = [{ email: bob.email }, { id: ada.id }, { id: bob.id }, { email: ada.email }];
    expect(await task({ assignedUsers: twice })).toMatchObject({ assignedUsers: [shown(bob), shown(ada)] });
    const fifty = Array.from({ length: 50 }, () => ({ id: ada.id }));
    expect(await task({ assignedUsers: fifty })).toMatchObject({ assignedUsers: [shown(ada)] });
    const faults = async (assignedUsers: object[]) => (await api.post("/v1/tasks", { ...least, assignedUsers })).issues;
    expect(await faults([...fifty, { id: ada.id }])).toMatchObject([{ code: "too_big", maximum: 50 }]);
    const { ada: stranger } = await scene.workspace();
    await workspace.remove(bob);
    expect(
      await faults([{ id: ada.id }, { email: "nobody@example.test" }, { id: stranger.id }, { id: bob.id }]),
    ).toEqual([
      { code: "custom", path: ["assignedUsers", 1, "email"] },
      { code: "custom", path: ["assignedUsers", 2, "id"] },
      { code: "custom", path: ["assignedUsers", 3, "id"] },
    ]);
  });

  it("do not show assignees who were removed from the workspace (docs/guides/tasks.md#assignees)", async () => {
    const { workspace, ada, bob, api, task } = await setUp();
    const { id } = await task({ assignedUsers: [{ id: bob.id }, { id: ada.id }] });
    await workspace.remove(bob);
    expect((await api.get(`/v1/tasks/${id}`)).data).toMatchObject({ assignedUsers: [shown(ada)] });
    const found = async (query: string) => (await api.get(`/v1/tasks?filter[assigneeUserId]${query}`)).items;
    expect(await found(`[in]=${bob.id}`)).toEqual([]);
    expect(await found(`[not_in]=${bob.id}`)).toHaveLength(1);
  });

  it("that are private are seen by their assignees and their creator alone (docs/guides/tasks.md#who-sees-what)", async () => {
    const { workspace, bob, api, asBob, task } = await setUp();
    const cleo = await workspace.user("Cleo Park", "admin");
    const asCleo = scene.api(cleo);
    const { id } = await task({ isPublic: false, assignedUsers: [{ id: bob.id }] });
    for (const by of [api, asBob]) {
      expect((await by.get(`/v1/tasks/${id}`)).status).toBe(200);
      expect((await by.get("/v1/tasks")).items).toHaveLength(1);
    }
    const hidden = `/v1/tasks/${id}`;
    for (const answer of [
      await asCleo.get(hidden),
      await asCleo.patch(hidden, { title: "x" }),
      await asCleo.delete(hidden),
      await asCleo.post(`${hidden}/mark-as-done`, { completedAt: "2026-01-01T00:00:00Z" }),
      await asCleo.post(`${hidden}/mark-as-todo`),
    ])
      expect(answer.error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await asCleo.get("/v1/tasks")).items).toEqual([]);
    await asBob.patch(hidden, { isPublic: true });
    expect((await asCleo.patch(hidden, { title: "Anybody's" })).data).toMatchObject({ title: "Anybody's" });
    expect((await asCleo.delete(hidden)).status).toBe(200);
  });

  it("about an object are seen and made by those who see its group, readers too (docs/guides/notes.md#entities)", async () => {
    const { workspace, ada, bob, api, asBob, least } = await setUp();
    const group = await workspace.group(ada, { members: [[bob, "reader"]] });
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" });
    const make = () => asBob.post("/v1/tasks", { ...least, entity: { id: deal.id } });
    const { data } = await make();
    expect(data).toMatchObject({ createdBy: shown(bob), entity: { id: deal.id } });
    await api.delete(`/v1/groups/${group.id}/members/${bob.id}`);
    expect((await asBob.get(`/v1/tasks/${data.id}`)).status).toBe(404);
    expect((await asBob.get(`/v1/tasks?filter[entity][in]=${deal.id}`)).items).toEqual([]);
    expect((await make()).issues).toEqual([{ code: "custom", path: ["entity", "id"] }]);
  });

  it("go with their record, and move with a merge (docs/guides/merging.md#what-moves)", async () => {
    const { api, person, task } = await setUp();
    const { data: twin } = await api.post("/v1/people", { fullName: "G. Hopper" });
    const { id } = await task({ entity: { id: twin.id } });
    await api.post(`/v1/people/${person.id}/merge`, { records: [{ id: twin.id }] });
    expect((await api.get(`/v1/tasks/${id}`)).data.entity).toMatchObject({ id: person.id, fullName: "Grace Hopper" });
    expect(await task({ entity: { id: twin.id } })).toMatchObject({ entity: { id: person.id } });
    await api.delete(`/v1/people/${person.id}`);
    expect((await api.get(`/v1/tasks/${id}`)).status).toBe(404);
    expect((await api.get("/v1/tasks")).items).toEqual([]);
  });
});
