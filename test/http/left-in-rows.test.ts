import { beforeEach, describe, expect, it } from "@jest/globals";
import type { TestGroup, TestWorkspace } from "../../lab/harness/world.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { brokenInvariants } from "./record-invariants.ts";

const GONE = "00000000-0000-7000-8000-0000000000aa";
const FIELD = "00000000-0000-7000-8000-0000000000bb";

// The rows of records name their groups and links, and nothing but our own statements takes out what is gone. What is
// left all the same, by a write that met the deletion or by hand, is passed over:
// database/migrations/0001-tables/06-people.sql.
describeServer("Left in the row of a record,", (scene) => {
  let workspace: TestWorkspace;
  let api: Client;
  let group: TestGroup;
  let added: TestGroup;
  let company: Item;

  const read = <Row>(sql: string, ...values: unknown[]) =>
    scene.server.database.read<Row>(sql, [workspace.uuid, ...values]);

  beforeEach(async () => {
    workspace = await scene.workspace();
    const { ada } = workspace;
    api = scene.api(ada);
    group = await workspace.group(ada, { name: "Kept" });
    added = await workspace.group(ada, { name: "Added" });
    await workspace.field(ada, group, "person", { type: "textField", name: "Note" });
    company = (await api.post("/v1/companies", { name: "Acme" })).data;
  });

  const values = (Note: string) => ({ customFieldValues: { [group.id]: { Note } } });

  async function make(firstName: string): Promise<string> {
    const body = { firstName, groups: [{ id: group.id }], companies: [{ id: company.id }], ...values("kept") };
    return (await api.post("/v1/people", body)).data.id;
  }

  /** What of a record these tests look at. */
  const seen = ({ groups, customFieldValues, companies }: Item) => ({ groups, customFieldValues, companies });

  describe("a group that is gone", () => {
    /** A person with the gone group first, and with a value in it. */
    async function makeWithGone(firstName = "Ada"): Promise<string> {
      const id = await make(firstName);
      const entry = JSON.stringify([{ groupId: GONE, values: { [FIELD]: "gone" } }]);
      await read(
        "update people set memberships = ($3::jsonb || memberships::jsonb)::json where workspace_id = $1 and id = $2",
        id.slice(4),
        entry,
      );
      return id;
    }

    it("is not shown, and not found by", async () => {
      const sound = (await api.get(`/v1/people/${await make("Ada")}`)).data;
      const id = await makeWithGone();
      expect(seen((await api.get(`/v1/people/${id}`)).data)).toEqual(seen(sound));
      expect((await api.get("/v1/people")).items.map(seen)).toEqual([seen(sound), seen(sound)]);
      const found = (filter: string) => api.get(`/v1/people?${filter}`).then(({ items }) => items.map((one) => one.id));
      expect(await found(`filter[groups][in][id]=grp_${GONE}`)).toEqual([]);
      expect(await found(`filter[groups][all][id]=${group.id}`)).toEqual([sound.id, id]);
      await api.patch(`/v1/people/${id}`, { groups: [] });
      expect(await found("filter[groups][empty]")).toEqual([id]);
    });

    it.each<[what: string, body: () => object]>([
      ["a column", () => ({ jobTitle: "Analyst" })],
      ["a value", () => values("new")],
      ["the links", () => ({ companies: [{ name: "Globex" }] })],
      ["the groups", () => ({ groups: [{ id: added.id }] })],
      ["the groups, to the same", () => ({ groups: [{ id: group.id }] })],
      ["the groups, to none", () => ({ groups: [] })],
    ])("is in the way of no patch of %s, nor of a batch", async (_, body) => {
      const sound = await make("Ada");
      const [id, another] = [await makeWithGone(), await makeWithGone()];
      const wanted = seen((await api.patch(`/v1/people/${sound}`, body())).data);
      expect(seen((await api.patch(`/v1/people/${id}`, body())).data)).toEqual(wanted);
      const { data } = await api.post("/v1/people/batch/update", { records: [{ id: another, ...body() }] });
      expect(data).toMatchObject({ results: [{ status: "succeeded" }] });
      for (const one of [id, another]) expect(seen((await api.get(`/v1/people/${one}`)).data)).toEqual(wanted);
      expect(await brokenInvariants(scene.server.database, workspace.uuid)).toEqual([]);
    });

    const merging = (left: "survivor" | "merged") => async () => {
      const [first, second] = left === "survivor" ? [makeWithGone, make] : [make, makeWithGone];
      const [survivor, merged] = [await first("Ada"), await second("Bob")];
      const { status, text } = await api.post(`/v1/people/${survivor}/merge`, { records: [{ id: merged }] });
      expect({ status, text }).toMatchObject({ status: 200 });
      expect((await api.get(`/v1/people/${survivor}`)).data).toMatchObject({ groups: [{ id: group.id }] });
      expect(await brokenInvariants(scene.server.database, workspace.uuid)).toEqual([]);
    };
    it("is in the way of no merge, when it is left in the survivor", merging("survivor"));
    // The merge puts the survivor into all groups of the others, and into one that is gone it cannot: 500 until it
    // passes over it.
    it("is in the way of no merge, when it is left in a merged record", merging("merged"));

    it("is in the way of no deletion", async () => {
      const id = await makeWithGone();
      expect((await api.delete(`/v1/people/${id}`)).status).toBe(200);
      expect((await api.get("/v1/people")).items).toEqual([]);
      expect(await brokenInvariants(scene.server.database, workspace.uuid)).toEqual([]);
    });
  });

  describe("a company that is gone", () => {
    async function makeWithGone(firstName = "Ada"): Promise<string> {
      const id = await make(firstName);
      await read(
        "update people set company_ids = array[$3::uuid] || company_ids where workspace_id = $1 and id = $2",
        id.slice(4),
        GONE,
      );
      return id;
    }

    it("is not shown, and not found by", async () => {
      const id = await makeWithGone();
      const acme = { companies: [{ id: company.id, name: "Acme" }] };
      expect((await api.get(`/v1/people/${id}`)).data).toMatchObject(acme);
      expect((await api.get("/v1/people")).items).toMatchObject([acme]);
      expect((await api.get(`/v1/people?filter[companies][in][id]=com_${GONE}`)).items).toEqual([]);
      expect((await api.get(`/v1/people?filter[companies][all][id]=${company.id}`)).items).toMatchObject([{ id }]);
    });

    it.each<[what: string, body: () => object]>([
      ["a column", () => ({ jobTitle: "Analyst" })],
      ["a value", () => values("new")],
      ["the groups", () => ({ groups: [{ id: added.id }] })],
    ])("is in the way of no patch of %s", async (_, body) => {
      const sound = await make("Ada");
      const id = await makeWithGone();
      const wanted = seen((await api.patch(`/v1/people/${sound}`, body())).data);
      expect(seen((await api.patch(`/v1/people/${id}`, body())).data)).toEqual(wanted);
      expect(seen((await api.get(`/v1/people/${id}`)).data)).toEqual(wanted);
    });

    it.each<[what: string, companies: () => object[]]>([
      ["the same", () => [{ id: company.id }]],
      ["others", () => [{ name: "Globex" }, { id: company.id }]],
      ["none", () => []],
    ])("goes with a patch of the links to %s", async (_, companies) => {
      const sound = await make("Ada");
      const id = await makeWithGone();
      const wanted = seen((await api.patch(`/v1/people/${sound}`, { companies: companies() })).data);
      expect(seen((await api.patch(`/v1/people/${id}`, { companies: companies() })).data)).toEqual(wanted);
      expect(seen((await api.get(`/v1/people/${id}`)).data)).toEqual(wanted);
      expect(await brokenInvariants(scene.server.database, workspace.uuid)).toEqual([]);
    });

    it.each(["survivor", "merged"])("is in the way of no merge, when it is left in the %s", async (where) => {
      const [first, second] = where === "survivor" ? [makeWithGone, make] : [make, makeWithGone];
      const [survivor, merged] = [await first("Ada"), await second("Bob")];
      const { status, text } = await api.post(`/v1/people/${survivor}/merge`, { records: [{ id: merged }] });
      expect({ status, text }).toMatchObject({ status: 200 });
      expect((await api.get(`/v1/people/${survivor}`)).data).toMatchObject({ companies: [{ id: company.id }] });
      expect(await brokenInvariants(scene.server.database, workspace.uuid)).toEqual([]);
    });
  });
});
