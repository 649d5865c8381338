import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const NOWHERE = "01a00000-0000-7000-8000-000000000000";
const DAY = { dueAt: "2031-01-31" };
const TALK = { dateTime: "2026-01-15T10:00:00.000Z", title: "Talk", content: "x", activityType: "meeting" };
const REMINDER = {
  name: "Call",
  visibility: "private",
  recurrenceRule: "DTSTART;TZID=UTC:20310115T090000\nRRULE:FREQ=MONTHLY;INTERVAL=1",
};

async function trashOf(api: Client, query = ""): Promise<Item[]> {
  return api.all(`/v1/trash${query}`);
}

const idsOf = (items: unknown) => (items as Item[]).map(({ id }) => id);

describeServer("The trash", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    return { ...workspace, api, made };
  }

  // docs/guides/history-and-undo.md#the-trash
  it("lists what was deleted, the last deletion first, by kinds and in pages, with what went along", async () => {
    const { api, ada, made } = await setUp();
    const person = await made("/v1/people", { fullName: "Grace Hopper" });
    const company = await made("/v1/companies", { name: "Acme" });
    const entity = { id: person.id };
    const note = await made("/v1/notes", { entity, visibility: "public", content: `First line${"x".repeat(200)}\nb` });
    const task = await made("/v1/tasks", { entity, title: "Call", ...DAY });
    const reminder = await made("/v1/reminders", { entity, ...REMINDER });
    await api.delete(`/v1/companies/${company.id}`);
    await api.delete(`/v1/tasks/${task.id}`);
    const last = await api.delete(`/v1/people/${person.id}`);
    const items = await trashOf(api);
    const via = { id: person.id, entityType: "person" };
    expect(items).toHaveLength(5);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: person.id,
          entityType: "person",
          fullName: "Grace Hopper",
          deletedBy: { id: ada.id, fullName: ada.fullName },
          requestId: last.headers["x-request-id"],
          via: null,
        }),
        expect.objectContaining({ id: note.id, entityType: "note", fullName: `First line${"x".repeat(90)}`, via }),
        expect.objectContaining({ id: task.id, entityType: "task", fullName: "Call", via: null }),
        expect.objectContaining({ entityType: "task", fullName: "Call", via }),
        expect.objectContaining({ id: company.id, entityType: "company", via: null }),
      ]),
    );
    expect(idsOf(items).slice(-2)).toEqual([task.id, company.id]);
    expect(idsOf(items)).toContain(`tsk_${reminder.id.slice(4)}`);
    expect(await trashOf(api, "?type=note&type=company")).toEqual(
      items.filter(({ entityType }) => entityType === "note" || entityType === "company"),
    );
    expect((await api.get("/v1/trash?type=group")).status).toBe(422);
    expect((await api.pages("/v1/trash?limit=2")).flatMap(idsOf)).toEqual(idsOf(items));
    await api.post(`/v1/people/${person.id}/restore`);
    expect(idsOf(await trashOf(api))).toEqual([task.id, company.id]);
  });

  it("shows people and companies to all, objects to readers of their group, notes and tasks to those who saw them", async () => {
    const { api, ada, made, user, group, field } = await setUp();
    const [reader, stranger] = [await user("Rita"), await user("Sam")];
    const team = await group(ada, { members: [[reader, "reader"]] });
    await field(ada, team, "person", { type: "objectField", name: "Deals" });
    const deals = `/v1/groups/${team.id}/Deals`;
    const [deal, person] = [await made(deals, { name: "Big" }), await made("/v1/people", {})];
    const about = await made(deals, { name: "Stays" });
    const note = (visibility: string, { id }: Item) => ({ entity: { id }, visibility, content: "x" });
    const open = await made("/v1/notes", note("public", person));
    const closed = await made("/v1/notes", note("private", person));
    const ofDeal = await made("/v1/notes", note("public", about));
    const task = await made("/v1/tasks", { entity: { id: person.id }, title: "a", isPublic: false, ...DAY });
    const paths = [`${deals}/${deal.id}`, `/v1/tasks/${task.id}`];
    for (const { id } of [open, closed, ofDeal]) paths.push(`/v1/notes/${id}`);
    for (const path of [...paths, `/v1/people/${person.id}`]) expect((await api.delete(path)).status).toBe(200);
    const seen = async (by: Client) => new Set(idsOf(await trashOf(by)));
    expect(await seen(api)).toEqual(new Set(idsOf([deal, task, open, closed, ofDeal, person])));
    expect(await seen(scene.api(reader))).toEqual(new Set(idsOf([deal, open, ofDeal, person])));
    expect(await seen(scene.api(stranger))).toEqual(new Set(idsOf([open, person])));
    for (const path of paths.filter((_, i) => i !== 2))
      expect([path, (await scene.api(stranger).post(`${path}/restore`)).status]).toEqual([path, 404]);
    expect((await scene.api(reader).post(`${deals}/${deal.id}/restore`)).status).toBe(403);
    expect((await api.post(`${deals}/${deal.id}/restore`)).status).toBe(200);
  });

  // docs/guides/history-and-undo.md#restoring
  it("gives a person back with values, groups, links at their place, notes, tasks, reminders and interactions", async () => {
    const { api, ada, made, group, field } = await setUp();
    const team = await group(ada);
    await field(ada, team, "person", { type: "textField", name: "Text" });
    await field(ada, team, "person", { type: "objectField", name: "Deals" });
    const groups = [{ id: team.id }];
    const company = await made("/v1/companies", { name: "Acme" });
    const person = await made("/v1/people", {
      firstName: "Grace",
      emails: ["g@x"],
      groups,
      companies: [{ id: company.id }],
      customFieldValues: { [team.id]: { Text: "x" } },
    });
    const [first, last] = [await made("/v1/people", { groups }), await made("/v1/people", { groups })];
    const people = [first, person, last].map(({ id }) => ({ id }));
    const deals = `/v1/groups/${team.id}/Deals`;
    const deal = await made(deals, { name: "Big", people });
    const entity = { id: person.id };
    const note = await made("/v1/notes", { entity, visibility: "private", content: "a" });
    const reply = await made("/v1/notes", { entity, visibility: "private", content: "b", parentNote: { id: note.id } });
    const gone = await made("/v1/notes", { entity, visibility: "public", content: "gone before" });
    await made("/v1/tasks", { entity, title: "a", ...DAY });
    await made("/v1/reminders", { entity, ...REMINDER });
    await made("/v1/interactions", { entity, ...TALK });
    const path = `/v1/people/${person.id}`;
    await api.delete(`/v1/notes/${gone.id}`);
    const counted = async () => Object(Object((await api.get(path)).data.interactionMetadata)).workspace;
    await until("the interaction is counted", async () => JSON.stringify(await counted()).includes("2026-01-15"));
    const lists = [path, "/v1/notes", "/v1/tasks", "/v1/reminders", `${deals}/${deal.id}`];
    const state = async () =>
      Promise.all([...lists, `/v1/interactions?entity.id=${person.id}`].map(async (one) => (await api.get(one)).body));
    const before = await state();
    await api.delete(path);
    expect((await api.get(`${deals}/${deal.id}`)).data.people).toHaveLength(2);
    const since = (await api.all("/v1/events")).length;
    const restored = await api.post(`${path}/restore`);
    expect(restored.status).toBe(200);
    const events = (await api.all("/v1/events")).slice(since) as unknown as { type: string; data: Item }[];
    const created = events.filter(({ type }) => type.endsWith(".created"));
    expect(created.map(({ data }) => [data.id, Object(data.details).restored])).toEqual(
      expect.arrayContaining(idsOf([person, note, reply]).map((id) => [id, true])),
    );
    await until(
      "the interaction is counted again",
      async () => JSON.stringify(await state()) === JSON.stringify(before),
    );
    expect((await api.get(`/v1/notes/${gone.id}`)).status).toBe(404);
    expect((await api.post(`${path}/restore`)).status).toBe(404);
  });

  it("gives a company another name where another one has its own by now", async () => {
    const { api, made } = await setUp();
    const { id } = await made("/v1/companies", { name: "Acme", industry: "Anvils" });
    await api.delete(`/v1/companies/${id}`);
    await made("/v1/companies", { name: "Acme" });
    const restore = (body?: object) => api.request("POST", `/v1/companies/${id}/restore`, body);
    for (const body of [undefined, {}, { name: "Acme" }]) {
      const refused = await restore(body);
      expect([refused.status, refused.issues]).toEqual([422, [{ code: "custom", path: ["name"] }]]);
    }
    expect((await restore({ name: "Globex" })).data).toMatchObject({ id, name: "Globex", industry: "Anvils" });
  });

  it("gives two records that named each other their links back when both are there", async () => {
    const { api, made } = await setUp();
    const companies = [];
    for (const name of ["A", "B", "C"]) companies.push(await made("/v1/companies", { name }));
    const person = await made("/v1/people", { companies: companies.map(({ id }) => ({ id })) });
    const paths = [`/v1/people/${person.id}`, `/v1/companies/${companies[1]?.id}`];
    for (const order of [paths, paths.toReversed()]) {
      for (const path of paths) await api.delete(path);
      for (const path of order) expect((await api.post(`${path}/restore`)).status).toBe(200);
      expect([order, idsOf((await api.get(paths[0] ?? "")).data.companies)]).toEqual([order, idsOf(companies)]);
    }
  });

  it("gives a person no link to a company that is gone again, and one to that which it was merged into", async () => {
    const { api, made } = await setUp();
    const [acme, bolt] = [await made("/v1/companies", { name: "Acme" }), await made("/v1/companies", { name: "Bolt" })];
    const person = await made("/v1/people", { companies: [{ id: acme.id }] });
    const [ofPerson, ofAcme] = [`/v1/people/${person.id}`, `/v1/companies/${acme.id}`];
    const companies = async () => idsOf((await api.get(ofPerson)).data.companies);
    // The company comes back first, so the link waits for the person.
    const leaveLink = async () => {
      for (const path of [ofAcme, ofPerson]) await api.delete(path);
      await api.post(`${ofAcme}/restore`);
    };
    await leaveLink();
    await api.delete(ofAcme);
    await api.post(`${ofPerson}/restore`);
    expect(await companies()).toEqual([]);
    await api.post(`${ofAcme}/restore`);
    expect(await companies()).toEqual([acme.id]);
    await leaveLink();
    await api.post(`/v1/companies/${bolt.id}/merge`, { records: [{ id: acme.id }] });
    await api.post(`${ofPerson}/restore`);
    expect(await companies()).toEqual([bolt.id]);
  });

  it("refuses to give back what is not in it, or what is about a record that is not there", async () => {
    const { api, made } = await setUp();
    const person = await made("/v1/people", {});
    const entity = { id: person.id };
    const note = await made("/v1/notes", { entity, visibility: "public", content: "a" });
    const task = await made("/v1/tasks", { entity, title: "a", ...DAY });
    const restore = (path: string, body?: object) => api.post(`${path}/restore`, body);
    for (const path of [`/v1/people/${person.id}`, `/v1/people/per_${NOWHERE}`, `/v1/notes/${note.id}`])
      expect([path, (await restore(path)).status]).toEqual([path, 404]);
    await api.delete(`/v1/people/${person.id}`);
    expect((await restore(`/v1/companies/${person.id.replace("per_", "com_")}`)).status).toBe(404);
    for (const path of [`/v1/notes/${note.id}`, `/v1/tasks/${task.id}`]) {
      const refused = await restore(path);
      expect([path, refused.status, refused.issues]).toEqual([path, 422, [{ code: "custom", path: ["entity", "id"] }]]);
    }
    const named = await restore(`/v1/people/${person.id}`, { name: "x" });
    expect([named.status, named.issues]).toEqual([422, [expect.objectContaining({ code: "unrecognized_keys" })]]);
    expect((await restore(`/v1/people/${person.id}`)).status).toBe(200);
    expect((await api.get(`/v1/notes/${note.id}`)).status).toBe(200);
  });
});
