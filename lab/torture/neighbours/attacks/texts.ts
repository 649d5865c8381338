import type { Attack } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { get, makePeople, patch, post, search } from "../attackers/requests.ts";
import type { World } from "../attackers/world.ts";
import { wire } from "../wire.ts";

/** Two accents that stand in each other's place: to sort a row of them takes the square of its length. */
const ACCENTS = "\u0316\u0301";
const MIB = 1024 * 1024;

/** A letter under so many bytes of accents. */
function accented(bytes: number): string {
  return `a${ACCENTS.repeat(bytes / 4)}`;
}

const TEXT_FIELDS = [
  "fullName",
  "firstName",
  "lastName",
  "jobTitle",
  "description",
  "emails",
  "phones",
  "addresses",
  "urls",
];

/** Sends the same search again and again. */
function searching(filter: (world: World) => object, perSecond = 8): Attack["prepare"] {
  return (world) => {
    const bytes = wire(search(world.reader, filter(world)));
    return () => flood(world, { perSecond, atOnce: 8 }, () => bytes);
  };
}

/** Texts that take long to be brought into a form in which they can be compared. */
export const TEXTS: Attack[] = [
  {
    name: "accents in a search",
    about: "a letter under 4.8 MB of accents as a value of a filter, with a key that may only read",
    prepare: searching(() => ({ fullName: { eq: accented(4.8 * MIB) } }), 2),
  },
  {
    name: "accents in fifty conditions",
    about: "a letter under 180 KB of accents in each condition of a search",
    prepare: searching(() => {
      const text = accented(180_000);
      const operators = { eq: text, not_eq: text, like: text, not_like: text };
      return Object.fromEntries(TEXT_FIELDS.map((field) => [field, operators]));
    }, 2),
  },
  {
    name: "accents as long as a filter takes",
    about: "a letter under 5,000 accents in fifty conditions, a search that is legal",
    prepare: searching(() => {
      const text = accented(9_996);
      const operators = { eq: text, not_eq: text, like: text, not_like: text };
      return Object.fromEntries(TEXT_FIELDS.map((field) => [field, operators]));
    }, 20),
  },
  {
    name: "accents in e-mail addresses",
    about: "a hundred e-mail addresses of 90 KB of accents in createdBy",
    prepare: searching(() => ({ createdBy: { in: { email: Array(100).fill(accented(90_000)) } } }), 2),
  },
  {
    name: "accents in names of fields",
    about: "fifty conditions on custom fields whose names are 180 KB of accents",
    prepare: searching(({ group }) => {
      const names = Array.from({ length: 50 }, (_, i) => `customFieldValues.${group}.${i}${accented(180_000)}`);
      return Object.fromEntries(names.map((name) => [name, { eq: "a" }]));
    }, 2),
  },
  {
    name: "accents in labels",
    about: "a thousand labels of 9 KB of accents as a custom value of a person",
    prepare: async (world) => {
      const { key } = world.admin;
      const [id] = await makePeople(world, 1, () => ({ groups: [{ id: world.group }] }));
      const labels = Array.from({ length: 1000 }, (_, i) => `${i}${accented(9_000)}`);
      const one = (values: object) =>
        wire(patch(key, `/v1/people/${id}`, { customFieldValues: { [world.group]: values } }));
      const bodies = [one({ Select: labels }), one({ Select: labels.join("") }), one({ [labels.join("")]: "a" })];
      return () => flood(world, { perSecond: 6, atOnce: 8 }, (n) => inTurn(bodies, n));
    },
  },
  {
    name: "accents in names of companies",
    about: "batches of a hundred companies whose names are a thousand accents",
    prepare: (world) => {
      const batch = (n: number) => ({
        records: Array.from({ length: 100 }, (_, i) => ({ name: `${n} ${i} ${accented(1_960)}` })),
      });
      return () =>
        flood(world, { perSecond: 10 }, (n) => post(anyKey(world, n), "/v1/companies/batch/create", batch(n)));
    },
  },
  {
    name: "letters that fold to more",
    about: "fifty conditions of 5,000 letters whose lower case is longer, with like",
    prepare: searching(() => {
      const text = "\u0130\u1e9e\ufb03".repeat(1_600);
      const operators = { like: text, not_like: text, eq: text, not_eq: text };
      return Object.fromEntries(TEXT_FIELDS.map((field) => [field, operators]));
    }, 20),
  },
  {
    name: "numbers of many digits",
    about: "numbers of 16,384 digits, and of millions, in filters and in custom values",
    prepare: async (world) => {
      const [id] = await makePeople(world, 1, () => ({ groups: [{ id: world.group }] }));
      const field = `customFieldValues.${world.group}.Number`;
      const body = (digits: string) => `{"filter":{"${field}":{"eq":${digits},"gt":"${digits}"}}}`;
      const value = (digits: string) => `{"customFieldValues":{"${world.group}":{"Number":${digits}}}}`;
      const [long, longest] = ["9".repeat(16_384), "9".repeat(4 * MIB)];
      const all = [
        ...[long, longest, `1e${long}`].map((digits) => wire(post(world.reader, "/v1/people/search", body(digits)))),
        ...[long, longest].map((digits) => wire(patch(world.admin.key, `/v1/people/${id}`, value(digits)))),
      ];
      return () => flood(world, { perSecond: 8, atOnce: 8 }, (n) => inTurn(all, n));
    },
  },
  {
    name: "queries of accents",
    about: "notes are searched, and cursors are sent, with as many accents as a URL holds",
    prepare: (world) => {
      const text = encodeURIComponent(ACCENTS.repeat(1_000));
      const paths = [
        `/v1/notes?query=${text}`,
        `/v1/people?cursor=${text}`,
        `/v1/people?filter[fullName][like]=${text}`,
      ];
      return () => flood(world, { perSecond: 60 }, (n) => get(anyKey(world, n), inTurn(paths, n)));
    },
  },
];
