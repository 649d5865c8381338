import { expect, it } from "@jest/globals";
import type { Answer, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { brokenInvariants } from "./record-invariants.ts";

const requestOf = ({ headers }: Answer) => ({ requestId: String(headers["x-request-id"]) });
const refs = (...records: { id: string }[]) => records.map(({ id }) => ({ id }));

interface Undone {
  undone: number;
  skipped: { id: string; entityType: string; reason: string; changes: { path: string[] }[] }[];
}

// docs/guides/history-and-undo.md#undo
describeServer("An undo of a merge", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const undo = async (body: object): Promise<Undone> => {
      const answer = await api.post("/v1/undo", body);
      expect([answer.status, await brokenInvariants(scene.server.database, workspace.uuid)]).toEqual([200, []]);
      return answer.data as unknown as Undone;
    };
    const merge = (path: string, survivor: Item, ...merged: Item[]) =>
      api.post(`${path}/${survivor.id}/merge`, { records: refs(...merged) });
    const read = async (path: string, { id }: Item) => (await api.get(`${path}/${id}`)).data;
    return { ...workspace, api, made, undo, merge, read };
  }

  it("leaves what the survivor was given since, and says so", async () => {
    const { api, made, undo, merge, read } = await setUp();
    const survivor = await made("/v1/people", { emails: ["a@x"] });
    const other = await made("/v1/people", { emails: ["b@x"], jobTitle: "Admiral", birthday: "1906-12-09" });
    const merged = await merge("/v1/people", survivor, other);
    await api.patch(`/v1/people/${survivor.id}`, { jobTitle: "Captain" });
    const { skipped } = await undo(requestOf(merged));
    expect(skipped.map(({ id, reason, changes }) => [id, reason, changes.map(({ path }) => path)])).toEqual([
      [survivor.id, "changedSince", [["jobTitle"]]],
    ]);
    expect(await read("/v1/people", survivor)).toMatchObject({ emails: ["a@x"], jobTitle: "Captain", birthday: null });
    expect(await read("/v1/people", other)).toMatchObject({ id: other.id, emails: ["b@x"], jobTitle: "Admiral" });
  });

  it("leaves notes that were written after it with the survivor, and gives back those from before", async () => {
    const { api, made, undo, merge } = await setUp();
    const [survivor, other] = [await made("/v1/people", {}), await made("/v1/people", {})];
    const note = (about: Item) =>
      made("/v1/notes", { entity: { id: about.id }, visibility: "public", content: `${about.id}` });
    const [mine, its] = [await note(survivor), await note(other)];
    const merged = await merge("/v1/people", survivor, other);
    const later = await note(survivor);
    expect((await undo(requestOf(merged))).skipped).toEqual([]);
    const of = async ({ id }: Item) => (await api.get(`/v1/notes?entity.id=${id}`)).items.map((one) => one.id).sort();
    expect(await of(survivor)).toEqual([mine.id, later.id].sort());
    expect(await of(other)).toEqual([its.id]);
  });

  it("gives links of others their places again, in custom fields too", async () => {
    const { api, ada, made, undo, merge, group, field, read } = await setUp();
    const team = await group(ada);
    await field(ada, team, "company", { type: "contactField", name: "Contacts" });
    const [a, b, c] = [await made("/v1/people", {}), await made("/v1/people", {}), await made("/v1/people", {})];
    const companies = [];
    for (const name of ["A", "B"]) companies.push(await made("/v1/companies", { name }));
    const [first, second] = companies as [Item, Item];
    const linked = await made("/v1/people", { companies: refs(second, first) });
    const values = { [team.id]: { Contacts: refs(a, c, b) } };
    const company = await made("/v1/companies", { name: "C", groups: [{ id: team.id }], customFieldValues: values });
    const state = async () => [
      Object(await read("/v1/companies", company)).customFieldValues,
      Object(await read("/v1/people", linked)).companies,
    ];
    const before = await state();
    const people = await merge("/v1/people", a, b);
    const merged = await merge("/v1/companies", first, second);
    expect(await state()).not.toEqual(before);
    expect((await undo(requestOf(merged))).skipped).toEqual([]);
    expect((await undo(requestOf(people))).skipped).toEqual([]);
    expect(await state()).toEqual(before);
    expect((await api.get(`/v1/people/${b.id}`)).data.id).toBe(b.id);
  });

  // docs/guides/history-and-undo.md#what-is-left-alone
  it("is not possible without the survivor, and leaves a company merged whose name is taken", async () => {
    const { api, made, undo, merge, read } = await setUp();
    const [survivor, other] = [await made("/v1/people", {}), await made("/v1/people", { jobTitle: "x" })];
    const gone = await merge("/v1/people", survivor, other);
    await api.delete(`/v1/people/${survivor.id}`);
    const { undone, skipped } = await undo(requestOf(gone));
    expect([undone, skipped.map(({ reason }) => reason)]).toEqual([0, expect.arrayContaining(["gone"])]);
    expect((await api.get(`/v1/people/${other.id}`)).status).toBe(404);
    const names = ["Acme", "Acme Ltd", "Acme Inc"];
    const companies = [];
    for (const name of names) companies.push(await made("/v1/companies", { name }));
    const [acme, ltd, inc] = companies as [Item, Item, Item];
    const merged = await merge("/v1/companies", acme, ltd, inc);
    await made("/v1/companies", { name: "Acme Ltd" });
    const back = await undo(requestOf(merged));
    expect(back.skipped.map(({ id, reason }) => [id, reason])).toEqual([[ltd.id, "nameTaken"]]);
    expect(await read("/v1/companies", inc)).toMatchObject({ id: inc.id, name: "Acme Inc" });
    expect((await read("/v1/companies", ltd)).id).toBe(acme.id);
  });

  it("is undone by another undo, after which the ids of the merged records lead to the survivor again", async () => {
    const { api, made, merge, undo, read } = await setUp();
    const [survivor, other] = [await made("/v1/people", {}), await made("/v1/people", { jobTitle: "x" })];
    const merged = await merge("/v1/people", survivor, other);
    const undone = await api.post("/v1/undo", requestOf(merged));
    expect(await read("/v1/people", survivor)).toMatchObject({ jobTitle: "" });
    expect((await undo(requestOf(undone))).skipped).toEqual([]);
    expect(await read("/v1/people", survivor)).toMatchObject({ id: survivor.id, jobTitle: "x" });
    expect(await api.all("/v1/people")).toHaveLength(1);
  });
});
