import { expect, it } from "@jest/globals";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

interface Change {
  path: string[];
  before: unknown;
  after: unknown;
}

interface Entry {
  action: string;
  source: string;
  requestId: string;
  user: object | null;
  key: object | null;
  at: string;
  changes: Change[];
  records?: object[];
  recordId?: string;
}

async function historyOf(api: Client, path: string): Promise<Entry[]> {
  return (await api.all(`${path}/history`)) as unknown as Entry[];
}

/** Changes as `[path, before, after]`, the path with dots. */
const changesOf = (entry: Entry | undefined) =>
  (entry?.changes ?? []).map(({ path, before, after }) => [path.join("."), before, after]);

// docs/guides/history-and-undo.md#history
describeServer("The history", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    return { ...workspace, api, made };
  }

  it("of a person has each write with both values, the newest first, in pages", async () => {
    const { api, ada, made } = await setUp();
    const { id } = await made("/v1/people", { firstName: "Grace", emails: ["a@x"] });
    const path = `/v1/people/${id}`;
    const update = await api.patch(path, { firstName: "Amazing", emails: [], jobTitle: "Admiral" });
    await api.patch(path, { firstName: "Amazing" });
    await api.delete(path);
    await api.post(`${path}/restore`);
    const entries = await historyOf(api, path);
    expect(entries.map(({ action }) => action)).toEqual(["restored", "deleted", "updated", "created"]);
    expect(entries.map(changesOf).slice(0, 2)).toEqual([[], []]);
    expect(changesOf(entries[1 + 1]).sort()).toEqual([
      ["emails", ["a@x"], null],
      ["firstName", "Grace", "Amazing"],
      ["fullName", "Grace", "Amazing"],
      ["jobTitle", null, "Admiral"],
    ]);
    expect(changesOf(entries[3])).toEqual(
      expect.arrayContaining([
        ["firstName", null, "Grace"],
        ["emails", null, ["a@x"]],
      ]),
    );
    expect(changesOf(entries[3]).map(([, before, after]) => [before, after === null])).toEqual(
      changesOf(entries[3]).map(() => [null, false]),
    );
    expect(entries[2]).toMatchObject({
      user: { id: ada.id, fullName: ada.fullName },
      key: { id: expect.stringMatching(/^key_/), name: null },
      source: "api",
      requestId: update.headers["x-request-id"],
    });
    const pages = await api.pages(`${path}/history?limit=1`);
    expect(pages.flat()).toEqual(entries);
    expect(pages.map(({ length }) => length)).toEqual(expect.arrayContaining([1, 1, 1, 1]));
  });

  it("of notes and tasks has the content and references with names", async () => {
    const { api, made, ada, user } = await setUp();
    const bob = await user("Bob Stone");
    const person = await made("/v1/people", { fullName: "Grace Hopper" });
    const other = await made("/v1/people", { fullName: "Alan Turing" });
    const entity = { id: person.id };
    const note = await made("/v1/notes", { entity, visibility: "public", content: "a" });
    await api.patch(`/v1/notes/${note.id}`, { content: "b" });
    const [noted] = await historyOf(api, `/v1/notes/${note.id}`);
    expect(changesOf(noted)).toEqual([["content", "a", "b"]]);
    const task = await made("/v1/tasks", { entity, title: "a", dueAt: "2031-01-31" });
    const assigned = { assignedUsers: [{ id: bob.id }], entity: { id: other.id } };
    await api.patch(`/v1/tasks/${task.id}`, assigned);
    await api.post(`/v1/tasks/${task.id}/mark-as-done`, { completedAt: "2026-01-01T00:00:00.000Z" });
    const [done, moved, created] = await historyOf(api, `/v1/tasks/${task.id}`);
    expect(changesOf(done)).toEqual([["completedAt", null, "2026-01-01T00:00:00.000Z"]]);
    expect(changesOf(moved).sort()).toEqual([
      ["assignedUsers", [{ id: ada.id, fullName: ada.fullName }], [{ id: bob.id, fullName: bob.fullName }]],
      ["entity", { id: person.id, fullName: "Grace Hopper" }, { id: other.id, fullName: "Alan Turing" }],
    ]);
    expect(changesOf(created)).toEqual(expect.arrayContaining([["title", null, "a"]]));
  });

  it("names what is linked as it is called now, and what is gone by its id alone", async () => {
    const { api, made, ada, group, field } = await setUp();
    const team = await group(ada, { name: "Team" });
    await field(ada, team, "person", { type: "textField", name: "Old" });
    const [kept, gone] = [await made("/v1/companies", { name: "Kept" }), await made("/v1/companies", { name: "Gone" })];
    const { id } = await made("/v1/people", {
      companies: [{ id: kept.id }, { id: gone.id }],
      groups: [{ id: team.id }],
      customFieldValues: { [team.id]: { Old: "x" } },
    });
    await api.patch(`/v1/companies/${kept.id}`, { name: "Renamed" });
    await api.delete(`/v1/companies/${gone.id}`);
    await api.patch(`/v1/groups/${team.id}/custom-fields/person/Old`, { name: "New" });
    const entries = await historyOf(api, `/v1/people/${id}`);
    expect(changesOf(entries.at(-1))).toEqual(
      expect.arrayContaining([
        ["companies", null, [{ id: kept.id, fullName: "Renamed" }, { id: gone.id }]],
        ["groups", null, [{ id: team.id, fullName: "Team" }]],
        [`customFieldValues.${team.id}.New`, null, "x"],
      ]),
    );
  });

  it("lists values that went with a group with after null", async () => {
    const { api, made, ada, group, field } = await setUp();
    const team = await group(ada);
    await field(ada, team, "person", { type: "textField", name: "Text" });
    const values = { groups: [{ id: team.id }], customFieldValues: { [team.id]: { Text: "x" } } };
    const { id } = await made("/v1/people", values);
    await api.patch(`/v1/people/${id}`, { groups: [] });
    const [left] = await historyOf(api, `/v1/people/${id}`);
    expect(changesOf(left)).toEqual(
      expect.arrayContaining([
        ["groups", [{ id: team.id, fullName: team.name }], null],
        [`customFieldValues.${team.id}.Text`, "x", null],
      ]),
    );
  });

  it("of a survivor has the merge with its records, and entries of these with recordId", async () => {
    const { api, made } = await setUp();
    const survivor = await made("/v1/people", { fullName: "Grace" });
    const merged = await made("/v1/people", { fullName: "Gracie", jobTitle: "Admiral" });
    await api.patch(`/v1/people/${merged.id}`, { birthday: "1906-12-09" });
    await api.post(`/v1/people/${survivor.id}/merge`, { records: [{ id: merged.id }] });
    const entries = await historyOf(api, `/v1/people/${survivor.id}`);
    const mine = entries.filter(({ recordId }) => recordId === undefined);
    expect(mine.map(({ action }) => action)).toEqual(["merged", "created"]);
    expect(mine[0]?.records).toEqual([{ id: merged.id, fullName: "Gracie" }]);
    expect(changesOf(mine[0]).sort()).toEqual([
      ["birthday", null, "1906-12-09"],
      ["jobTitle", null, "Admiral"],
    ]);
    const its = entries.filter(({ recordId }) => recordId === merged.id);
    expect(its.map(({ action }) => action)).toEqual(["updated", "created"]);
    expect(await historyOf(api, `/v1/people/${merged.id}`)).toEqual(entries);
  });

  it("has an entry for each record of a batch, and for each operation of a transaction, of one request", async () => {
    const { api } = await setUp();
    const batch = await api.post("/v1/people/batch/create", { records: [{ firstName: "A" }, { firstName: "B" }] });
    const ids = (batch.data.results as { data: { id: string } }[]).map(({ data }) => data.id);
    for (const id of ids) {
      const entries = await historyOf(api, `/v1/people/${id}`);
      expect(entries.map(({ requestId }) => requestId)).toEqual([batch.headers["x-request-id"]]);
    }
    const patch = (jobTitle: string) => ({ method: "PATCH", path: `/v1/people/${ids[0]}`, body: { jobTitle } });
    const done = await api.post("/v1/transactions", { operations: [patch("a"), patch("b")] });
    const [second, first] = await historyOf(api, `/v1/people/${ids[0]}`);
    expect([changesOf(first), changesOf(second)]).toEqual([[["jobTitle", null, "a"]], [["jobTitle", "a", "b"]]]);
    expect([first?.requestId, second?.requestId]).toEqual(Array(2).fill(done.headers["x-request-id"]));
  });

  it("leaves out what the caller may not see, also in the trash", async () => {
    const { api, made, ada, user, group, field } = await setUp();
    const bob = scene.api(await user("Bob"));
    const hidden = await group(ada);
    await field(ada, hidden, "person", { type: "textField", name: "Text" });
    await field(ada, hidden, "person", { type: "objectField", name: "Deals" });
    const values = (text: string) => ({ customFieldValues: { [hidden.id]: { Text: text } } });
    const { id } = await made("/v1/people", { firstName: "G", groups: [{ id: hidden.id }], ...values("a") });
    const path = `/v1/people/${id}`;
    await api.patch(path, values("b"));
    await api.patch(path, { jobTitle: "x", ...values("c") });
    const deal = await made(`/v1/groups/${hidden.id}/Deals`, { name: "Secret", people: [{ id }] });
    const note = await made("/v1/notes", { entity: { id }, visibility: "private", content: "secret" });
    const [updated, created, ...others] = await historyOf(bob, path);
    expect([changesOf(updated), others]).toEqual([[["jobTitle", null, "x"]], []]);
    expect(JSON.stringify([updated, created])).not.toContain(hidden.id);
    expect(await historyOf(api, path)).toHaveLength(3);
    const [deals, notes] = [`/v1/groups/${hidden.id}/Deals/${deal.id}`, `/v1/notes/${note.id}`];
    for (const one of [deals, notes]) {
      expect([one, (await bob.get(`${one}/history`)).status]).toEqual([one, 404]);
      await api.delete(one);
      expect([one, (await bob.get(`${one}/history`)).status]).toEqual([one, 404]);
      expect((await historyOf(api, one)).map(({ action }) => action)).toEqual(["deleted", "created"]);
    }
    await api.delete(path);
    expect((await historyOf(bob, path)).map(({ action }) => action)).toEqual(["deleted", "updated", "created"]);
  });
});
