import { describe, expect, it } from "@jest/globals";
import type { Answer, Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { cursorOf, nextPath, walkPages } from "../support/walking.ts";
import { recordsOf } from "./batch-results.ts";

/** How many records the long walk passes; WALK_RECORDS makes it longer. */
const RECORDS = Number(process.env.WALK_RECORDS ?? 500);
const LIMIT = 7;
const indexes = (count: number) => Array.from({ length: count }, (_, i) => i);
const refusal = [{ code: "custom", path: ["cursor"] }];

// Rows that are changed, added or deleted between two pages cause no skip and no repeat. docs/guides/lists.md#pages
describeServer("A walk", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const make = async (count: number, of: (i: number) => object = (i) => ({ firstName: `P${i}` })) => {
      const ids: string[] = [];
      for (let from = 0; from < count; from += 100) {
        const records = indexes(Math.min(100, count - from)).map((i) => of(from + i));
        ids.push(...recordsOf(await api.post("/v1/people/batch/create", { records })).map(({ id }) => id));
      }
      return ids;
    };
    return { ...workspace, api, make };
  }

  /** Ids in the order met, with something done between the pages. */
  async function walk(
    next: (path: string) => Promise<Answer>,
    first: string,
    between: (page: number) => Promise<unknown>,
  ) {
    return (await walkPages(next, first, (_, page) => between(page))).flat().map(({ id }) => id);
  }

  it(`through ${RECORDS} records by ${LIMIT} meets each untouched one once, while others insert, delete and rename`, async () => {
    const { api, make } = await setUp();
    const ids = await make(RECORDS);
    // Every fifth goes away at some time, every seventh is renamed; each page has some of them before, on and behind
    // it.
    const doomed = ids.filter((_, i) => i % 5 === 1);
    const renamed = ids.filter((_, i) => i % 7 === 3);
    const left = doomed.toSorted((a, b) => (a.slice(-4) < b.slice(-4) ? -1 : 1));
    const added: string[] = [];
    const disturb = (page: number) =>
      Promise.all([
        api.post("/v1/people/batch/delete", { records: left.splice(0, 2).map((id) => ({ id })) }),
        api.patch(`/v1/people/${renamed[page % renamed.length]}`, { firstName: `Renamed ${page}` }),
        page % 4 === 0 ? make(1).then((more) => added.push(...more)) : undefined,
      ]);
    const met = await walk(api.get, `/v1/people?limit=${LIMIT}`, disturb);
    const gone = new Set(doomed);
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual([...met].sort());
    expect(met.filter((id) => !gone.has(id) && !added.includes(id))).toEqual(ids.filter((id) => !gone.has(id)));
    // What was added while the walk went on stands behind all others.
    expect(met.filter((id) => added.includes(id))).toEqual(
      added.slice(0, met.filter((id) => added.includes(id)).length),
    );
    expect(added.length).toBeGreaterThan(5);
  });

  it("through a filter and a search meets the same, and those who stop matching leave only themselves out", async () => {
    const { api, make } = await setUp();
    const ids = await make(60, (i) => ({ jobTitle: i % 2 === 0 ? "Even" : "Odd" }));
    const even = ids.filter((_, i) => i % 2 === 0);
    const [fourth, last] = [even[3], even[28]];
    const lose = (page: number) =>
      page === 0
        ? Promise.all([fourth, last].map((id) => api.patch(`/v1/people/${id}`, { jobTitle: "None" })))
        : Promise.resolve();
    const kept = even.filter((id) => id !== fourth && id !== last);
    expect(await walk(api.get, "/v1/people?limit=7&filter[jobTitle][eq]=Even", lose)).toEqual(
      [...even.slice(0, 7), ...kept].filter((id, i, all) => all.indexOf(id) === i).sort(),
    );
    const body = { filter: { jobTitle: { eq: "Even" } } };
    expect(
      await walk(
        (path) => api.post(path, body),
        "/v1/people/search?limit=7",
        async () => undefined,
      ),
    ).toEqual(kept);
  });

  it("through companies and objects meets the records of one batch in the order given", async () => {
    const { api, ada, group, field } = await setUp();
    const home = await group(ada);
    await field(ada, home, "person", { type: "objectField", name: "Deals" });
    for (const path of ["/v1/companies", `/v1/groups/${home.id}/Deals`]) {
      const records = indexes(50).map((i) => ({ name: `${(i * 37) % 50} ${path}` }));
      const made = recordsOf(await api.post(`${path}/batch/create`, { records })).map(({ id }) => id);
      expect(await walk(api.get, `${path}?limit=${LIMIT}`, async () => undefined)).toEqual(made);
    }
  });

  describe("has cursors that belong to", () => {
    async function withCursor(query: string) {
      const made = await setUp();
      await made.make(6, () => ({ firstName: "Ada", jobTitle: "Analyst" }));
      return { ...made, cursor: cursorOf(await made.api.get(`/v1/people?limit=2&${query}`)) };
    }
    const FILTER = "filter[firstName][eq]=Ada&filter[jobTitle][like]=a";
    const asked = async (api: Client, query: string, cursor: string) => {
      const answer = await api.get(`/v1/people?${query}&cursor=${encodeURIComponent(cursor)}`);
      return answer.status === 200 ? answer.items.length : answer.issues;
    };

    it("their filters and combinator, whatever the limit", async () => {
      const { api, cursor } = await withCursor(FILTER);
      expect(await asked(api, FILTER, cursor)).toBe(4);
      expect(await asked(api, `limit=3&${FILTER}`, cursor)).toBe(3);
      for (const other of [
        "",
        "filter[firstName][eq]=Ada",
        `${FILTER}&filter[birthday][empty]`,
        FILTER.replace("Ada", "ada"),
        FILTER.replace("[eq]", "[not_eq]"),
        `${FILTER}&combinator=or`,
      ])
        expect([other, await asked(api, other, cursor)]).toEqual([other, refusal]);
    });

    it("the same filters in another order, of their values too", async () => {
      const { api, ada, cursor } = await withCursor(FILTER);
      expect(await asked(api, FILTER.split("&").reverse().join("&"), cursor)).toBe(4);
      const by = [`filter[createdBy][in][id]=${ada.id}`, "filter[createdBy][in][id]=x", "filter[gender][eq]=Unknown"];
      const made = cursorOf(await api.get(`/v1/people?limit=2&${by.join("&")}`));
      expect(await asked(api, by.toReversed().join("&"), made)).toBe(4);
      expect(await asked(api, by.slice(1).join("&"), made)).toEqual(refusal);
      const body = { combinator: "and", filter: { firstName: { eq: "Ada", like: "d" }, gender: { in: ["Unknown"] } } };
      const searched = cursorOf(await api.post("/v1/people/search?limit=2", body));
      const shuffled = {
        filter: { gender: { in: ["Unknown"] }, firstName: { like: "d", eq: "Ada" } },
        combinator: "and",
      };
      expect((await api.post(`/v1/people/search?cursor=${searched}`, shuffled)).items).toHaveLength(4);
    });

    it("their route and their workspace", async () => {
      const { api, ada, group, field, cursor } = await withCursor("");
      const home = await group(ada);
      for (const name of ["Deals", "Projects"]) await field(ada, home, "person", { type: "objectField", name });
      const stranger = scene.api((await scene.workspace()).ada);
      expect(await asked(stranger, "", cursor)).toEqual(refusal);
      expect((await api.get(`/v1/companies?cursor=${cursor}`)).issues).toEqual(refusal);
      expect((await api.post(`/v1/people/search?cursor=${cursor}`, {})).issues).toEqual(refusal);
      const deals = `/v1/groups/${home.id}/Deals`;
      for (const name of ["a", "b"]) await api.post(deals, { name });
      const own = cursorOf(await api.get(`${deals}?limit=1`));
      expect((await api.get(`${deals}?cursor=${own}`)).items).toHaveLength(1);
      expect((await api.get(`/v1/groups/${home.id}/Projects?cursor=${own}`)).issues).toEqual(refusal);
    });

    it("a body, for a search: nextLink is the search path with limit and cursor", async () => {
      const { api, make } = await setUp();
      const ids = await make(6, () => ({ firstName: "Ada" }));
      const body = { combinator: "or", filter: { firstName: { eq: "Ada", like: "d" } } };
      const first = await api.post("/v1/people/search?limit=4", body);
      const cursor = cursorOf(first);
      expect(nextPath(first)).toBe(`/v1/people/search?limit=4&cursor=${cursor}`);
      const second = await api.post(String(nextPath(first)), body);
      expect(second.items.map(({ id }) => id)).toEqual(ids.slice(4));
      expect(second.nextLink).toBeUndefined();
      for (const other of [{}, { ...body, combinator: "and" }, { ...body, filter: { firstName: { eq: "Ada" } } }])
        expect((await api.post(`/v1/people/search?cursor=${cursor}`, other)).issues).toEqual(refusal);
      expect((await api.get(`/v1/people?cursor=${cursor}`)).issues).toEqual(refusal);
    });

    it("nobody when they are forged, too long, empty or given twice", async () => {
      const { api, cursor } = await withCursor("");
      const long = { code: "too_big", maximum: 512, type: "string", path: ["cursor"] };
      expect(await asked(api, "", "x".repeat(513))).toMatchObject([long]);
      const forged = ["", "x".repeat(512), cursor.slice(1), `${cursor}A`, "00000000-0000-7000-8000-000000000000"];
      for (const one of forged) expect([one, await asked(api, "", one)]).toEqual([one, refusal]);
      expect((await api.get(`/v1/people?cursor=${cursor}&cursor=${cursor}`)).issues).toMatchObject([
        { path: ["cursor"] },
      ]);
      expect(cursor.length).toBeLessThanOrEqual(512);
    });
  });
});
