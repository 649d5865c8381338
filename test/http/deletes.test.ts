import { expect, it } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { run } from "../../database/database.ts";
import { asWrite } from "../../database/query.ts";
import { deleteGroups } from "../../engine/definitions/groups.queries.ts";
import { describeServer } from "../support/scene.ts";
import { brokenInvariants } from "./record-invariants.ts";

describeServer("A deleted record", (scene) => {
  /** A person, a company and a deal, linked with each other and named by custom values of another person. */
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const group = await workspace.group(ada);
    for (const entity of ["person", "company"]) {
      await workspace.field(ada, group, entity, { type: "contactField", name: "Contacts" });
      await workspace.field(ada, group, entity, { type: "objectField", name: "Deals" });
    }
    const groups = [{ id: group.id }];
    const company = (await api.post("/v1/companies", { name: "Acme", groups })).data.id;
    const friend = (await api.post("/v1/people", { fullName: "Grace Hopper", groups, companies: [{ id: company }] }))
      .data.id;
    const deal = (
      await api.post(`/v1/groups/${group.id}/Deals`, {
        name: "Big",
        people: [{ id: friend }],
        companies: [{ id: company }],
      })
    ).data.id;
    const values = { Contacts: [{ id: friend }, { id: company }], Deals: [{ id: deal }] };
    const person = (await api.post("/v1/people", { groups, customFieldValues: { [group.id]: values } })).data.id;
    const contacts = async () =>
      (
        (await api.get(`/v1/people/${person}`)).data.customFieldValues as Record<
          string,
          Record<string, { id: string }[] | null>
        >
      )[group.id];
    return { ...workspace, api, group, company, friend, deal, person, contacts, deals: `/v1/groups/${group.id}/Deals` };
  }

  it("is answered with its id, and is 404 afterwards for every method (docs/guides/conventions.md#answers)", async () => {
    const { api, friend, company } = await setUp();
    for (const path of [`/v1/people/${friend}`, `/v1/companies/${company}`]) {
      expect((await api.delete(path)).data).toEqual({ id: path.split("/")[3] });
      const answers = await Promise.all([api.get(path), api.patch(path, {}), api.delete(path)]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    expect((await api.get("/v1/companies")).items).toEqual([]);
  });

  it("that was a person disappears from objects and custom values, which keep the rest (docs/guides/people.md#deleting)", async () => {
    const { api, friend, company, deal, deals, contacts } = await setUp();
    await api.delete(`/v1/people/${friend}`);
    expect((await contacts())?.Contacts).toEqual([{ id: company, fullName: "Acme", entityType: "company" }]);
    expect((await api.get(`${deals}/${deal}`)).data).toMatchObject({
      people: [],
      companies: [{ id: company, name: "Acme" }],
    });
  });

  it("that was a company disappears from people, objects and custom values; a list that loses its last is null", async () => {
    const { api, friend, company, deal, deals, contacts } = await setUp();
    await api.delete(`/v1/companies/${company}`);
    expect((await api.get(`/v1/people/${friend}`)).data.companies).toEqual([]);
    expect((await api.get(`${deals}/${deal}`)).data).toMatchObject({ people: [{ id: friend }], companies: [] });
    await api.delete(`/v1/people/${friend}`);
    expect((await contacts())?.Contacts).toBeNull();
  });

  it("that was an object disappears from custom values", async () => {
    const { api, deal, deals, contacts } = await setUp();
    expect((await api.delete(`${deals}/${deal}`)).data).toEqual({ id: deal });
    expect((await contacts())?.Deals).toBeNull();
    expect((await api.get(deals)).items).toEqual([]);
  });

  it("is in no stored value and no index any more, so that no filter finds it (docs/guides/filters.md#custom-fields)", async () => {
    const { api, uuid, friend, company } = await setUp();
    await api.delete(`/v1/people/${friend}`);
    await api.delete(`/v1/companies/${company}`);
    const [row] = await scene.server.database.read<{ text: string }>(
      "select json_agg(p)::text || (select coalesce(json_agg(v)::text, '') from person_values v where workspace_id = $1) as text from people p where workspace_id = $1",
      [uuid],
    );
    expect(row?.text).toContain("values");
    for (const id of [friend, company]) expect(row?.text).not.toContain(id.slice(4));
  });

  it("leaves nothing behind in the database (docs/guides/people.md#deleting)", async () => {
    const { api, uuid, friend, company, person, deal, deals } = await setUp();
    for (const path of [`/v1/people/${person}`, `/v1/people/${friend}`, `/v1/companies/${company}`, `${deals}/${deal}`])
      expect((await api.delete(path)).status).toBe(200);
    const tables = [
      "people",
      "companies",
      "objects",
      "person_companies",
      "object_people",
      "object_companies",
      ...["person", "company", "object"].flatMap((kind) => [`${kind}_groups`, `${kind}_values`]),
    ];
    const rows = await Promise.all(
      tables.map((table) =>
        scene.server.database.read<{ n: number }>(`select count(*) as n from ${table} where workspace_id = $1`, [uuid]),
      ),
    );
    expect(rows.flat().map(({ n }) => Number(n))).toEqual(tables.map(() => 0));
  });

  it("leaves nothing of a group that is deleted, of many records at once, and all else as it is", async () => {
    const { api, uuid, group, person } = await setUp();
    const { database } = scene.server;
    const count = async (table: string): Promise<number> => {
      const [row] = await database.read<{ n: number }>(
        `select count(*)::int as n from ${table} where workspace_id = $1 and group_id = $2`,
        [uuid, group.id.slice(4)],
      );
      return row?.n ?? 0;
    };
    const values = { Contacts: [{ id: person }] };
    const record = { groups: [{ id: group.id }], customFieldValues: { [group.id]: values } };
    await api.post("/v1/people/batch/create", { records: Array.from({ length: 100 }, () => record) });
    expect([await count("person_groups"), await count("person_values")]).toEqual([102, 103]);
    await database.transaction((trx) =>
      deleteGroups(
        asWrite((sql, values, form) => run(trx, sql, values, form)),
        uuid,
        [group.id.slice(4) as Uuid],
      ),
    );
    expect([await count("person_groups"), await count("person_values")]).toEqual([0, 0]);
    expect(await brokenInvariants(database, uuid)).toEqual([]);
    expect((await api.all("/v1/people")).length).toBeGreaterThan(100);
  });

  it("may be deleted by any user of the workspace, whatever groups it is in (docs/guides/access.md#what-belongs-to-the-workspace)", async () => {
    const { user, friend } = await setUp();
    const bob = await user("Bob Stone");
    expect((await scene.api(bob).delete(`/v1/people/${friend}`)).status).toBe(200);
  });
});
