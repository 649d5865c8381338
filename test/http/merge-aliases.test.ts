import { describe, expect, it } from "@jest/globals";
import type { TestGroup } from "../../lab/harness/world.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { recordsOf } from "./batch-results.ts";
import { brokenInvariants } from "./record-invariants.ts";

const refs = (...records: { id: string }[]) => records.map(({ id }) => ({ id }));
const KINDS = ["people", "companies", "objects"] as const;
type Kind = (typeof KINDS)[number];

// docs/guides/merging.md#aliases, docs/guides/merging.md#links-and-mentions
describeServer("The id of a merged record", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada, group: makeGroup, field } = workspace;
    const api = scene.api(ada);
    const group = await makeGroup(ada);
    await field(ada, group, "person", { type: "objectField", name: "Deals" });
    await field(ada, group, "company", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", "Deals"])
      await field(ada, group, entity, { type: "contactField", name: "Contacts" });
    let count = 0;
    const path = (kind: Kind) => (kind === "objects" ? `/v1/groups/${group.id}/Deals` : `/v1/${kind}`);
    const make = async (kind: Kind, body: object = {}) => {
      const name = kind === "people" ? {} : { name: `N${count++}` };
      const groups = kind === "objects" ? {} : { groups: refs(group) };
      return (await api.post(path(kind), { ...name, ...groups, ...body })).data;
    };
    const merge = async (kind: Kind, survivor: { id: string }, ...merged: { id: string }[]) => {
      const answer = await api.post(`${path(kind)}/${survivor.id}/merge`, { records: refs(...merged) });
      expect(answer.status).toBe(200);
      return answer.data;
    };
    const broken = () => brokenInvariants(scene.server.database, workspace.uuid);
    return { ...workspace, api, group, path, make, merge, broken };
  }
  const values = (group: TestGroup, sent: object) => ({ customFieldValues: { [group.id]: sent } });
  const idsIn = (value: unknown) => (value as Item[] | null)?.map(({ id }) => id);
  const count = async (api: Client, path: string) => (await api.get(path)).items.length;

  describe.each(KINDS)("of %s", (kind) => {
    it("reads, changes, deletes and merges the survivor, whose id is answered; after its deletion all are 404", async () => {
      const { api, path, make, merge } = await setUp();
      const [survivor, merged, last] = [await make(kind), await make(kind), await make(kind)];
      await merge(kind, survivor, merged);
      const alias = `${path(kind)}/${merged.id}`;
      expect((await api.get(alias)).data).toEqual((await api.get(`${path(kind)}/${survivor.id}`)).data);
      const name = kind === "people" ? "firstName" : "name";
      expect((await api.patch(alias, { [name]: "Changed" })).data).toMatchObject({
        id: survivor.id,
        [name]: "Changed",
      });
      expect((await merge(kind, merged, last)).id).toBe(survivor.id);
      expect((await api.get(`${path(kind)}/${last.id}`)).data.id).toBe(survivor.id);
      expect((await api.delete(alias)).data).toEqual({ id: survivor.id });
      for (const { id } of [survivor, merged, last]) expect((await api.get(`${path(kind)}/${id}`)).status).toBe(404);
    });

    it("leads through chains of merges to the last survivor", async () => {
      const { api, path, make, merge } = await setUp();
      const [a, b, c, d] = [await make(kind), await make(kind), await make(kind), await make(kind)];
      await merge(kind, a, b);
      await merge(kind, c, a);
      await merge(kind, d, b);
      for (const { id } of [a, b, c, d]) expect((await api.get(`${path(kind)}/${id}`)).data.id).toBe(d.id);
      expect(await count(api, path(kind))).toBe(1);
      const records = refs(b, d, a);
      const deleted = await api.post(`${path(kind)}/batch/delete`, { records });
      expect(recordsOf(deleted)).toEqual([{ id: d.id }, { id: d.id }, { id: d.id }]);
    });
  });

  it("is taken in links, which name the survivor once (docs/guides/values.md#lists-in-bodies)", async () => {
    const { api, path, make, merge } = await setUp();
    const [keep, gone] = [await make("companies"), await make("companies")];
    const [ada, old] = [await make("people"), await make("people")];
    await merge("companies", keep, gone);
    await merge("people", ada, old);
    const person = await make("people", { companies: refs(gone, keep) });
    expect(idsIn(person.companies)).toEqual([keep.id]);
    const deal = await make("objects", { people: refs(old), companies: refs(keep, gone) });
    expect([idsIn(deal.people), idsIn(deal.companies)]).toEqual([[ada.id], [keep.id]]);
    const changed = await api.patch(`${path("objects")}/${deal.id}`, { people: refs(old, ada) });
    expect(idsIn(changed.data.people)).toEqual([ada.id]);
  });

  it("gives way to the survivor in links made before the merge; the survivor stands once, in the first place", async () => {
    const { api, path, make, merge, broken } = await setUp();
    const [keep, gone, also, other] = [
      await make("companies"),
      await make("companies"),
      await make("companies"),
      await make("companies"),
    ];
    const both = await make("people", { companies: refs(gone, other, keep, also) });
    const one = await make("people", { companies: refs(other, also) });
    const deal = await make("objects", { companies: refs(other, gone) });
    await merge("companies", keep, gone, also);
    const companiesOf = async (kind: Kind, { id }: Item) =>
      idsIn((await api.get(`${path(kind)}/${id}`)).data.companies);
    expect(await companiesOf("people", both)).toEqual([keep.id, other.id]);
    expect(await companiesOf("people", one)).toEqual([other.id, keep.id]);
    expect(await companiesOf("objects", deal)).toEqual([other.id, keep.id]);
    for (const { id } of [keep, gone, also])
      expect(await count(api, `/v1/people?filter[companies][in][id]=${id}`)).toBe(2);
    expect(await broken()).toEqual([]);
  });

  it.each(["people", "companies", "objects"] as const)(
    "of %s gives way to the survivor in custom values, in their jsonb and their rows alike, and is taken in new ones",
    async (kind) => {
      const { api, group, path, make, merge, broken } = await setUp();
      const field = kind === "objects" ? "Deals" : "Contacts";
      const [keep, gone, also, other] = [await make(kind), await make(kind), await make(kind), await make(kind)];
      const person = (list: Item[]) => make("people", values(group, { [field]: refs(...list) }));
      const orders: [before: Item[], after: Item[]][] = [
        [[gone], [keep]],
        [
          [gone, other, keep],
          [keep, other],
        ],
        [
          [other, keep, gone],
          [other, keep],
        ],
        [[also, gone], [keep]],
        [[other], [other]],
      ];
      const people = [];
      for (const [before] of orders) people.push(await person(before));
      await merge(kind, keep, gone, also);
      const idsOf = async ({ id }: Item) => {
        const { customFieldValues } = (await api.get(`/v1/people/${id}`)).data;
        return idsIn((customFieldValues as Record<string, Record<string, unknown>>)[group.id]?.[field]);
      };
      for (const [i, [, after]] of orders.entries())
        expect(await idsOf(people[i] as Item)).toEqual(after.map(({ id }) => id));
      expect(await idsOf(await person([gone, other, keep]))).toEqual([keep.id, other.id]);
      const filter = `filter[customFieldValues.${group.id}.${field}]`;
      for (const { id } of [keep, gone, also]) {
        expect(await count(api, `/v1/people?${filter}[in][id]=${id}`)).toBe(5);
        expect(await count(api, `/v1/people?${filter}[all][id]=${id}`)).toBe(2);
        expect(await count(api, `/v1/people?${filter}[all][id]=${id}&${filter}[all][id]=${other.id}`)).toBe(3);
        expect(await count(api, `${path("people")}?${filter}[not_in][id]=${id}&${filter}[not_empty]`)).toBe(1);
      }
      expect(await broken()).toEqual([]);
      await api.delete(`${path(kind)}/${gone.id}`);
      expect(await broken()).toEqual([]);
      expect(await count(api, `/v1/people?${filter}[in][id]=${keep.id}`)).toBe(0);
    },
  );

  it.each(["people", "companies"] as const)(
    "of %s is renamed in the values of the merged records themselves",
    async (kind) => {
      const { api, group, path, make, merge, broken } = await setUp();
      const [keep, gone] = [await make(kind), await make(kind)];
      const other = await make("people");
      await api.patch(`${path(kind)}/${keep.id}`, values(group, { Contacts: refs(gone, other, keep) }));
      await api.patch(`${path(kind)}/${gone.id}`, values(group, { Contacts: refs(other) }));
      const third = await make(kind, values(group, { Contacts: refs(keep, gone) }));
      await merge(kind, keep, gone);
      const { customFieldValues } = (await api.get(`${path(kind)}/${gone.id}`)).data;
      const { Contacts } = (customFieldValues as Record<string, Record<string, unknown>>)[group.id] ?? {};
      expect(idsIn(Contacts)).toEqual([keep.id, other.id]);
      expect(await broken()).toEqual([]);
      await merge(kind, third, keep);
      expect(await broken()).toEqual([]);
      expect(
        idsIn(
          (
            (await api.get(`${path(kind)}/${gone.id}`)).data.customFieldValues as Record<
              string,
              Record<string, unknown>
            >
          )[group.id]?.Contacts,
        ),
      ).toEqual([third.id]);
    },
  );

  it("keeps what is linked to it at the same moment", async () => {
    const { api, group, make, merge, broken } = await setUp();
    for (let round = 0; round < 4; round++) {
      const [keep, gone] = [await make("companies"), await make("companies")];
      const [made] = await Promise.all([
        Promise.all(
          Array.from({ length: 8 }, () =>
            make("people", { companies: refs(gone), ...values(group, { Contacts: refs(gone) }) }),
          ),
        ),
        merge("companies", keep, gone),
      ]);
      for (const { id } of made) {
        const { companies, customFieldValues } = (await api.get(`/v1/people/${id}`)).data;
        expect(idsIn(companies)).toEqual([keep.id]);
        expect(customFieldValues).toMatchObject({ [group.id]: { Contacts: [{ id: keep.id }] } });
      }
    }
    expect(await broken()).toEqual([]);
  });
});
