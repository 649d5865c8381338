import type { Attack } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { defineTexts, makeLargePeople, makeLargePerson, touch } from "../attackers/large-records.ts";
import { get, makePeople, patch, post } from "../attackers/requests.ts";
import type { World } from "../attackers/world.ts";

const FIELDS = 100;
const UPDATE = "/v1/people/batch/update";

/** A person in the group who mentions as many others as a custom value takes. */
async function makeMentioned(world: World, count: number): Promise<string[]> {
  const long = "\u4e2d".repeat(490);
  return makePeople(world, count, (n) => ({ firstName: `${n}${long}`, lastName: long }));
}

/** Custom values that name all of these. */
function mentioning({ group }: World, ids: string[]): object {
  return { groups: [{ id: group }], customFieldValues: { [group]: { Contacts: ids.map((id) => ({ id })) } } };
}

/** Records and answers that are as large as may be. */
export const RECORDS: Attack[] = [
  {
    name: "a large record a hundred times in a batch",
    about: "a batch update names one record of a megabyte a hundred times",
    prepare: async (world) => {
      const id = await makeLargePerson(world, await defineTexts(world, FIELDS));
      const batch = (n: number) => ({ records: Array(100).fill({ id, jobTitle: `Engineer ${n}` }) });
      return () => flood(world, { perSecond: 6, atOnce: 6 }, (n) => post(anyKey(world, n), UPDATE, batch(n)));
    },
  },
  {
    name: "lists of large records",
    about: "pages of records of a megabyte each, ten a second",
    prepare: async (world) => {
      await makeLargePeople(world, await defineTexts(world, FIELDS), 20);
      return () => flood(world, { perSecond: 10, atOnce: 20 }, (n) => get(anyKey(world, n), "/v1/people?limit=100"));
    },
  },
  {
    name: "searches that find large records",
    about: "a filter on a custom field of records of a megabyte each",
    prepare: async (world) => {
      await makeLargePeople(world, await defineTexts(world, FIELDS), 20);
      const filter = { [`customFieldValues.${world.group}.Text 0`]: { like: "\u4e2d" } };
      const path = "/v1/people/search?limit=100";
      return () => flood(world, { perSecond: 10, atOnce: 20 }, (n) => post(anyKey(world, n), path, { filter }));
    },
  },
  {
    name: "writes of a large record",
    about: "twenty users change one record of a megabyte, each as often as may be",
    prepare: async (world) => {
      const id = await makeLargePerson(world, await defineTexts(world, FIELDS));
      return () => flood(world, { perSecond: 100 }, (n) => touch(anyKey(world, n), id, n));
    },
  },
  {
    name: "saved answers of a large record",
    about: "PATCH {} of a record of a megabyte with three hundred new idempotency keys",
    prepare: async (world) => {
      const id = await makeLargePerson(world, await defineTexts(world, 60));
      return () =>
        flood(world, { perSecond: 40 }, (n) => ({
          ...patch(anyKey(world, n), `/v1/people/${id}`, {}),
          head: [`Idempotency-Key: saved-${n}`],
        }));
    },
  },
  {
    name: "records that mention thousands",
    about: "a batch of a hundred records, each of which names 1,000 people with long names",
    prepare: async (world) => {
      const ids = await makeMentioned(world, 1_000);
      const people = await makePeople(world, 100, () => ({ groups: [{ id: world.group }] }));
      const records = people.map((id) => ({ id, ...mentioning(world, ids) }));
      return () => flood(world, { perSecond: 2, atOnce: 4 }, (n) => post(anyKey(world, n), UPDATE, { records }));
    },
  },
  {
    name: "lists of records that mention thousands",
    about: "pages of a hundred records, each of which names 1,000 people with long names",
    prepare: async (world) => {
      const ids = await makeMentioned(world, 1_000);
      // Four of them would be more than the answer to a batch may have.
      await makePeople(world, 100, () => mentioning(world, ids), 3);
      return () => flood(world, { perSecond: 10, atOnce: 20 }, (n) => get(anyKey(world, n), "/v1/people?limit=100"));
    },
  },
  {
    name: "a name that thousands mention",
    about: "a person whom 2,000 records name is renamed and deleted from lists, again and again",
    prepare: async (world) => {
      const [id = ""] = await makePeople(world, 1, () => ({ firstName: "Grace" }));
      await makePeople(world, 2_000, () => mentioning(world, [id]));
      return () =>
        flood(world, { perSecond: 60 }, (n) =>
          n % 3 === 0
            ? patch(anyKey(world, n), `/v1/people/${id}`, { firstName: `Grace ${n}` })
            : get(anyKey(world, n), "/v1/people?limit=100"),
        );
    },
  },
  {
    name: "objects with twenty links",
    about: "batches of a hundred objects with twenty people and twenty companies each",
    prepare: async (world) => {
      const { key } = world.admin;
      const people = await makePeople(world, 20, (n) => ({ firstName: `P ${n}`, groups: [{ id: world.group }] }));
      const { results } = await world.make<{ results: { data: { id: string } }[] }>(
        post(key, "/v1/companies/batch/create", {
          records: Array.from({ length: 20 }, (_, n) => ({ name: `C ${n}`, groups: [{ id: world.group }] })),
        }),
      );
      const companies = results.map(({ data }) => ({ id: data.id }));
      const path = `/v1/groups/${world.group}/Deals/batch/create`;
      const records = Array(100).fill({ name: "d".repeat(500), people: people.map((id) => ({ id })), companies });
      return () => flood(world, { perSecond: 20 }, (n) => post(anyKey(world, n), path, { records }));
    },
  },
  {
    name: "notes of 100,000 characters",
    about: "pages of a hundred notes as long as may be, and searches in them",
    prepare: async (world) => {
      const [id] = await makePeople(world, 1, () => ({}));
      const content = "Wants a demo in \u4e2d\u6587. ".repeat(5_000).slice(0, 100_000);
      for (let i = 0; i < 100; i++)
        await world.make(post(anyKey(world, i), "/v1/notes", { entity: { id }, content, visibility: "public" }));
      const paths = ["/v1/notes?limit=100", "/v1/notes?limit=100&query=demo \u4e2d"].map(encodeURI);
      return () => flood(world, { perSecond: 30 }, (n) => get(anyKey(world, n), inTurn(paths, n)));
    },
  },
];
