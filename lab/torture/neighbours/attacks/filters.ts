import type { Attack, Run } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { get, makePeople, search } from "../attackers/requests.ts";
import type { World } from "../attackers/world.ts";

const PEOPLE = 3_000;
const TEXT_FIELDS = ["fullName", "firstName", "lastName", "jobTitle", "description", "addresses"];

/** People with long texts that are alike. */
function fill(world: World): Promise<string[]> {
  const text = "abcabcabd ".repeat(200);
  return makePeople(world, PEOPLE, (n) => ({
    firstName: `ab ${n}`,
    lastName: text.slice(0, 400),
    jobTitle: text.slice(0, 400),
    description: text,
    groups: [{ id: world.group }],
    customFieldValues: { [world.group]: { "Text 0": text, Number: n } },
  }));
}

/** Fifty conditions, each of which takes all records to be looked at. */
function expensive({ group }: Pick<World, "group">, n: number): object {
  const texts = TEXT_FIELDS.map((field) => [
    field,
    { like: `c${n % 7}ab%_`, not_like: `b${n % 7}ca`, not_eq: `a${n}` },
  ]);
  const custom = Array.from({ length: 10 }, (_, i) => [
    `customFieldValues.${group}.Text ${i}`,
    { like: `abd ${n % 7}`, not_like: "abcabcabd", not_eq: "a" },
  ]);
  return Object.fromEntries([...texts, ...custom]);
}

/** A search with the combinator `or`, of one user or of all. */
function searching(world: World, perSecond: number, isOneUser: boolean): Run {
  return () =>
    flood(world, { perSecond, atOnce: 64 }, (n) => ({
      ...search(isOneUser ? world.reader : anyKey(world, n), {}, "?limit=100"),
      body: { combinator: "or", filter: expensive(world, n) },
    }));
}

/** Filters and lists that take long. */
export const FILTERS: Attack[] = [
  {
    name: "expensive filters of one user",
    about: "ten searches a second of 48 conditions that look at every record, with a key that may only read",
    prepare: async (world) => {
      await fill(world);
      return searching(world, 10, true);
    },
  },
  {
    name: "expensive filters of twenty users",
    about: "the same by twenty users, each within the limits",
    prepare: async (world) => {
      await fill(world);
      return searching(world, 200, false);
    },
  },
  {
    name: "a hundred values in each condition",
    about: "in and not_in with a hundred ids and e-mail addresses, wherever they may stand",
    prepare: async (world) => {
      const people = await fill(world);
      const ids = people.slice(0, 100);
      const emails = Array.from({ length: 100 }, (_, i) => `nobody-${i}@example.test`);
      const contacts = `customFieldValues.${world.group}.Contacts`;
      const users = `customFieldValues.${world.group}.Users`;
      const filter = {
        [contacts]: { in: { id: ids }, not_in: { id: ids }, all: { id: ids } },
        [users]: { in: { email: emails }, not_in: { email: emails }, all: { email: emails } },
        createdBy: { in: { email: emails }, not_in: { email: emails } },
      };
      return () => flood(world, { perSecond: 100 }, (n) => search(anyKey(world, n), filter, "?limit=100"));
    },
  },
  {
    name: "likes of everything",
    about: "like with one letter, with wildcards that count as letters, and with 5,000 characters",
    prepare: async (world) => {
      await fill(world);
      const texts = ["a", "%", "%_%_%_%_", "\\\\\\", "abcabcabd ".repeat(500).trim(), "ab".repeat(2_400)];
      return () =>
        flood(world, { perSecond: 100 }, (n) =>
          search(anyKey(world, n), { description: { like: inTurn(texts, n), not_like: inTurn(texts, n + 1) } }),
        );
    },
  },
  {
    name: "thousands of parameters",
    about: "URLs of 31 KB with as many parameters as they hold",
    prepare: (world) => {
      const all = [
        "filter[a][eq]=b&".repeat(1_900),
        Array.from({ length: 1_300 }, (_, i) => `filter[f${i}][eq]=1`).join("&"),
        "&".repeat(31_000),
        `filter${"[".repeat(15_000)}${"]".repeat(15_000)}=1`,
        `filter[fullName][eq]${"[0]".repeat(10_000)}=1`,
        `filter[fullName][eq]=${"%F0%9F%98%80".repeat(2_500)}`,
        "importedTypes[]=email&".repeat(1_400),
      ];
      const paths = ["/v1/people", "/v1/tasks", "/v1/interactions", "/v1/events"];
      return () =>
        flood(world, { perSecond: 150 }, (n) => get(anyKey(world, n), `${inTurn(paths, n)}?${inTurn(all, n)}`));
    },
  },
  {
    name: "cursors with a bit turned",
    about: "cursors of all lists of which one character is another, and pages of one entry",
    prepare: async (world) => {
      await fill(world);
      const page = await world.make<{ pagination: { nextLink: string } }>(get(world.admin.key, "/v1/people?limit=1"));
      const cursor = new URL(page.pagination.nextLink).searchParams.get("cursor") ?? "";
      const turned = (n: number) => {
        const at = n % cursor.length;
        return `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
      };
      return () =>
        flood(world, { perSecond: 200 }, (n) => get(anyKey(world, n), `/v1/people?limit=1&cursor=${turned(n)}`));
    },
  },
  {
    name: "searches in notes for everything",
    about: "queries of hundreds of short words, of signs alone, and of scripts without blanks",
    prepare: async (world) => {
      const [id] = await makePeople(world, 1, () => ({}));
      const words = Array.from({ length: 3_000 }, (_, i) => `a${i.toString(36)} \u4e2d\u6587${i}`).join(" ");
      for (let i = 0; i < 100; i++)
        await world.make({
          ...{ method: "POST", path: "/v1/notes", key: anyKey(world, i) },
          body: { entity: { id }, content: `${words.slice(i)} ${i}`, visibility: "public" },
        });
      const queries = [
        "a b c d e f g 1 2 3 ".repeat(45),
        "!?. ".repeat(240),
        "\u4e2d\u6587".repeat(100),
        "a ".repeat(490),
      ];
      return () =>
        flood(world, { perSecond: 100 }, (n) =>
          get(anyKey(world, n), `/v1/notes?limit=100&query=${encodeURIComponent(inTurn(queries, n))}`),
        );
    },
  },
];
