import { expect, it } from "@jest/globals";
import type { Answer, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

interface Skipped {
  id: string;
  entityType: string;
  reason: string;
  changes: { path: string[]; before: unknown; after: unknown; now: unknown }[];
}

const START = "2026-01-01";
const DAY = { dueAt: "2031-01-31" };
const TALK = { dateTime: "2026-01-15T10:00:00.000Z", title: "Talk", content: "x", activityType: "meeting" };
const requestOf = ({ headers }: Answer) => ({ requestId: String(headers["x-request-id"]) });
const undoneBy = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as unknown as { undone: number; skipped: Skipped[] };
};
/** A record without what its interactions and its writes count. */
const still = ({ updatedAt: _, interactionMetadata: __, ...item }: Item) => item;

// docs/guides/history-and-undo.md#undo
describeServer("An undo", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const undo = async (body: object) => undoneBy(await api.post("/v1/undo", body));
    const read = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await api.all(path)).map(still)));
    const all = () => read("/v1/people", "/v1/companies", "/v1/notes", "/v1/tasks", "/v1/interactions?timeframe=past");
    return { ...workspace, api, made, undo, all };
  }

  it("of a merge gives back notes, tasks, interactions, links and ids, and of that undo merges again", async () => {
    const { api, made, undo, all } = await setUp();
    const company = await made("/v1/companies", { name: "Acme" });
    const survivor = await made("/v1/people", { fullName: "Grace" });
    const other = await made("/v1/people", {
      fullName: "Gracie",
      emails: ["g@x"],
      companies: [{ id: company.id }],
    });
    const entity = { id: other.id };
    await made("/v1/notes", { entity, visibility: "private", content: "a" });
    await made("/v1/tasks", { entity, title: "a", ...DAY });
    await made("/v1/interactions", { entity, ...TALK });
    const before = await all();
    const merge = await api.post(`/v1/people/${survivor.id}/merge`, { records: [{ id: other.id }] });
    const merged = await all();
    expect(merged).not.toEqual(before);
    const undone = await api.post("/v1/undo", requestOf(merge));
    expect(undoneBy(undone).skipped).toEqual([]);
    expect(await all()).toEqual(before);
    expect((await api.get(`/v1/people/${other.id}`)).data.id).toBe(other.id);
    expect((await undo(requestOf(undone))).skipped).toEqual([]);
    // The second undo has put the other into the trash and has not merged it, and the survivor has its values again.
    expect((await api.get(`/v1/people/${survivor.id}`)).data.emails).toEqual(["g@x"]);
  });

  it("of updates, creates and deletions is taken back by a second one", async () => {
    const { api, made, undo, all } = await setUp();
    const first = await made("/v1/people", { firstName: "A", companies: [{ name: "Acme" }] });
    const lost = await made("/v1/people", { firstName: "Lost" });
    await made("/v1/notes", { entity: { id: lost.id }, visibility: "public", content: "x" });
    const before = await all();
    const done = await api.post("/v1/transactions", {
      operations: [
        { method: "PATCH", path: `/v1/people/${first.id}`, body: { firstName: "B", companies: [] } },
        { method: "DELETE", path: `/v1/people/${lost.id}` },
        { method: "POST", path: "/v1/people", body: { firstName: "New" } },
      ],
    });
    const after = await all();
    const undone = await api.post("/v1/undo", requestOf(done));
    expect(undoneBy(undone)).toMatchObject({ undone: 3, skipped: [] });
    expect(await all()).toEqual(before);
    const [entry] = (await api.get(`/v1/people/${first.id}/history`)).items;
    expect(entry).toMatchObject({ source: "undo", ...requestOf(undone) });
    expect(await undo(requestOf(undone))).toMatchObject({ undone: 3, skipped: [] });
    expect(await all()).toEqual(after);
  });

  it("of a restore deletes notes and tasks with their record, so that they come back with it", async () => {
    const { api, made, undo, all } = await setUp();
    const { id } = await made("/v1/people", {});
    await made("/v1/notes", { entity: { id }, visibility: "public", content: "x" });
    await made("/v1/tasks", { entity: { id }, title: "a", ...DAY });
    const before = await all();
    await api.delete(`/v1/people/${id}`);
    const trash = async () => (await api.all("/v1/trash")).map(({ entityType, via }) => [entityType, via]).sort();
    const deleted = await trash();
    const restored = await api.post(`/v1/people/${id}/restore`);
    expect(await undo(requestOf(restored))).toEqual({ undone: 1, skipped: [] });
    expect(await trash()).toEqual(deleted);
    await api.post(`/v1/people/${id}/restore`);
    expect(await all()).toEqual(before);
  });

  it("leaves fields that have changed since, and says so with the three values", async () => {
    const { api, made, undo } = await setUp();
    const { id } = await made("/v1/people", { jobTitle: "a", firstName: "A" });
    const task = await made("/v1/tasks", { entity: { id }, title: "a", ...DAY });
    const people = [];
    for (const fullName of ["One", "Two"]) people.push(await made("/v1/people", { fullName }));
    const update = await api.post("/v1/transactions", {
      operations: [
        { method: "PATCH", path: `/v1/people/${id}`, body: { jobTitle: "b", firstName: "B" } },
        { method: "PATCH", path: `/v1/tasks/${task.id}`, body: { entity: { id: people[0]?.id }, title: "b" } },
      ],
    });
    await api.patch(`/v1/people/${id}`, { jobTitle: "c" });
    await api.patch(`/v1/tasks/${task.id}`, { entity: { id: people[1]?.id } });
    const { undone, skipped } = await undo(requestOf(update));
    expect([undone, skipped]).toEqual([
      2,
      expect.arrayContaining([
        {
          id,
          entityType: "person",
          reason: "changedSince",
          changes: [{ path: ["jobTitle"], before: "a", after: "b", now: "c" }],
        },
        {
          id: task.id,
          entityType: "task",
          reason: "changedSince",
          changes: [
            {
              path: ["entity"],
              before: { id, fullName: expect.any(String) },
              after: { id: people[0]?.id, fullName: "One" },
              now: { id: people[1]?.id, fullName: "Two" },
            },
          ],
        },
      ]),
    ]);
    expect(skipped).toHaveLength(2);
    expect((await api.get(`/v1/people/${id}`)).data).toMatchObject({ jobTitle: "c", firstName: "A" });
    expect((await api.get(`/v1/tasks/${task.id}`)).data).toMatchObject({ title: "a" });
  });

  it("leaves a new record that others have changed, or have put notes to", async () => {
    const { api, user } = await setUp();
    const bob = scene.api(await user("Bob"));
    const batch = await api.post("/v1/people/batch/create", { records: [{}, {}, {}] });
    const ids = (batch.data.results as { data: Item }[]).map(({ data }) => data.id);
    await bob.patch(`/v1/people/${ids[0]}`, { jobTitle: "x" });
    await bob.post("/v1/notes", { entity: { id: ids[1] }, visibility: "public", content: "x" });
    const { undone, skipped } = undoneBy(await api.post("/v1/undo", requestOf(batch)));
    expect(undone).toBe(1);
    expect(skipped.map(({ id, reason, changes }) => [id, reason, changes]).sort()).toEqual(
      [ids[0], ids[1]].map((id) => [id, "changedSince", []]).sort(),
    );
    expect((await api.all("/v1/people")).map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
  });

  it("says what is gone, and whose name is taken", async () => {
    const { api, made, undo } = await setUp();
    const person = await made("/v1/people", {});
    const update = await api.patch(`/v1/people/${person.id}`, { jobTitle: "x" });
    await api.delete(`/v1/people/${person.id}`);
    expect(await undo(requestOf(update))).toEqual({
      undone: 0,
      skipped: [expect.objectContaining({ id: person.id, entityType: "person", reason: "gone" })],
    });
    const company = await made("/v1/companies", { name: "Acme", industry: "a" });
    const renamed = await api.patch(`/v1/companies/${company.id}`, { name: "Globex", industry: "b" });
    const second = await made("/v1/companies", { name: "Acme" });
    const { undone, skipped } = await undo(requestOf(renamed));
    expect([undone, skipped.map(({ id, reason }) => [id, reason])]).toEqual([1, [[company.id, "nameTaken"]]]);
    expect((await api.get(`/v1/companies/${company.id}`)).data).toMatchObject({ name: "Globex", industry: "a" });
    const deleted = await api.delete(`/v1/companies/${second.id}`);
    await made("/v1/companies", { name: "Acme" });
    expect(await undo(requestOf(deleted))).toMatchObject({
      undone: 0,
      skipped: [{ id: second.id, reason: "nameTaken", changes: [] }],
    });
  });

  // docs/guides/history-and-undo.md#what-is-left-alone
  it("leaves changes of groups, members and fields, and says so", async () => {
    const { api, made, undo } = await setUp();
    const group = await made("/v1/groups", { name: "Team", visibility: "private" });
    const renamed = await api.patch(`/v1/groups/${group.id}`, { name: "Other" });
    expect(await undo(requestOf(renamed))).toEqual({
      undone: 0,
      skipped: [{ id: group.id, entityType: "group", reason: "notSupported", changes: [] }],
    });
    expect(await undo({ requestId: "01a00000-0000-7000-8000-000000000000" })).toEqual({ undone: 0, skipped: [] });
  });

  // docs/guides/history-and-undo.md#who-may-undo
  it("of others is for admins, and a read key may undo nothing", async () => {
    const { api, ada, user, key } = await setUp();
    const bob = await user("Bob");
    const bobs = scene.api(bob);
    const [adas, own] = [await api.post("/v1/people", {}), await bobs.post("/v1/people", {})];
    const readKey = await key(ada, { access: "read" });
    const statuses = async (body: object) => [
      (await bobs.post("/v1/undo", body)).status,
      (await scene.api(readKey.key).post("/v1/undo", body)).status,
    ];
    expect(await statuses(requestOf(adas))).toEqual([403, 403]);
    expect(await statuses({ since: START, userId: ada.id })).toEqual([403, 403]);
    expect(await statuses({ since: START, source: "api" })).toEqual([403, 403]);
    expect(await api.all("/v1/people")).toHaveLength(2);
    // Another key of the same user.
    const second = await key(bob);
    expect(undoneBy(await scene.api(second.key).post("/v1/undo", requestOf(own)))).toMatchObject({ undone: 1 });
    expect(undoneBy(await api.post("/v1/undo", { since: START, userId: ada.id }))).toMatchObject({ undone: 1 });
    expect(await api.all("/v1/people")).toEqual([]);
  });

  it("leaves what needs a role that the caller has lost", async () => {
    const { ada, api, user, group, leave } = await setUp();
    const bob = await user("Bob");
    const team = await group(ada, { members: [[bob, "contributor"]] });
    const bobs = scene.api(bob);
    const made = await bobs.post("/v1/people", { groups: [{ id: team.id }] });
    const path = `/v1/people/${made.data.id}`;
    const update = await bobs.patch(path, { groups: [], jobTitle: "x" });
    await leave(ada, team, bob);
    const { undone, skipped } = undoneBy(await bobs.post("/v1/undo", requestOf(update)));
    expect([undone, skipped.map(({ reason }) => reason)]).toEqual([1, ["noAccess"]]);
    expect(JSON.stringify(skipped)).not.toContain(team.id);
    expect((await api.get(path)).data).toMatchObject({ jobTitle: "", groups: [] });
  });

  it("takes a time that begins at since and ends before until, narrowed by user, key and source", async () => {
    const { api, ada, key, undo } = await setUp();
    const other = await key(ada);
    const own = (await api.post("/v1/people", {})).data;
    await scene.api(other.key).post("/v1/people", {});
    const [{ at } = { at: "" }] = (await api.get(`/v1/people/${own.id}/history`)).items as unknown as { at: string }[];
    expect(await undo({ since: START, until: START, userId: ada.id })).toMatchObject({ undone: 0 });
    expect(await undo({ since: START, keyId: other.id, source: "import" })).toMatchObject({ undone: 0 });
    expect(await undo({ since: START, keyId: other.id })).toMatchObject({ undone: 1 });
    expect(await undo({ since: START, until: at, userId: ada.id, source: "api" })).toMatchObject({ undone: 0 });
    expect(await undo({ since: at, source: "api", userId: ada.id })).toMatchObject({ undone: 1 });
    for (const body of [
      {},
      { since: START },
      { userId: ada.id },
      { ...{ since: START, source: "api" }, requestId: "x" },
    ])
      expect([body, (await api.post("/v1/undo", body)).status]).toEqual([body, 422]);
  });

  it("takes back the changes of 1,000 records, and of more nothing", async () => {
    const { api, ada, undo } = await setUp();
    const records = Array.from({ length: 100 }, () => ({}));
    for (let i = 0; i < 10; i += 1) await api.post("/v1/people/batch/create", { records });
    await api.post("/v1/people", {});
    const answer = await api.post("/v1/undo", { since: START, userId: ada.id });
    expect([answer.status, answer.issues]).toEqual([
      422,
      [expect.objectContaining({ code: "custom", path: ["since"], params: { records: 1001 } })],
    ]);
    const [last] = (await api.get("/v1/people?limit=1")).items;
    expect(await api.all("/v1/people?limit=100")).toHaveLength(1001);
    const [{ requestId } = { requestId: "" }] = (await api.get(`/v1/people/${last?.id}/history`)).items as unknown as {
      requestId: string;
    }[];
    expect((await undo({ requestId })).undone).toBeGreaterThan(0);
  });
});
