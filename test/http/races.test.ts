import { expect, it } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { run } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import { deleteWithIndexes } from "../../engine/records/gone-with.ts";
import { createRowSets } from "../../engine/records/row-sets.ts";
import { until } from "../../lab/harness/until.ts";
import { people } from "../../model/resources/people.ts";
import type { Answer } from "../support/client.ts";
import { whileLocked } from "../support/locked-row.ts";
import { describeServer } from "../support/scene.ts";
import { brokenInvariants } from "./record-invariants.ts";

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const times = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

// What is done at the same moment must end as if it had been done one after the other. Each is tried several times at
// once, since a race that is lost once in ten is lost.
describeServer("At the same moment", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    return { ...workspace, api: scene.patientApi(workspace.ada) };
  }

  it("ten creates of one name make one company (docs/guides/companies.md#creating-by-name)", async () => {
    const { api } = await setUp();
    const answers = await times(10, (i) => api.post("/v1/companies", { name: "Acme", emails: [`${i}@x`] }));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect((await api.get("/v1/companies")).items).toHaveLength(1);
  });

  it("ten people who name a new company get the same one", async () => {
    const { api } = await setUp();
    const answers = await times(10, () => api.post("/v1/people", { companies: [{ name: "New" }, { name: "Other" }] }));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data.companies))).size).toBe(1);
    expect((await api.get("/v1/companies")).items).toHaveLength(2);
  });

  it("ten companies that are renamed alike end as one with the name; the others are told 422", async () => {
    const { api } = await setUp();
    const ids = (await times(10, (i) => api.post("/v1/companies", { name: `C${i}` }))).map(({ data }) => data.id);
    const answers = await Promise.all(ids.map((id) => api.patch(`/v1/companies/${id}`, { name: "Same" })));
    expect(statuses(answers).sort()).toEqual([200, ...Array(9).fill(422)]);
    expect((await api.get("/v1/companies")).items.filter(({ name }) => name === "Same")).toHaveLength(1);
  });

  it("PATCHes of different fields, custom fields and lists of one record are all kept (docs/guides/values.md#updates)", async () => {
    const { api, ada, group, field } = await setUp();
    const { id } = await group(ada);
    const names = ["F0", "F1", "F2", "F3"];
    for (const name of names)
      await field(ada, { id, name: "", visibility: "private" }, "person", { type: "textField", name });
    await times(5, async (round) => {
      const person = `/v1/people/${(await api.post("/v1/people", { groups: [{ id }] })).data.id}`;
      const value = `${round}`;
      const native = { firstName: value, jobTitle: value, emails: [value], birthday: "2000-01-01" };
      const answers = await Promise.all([
        ...Object.entries(native).map(([name, one]) => api.patch(person, { [name]: one })),
        ...names.map((name) => api.patch(person, { customFieldValues: { [id]: { [name]: value } } })),
      ]);
      expect(statuses(answers)).toEqual(answers.map(() => 200));
      const values = Object.fromEntries(names.map((name) => [name, value]));
      expect((await api.get(person)).data).toMatchObject({ ...native, customFieldValues: { [id]: values } });
    });
  });

  it("two groups that are added by two users who see only their own are both there (docs/guides/access.md#groups-in-writes)", async () => {
    const { api, ada, user, group } = await setUp();
    const bob = await user("Bob Stone");
    const [own, others] = [await group(ada), await group(bob)];
    await times(5, async () => {
      const person = `/v1/people/${(await api.post("/v1/people", {})).data.id}`;
      await Promise.all([
        api.patch(person, { groups: [{ id: own.id }] }),
        scene.patientApi(bob).patch(person, { groups: [{ id: others.id }] }),
      ]);
      expect((await api.get(person)).data.groups).toMatchObject([{ id: own.id }]);
      expect((await scene.patientApi(bob).get(person)).data.groups).toMatchObject([{ id: others.id }]);
    });
  });

  it("a record that is deleted and changed, or linked, is either there or gone, never a 5xx", async () => {
    const { api } = await setUp();
    await times(8, async (i) => {
      const company = (await api.post("/v1/companies", { name: `C${i}` })).data.id;
      const [deleted, changed, linked] = await Promise.all([
        api.delete(`/v1/companies/${company}`),
        api.patch(`/v1/companies/${company}`, { industry: "x" }),
        api.post("/v1/people", { companies: [{ id: company }] }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      expect([200, 422]).toContain(linked.status);
      if (linked.status === 200) expect((await api.get(`/v1/people/${linked.data.id}`)).data.companies).toEqual([]);
    });
    expect((await api.get("/v1/companies")).items).toEqual([]);
  });

  it("a person who is deleted while a linked company is merged leaves no link behind (docs/guides/merging.md#links-and-mentions)", async () => {
    const { api, uuid } = await setUp();
    const { database } = scene.server;
    const make = async (name: string) => (await api.post("/v1/companies", { name })).data.id;
    const [survivor, merged] = [await make("Survivor"), await make("Merged")];
    const person = (await api.post("/v1/people", { companies: [{ id: merged }] })).data.id;
    let merging: Promise<Answer> | undefined;
    await database.transaction(async (trx) => {
      const inside: Query = (sql, values, form) => run(trx, sql, values, form);
      const sets = createRowSets({ query: inside, caller: { workspaceId: uuid } });
      deleteWithIndexes(sets, people, [person.slice(4) as Uuid]);
      await sets.written();
      merging = api.post(`/v1/companies/${survivor}/merge`, { records: [{ id: merged }] });
      await until("the merge waits for the person", async () => (await database.read(WAITING)).length > 0);
    });
    expect((await merging)?.status).toBe(200);
    expect(await brokenInvariants(database, uuid)).toEqual([]);
  });

  it.each<[what: string, by: "links" | "values", act: "delete" | "merge"]>([
    ["deleted", "links", "delete"],
    ["merged", "links", "merge"],
    ["deleted", "values", "delete"],
    ["merged", "values", "merge"],
  ])("a company that is %s while a person who names it in their %s is written is named no more", async (_, by, act) => {
    const { api, ada, group, field, uuid } = await setUp();
    const home = await group(ada);
    await field(ada, home, "person", { type: "contactField", name: "Contacts" });
    await field(ada, home, "person", { type: "textField", name: "Note" });
    const make = async (name: string) => (await api.post("/v1/companies", { name })).data.id;
    const [company, survivor, other] = [await make("Company"), await make("Survivor"), await make("Other")];
    const list = [{ id: other }, { id: company }];
    const named = by === "links" ? { companies: list } : { customFieldValues: { [home.id]: { Contacts: list } } };
    const person = (await api.post("/v1/people", { groups: [{ id: home.id }], ...named })).data.id;
    const { database } = scene.server;
    const answers = await whileLocked(database, person, async () => {
      const write = { jobTitle: "Analyst", customFieldValues: { [home.id]: { Note: "new" } } };
      const written = api.patch(`/v1/people/${person}`, write);
      await until("the write waits for the person", async () => (await database.read(WAITING)).length === 1);
      const done =
        act === "delete"
          ? api.delete(`/v1/companies/${company}`)
          : api.post(`/v1/companies/${survivor}/merge`, { records: [{ id: company }] });
      await until("both wait for the person", async () => (await database.read(WAITING)).length === 2);
      return [written, done];
    });
    expect(statuses(await Promise.all(answers))).toEqual([200, 200]);
    const { jobTitle, companies, customFieldValues } = (await api.get(`/v1/people/${person}`)).data;
    const { Contacts, Note } = (customFieldValues as Record<string, Record<string, unknown>>)[home.id] ?? {};
    expect({ jobTitle, Note }).toEqual({ jobTitle: "Analyst", Note: "new" });
    const left = (by === "links" ? companies : Contacts) as { id: string }[];
    expect(left.map(({ id }) => id)).toEqual(act === "delete" ? [other] : [other, survivor]);
    expect(await brokenInvariants(database, uuid)).toEqual([]);
  });

  it("five who define a field of one name make one; the others are told 422 (docs/guides/custom-fields.md#definitions)", async () => {
    const { api, ada, group } = await setUp();
    const path = `/v1/groups/${(await group(ada)).id}/custom-fields/person`;
    const answers = await times(5, () => api.post(path, { type: "textField", name: "Note" }));
    expect(statuses(answers).sort()).toEqual([200, 422, 422, 422, 422]);
    expect((await api.get(path)).items).toHaveLength(1);
  });

  it("a value that is written while its field is renamed is kept, or told by its old name", async () => {
    const { api, ada, group, field } = await setUp();
    const home = await group(ada);
    await times(4, async (i) => {
      await field(ada, home, "person", { type: "textField", name: `Old ${i}` });
      const body = { groups: [{ id: home.id }], customFieldValues: { [home.id]: { [`Old ${i}`]: "x" } } };
      const [renamed, written] = await Promise.all([
        api.patch(`/v1/groups/${home.id}/custom-fields/person/Old%20${i}`, { name: `New ${i}` }),
        api.post("/v1/people", body),
      ]);
      expect(renamed.status).toBe(200);
      if (written.status === 422) return;
      const { data } = await api.get(`/v1/people/${written.data.id}`);
      expect(data.customFieldValues).toMatchObject({ [home.id]: { [`New ${i}`]: "x" } });
    });
  });
});
