import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import { describeOwnServer } from "../../support/scene.ts";
import { walkPages } from "../../support/walking.ts";
import { toFilter, toQuery } from "./asking.ts";
import { contactSome } from "./contacts.ts";
import { type OrderKind, SORTED_FIELDS, SORTED_TYPES } from "./document.ts";
import { customFieldsOf, fieldsOf } from "./fields.ts";
import { KINDS, type Kind, observe, RESOURCES, type Viewer } from "./observed.ts";
import type { Question } from "./oracle.ts";
import { LABELS, type Population, pathOf, SEED } from "./population.ts";
import { inOrder, keyOf, type Order, toSort } from "./sort-oracle.ts";

const LIMITS = [1, 2, 7, 100];
const COMBINATIONS = 60;

/** A field to sort by, before the groups of a run are known. */
interface SortedField {
  title: string;
  kind: OrderKind;
  nameIn(population: Population, group?: "club" | "vault"): string;
}

/** Operators of filters that stand beside every order. */
const BESIDE: [kind: Question["kind"], operator: string][] = [
  ["TEXT", "eq"],
  ["TEXT", "like"],
  ["TEXT", "empty"],
  ["NUMBER", "gt"],
  ["DATE", "lt"],
  ["SELECT", "in"],
  ["MULTIREF", "in"],
  ["MULTIREF", "all"],
  ["CREATOR", "in"],
  ["DAY", "gt"],
  ["CHOICE", "eq"],
];

// Every order × every page, and × filters, over generated records, compared with what docs/guides/sorting.md says, told
// once more in sort-oracle.ts. The seed of a run stands in every failure; FILTER_SEED repeats it.
describeOwnServer("Sorted lists", {}, (scene) => {
  const observed = observe(scene, (population) => contactSome(scene, population));
  const { answered, userOf, questionsOf, matching } = observed;

  const ordersBy = ({ kind, nameIn }: SortedField, group?: "club" | "vault"): Order[] =>
    [false, true].map((isDescending) => ({
      field: nameIn(observed.population, group),
      kind,
      isDescending,
      options: LABELS,
    }));

  /** Walks through a list by each limit. With 1 a page ends behind each record. */
  async function walk(viewer: Viewer, kind: Kind, order: Order, limits: number[]): Promise<void> {
    const ids = inOrder(answered(viewer, kind), order).map(({ id }) => id);
    for (const limit of limits) {
      const path = `${pathOf(kind, observed.population)}?limit=${limit}&${toSort(order)}`;
      const pages = await walkPages(scene.api(userOf(viewer)).get, path);
      const asked = `seed ${SEED}: ${path}`;
      expect({ asked, ids: pages.flat().map(({ id }) => id) }).toEqual({ asked, ids });
      expect([asked, pages.length]).toEqual([asked, Math.ceil(ids.length / limit)]);
    }
  }

  interface Asked {
    order: Order;
    questions: Question[];
    combinator: "and" | "or";
    limit: number;
    inBody: boolean;
  }

  /** Walks through a list or a search with filters; gives how many records it has. */
  async function walkFound(kind: Kind, { order, questions, combinator, limit, inBody }: Asked): Promise<number> {
    const ids = inOrder(matching(answered("bob", kind), questions, combinator), order).map(({ id }) => id);
    const path = pathOf(kind, observed.population);
    const sort = `limit=${limit}&${toSort(order)}`;
    const api = scene.api(userOf("bob"));
    const pages = await (inBody
      ? walkPages((next) => api.post(next, { combinator, filter: toFilter(questions) }), `${path}/search?${sort}`)
      : walkPages(api.get, `${path}?${sort}&combinator=${combinator}&${toQuery(questions)}`));
    const asked = `seed ${SEED}: ${JSON.stringify({ sort, combinator, questions })}`;
    expect({ asked, ids: pages.flat().map(({ id }) => id) }).toEqual({ asked, ids });
    return ids.length;
  }

  describe.each(KINDS)("of %s", (kind) => {
    const fields = sortedFieldsOf(kind);

    it("know exactly the documented fields (docs/guides/sorting.md#fields)", () => {
      const { fields: native, activityFilters = {} }: RecordType = RESOURCES[kind];
      const sorted = Object.entries(native).flatMap(([name, { isSorted }]) => (isSorted ? [name] : []));
      const activity = Object.entries(activityFilters).flatMap(([name, of]) => (of === "anybody" ? [name] : []));
      expect([...sorted, ...activity].sort()).toEqual(Object.keys(SORTED_FIELDS[kind] ?? {}).sort());
      const custom = Object.entries(customFieldTypes).filter(([, { sortedBy }]) => sortedBy !== undefined);
      expect(custom.map(([type]) => type).sort()).toEqual(Object.keys(SORTED_TYPES).sort());
    });

    it.each(fields)("by $title stand in its order on all pages (docs/guides/sorting.md#order)", async (field) => {
      for (const order of ordersBy(field)) {
        const keys = answered("bob", kind).map((record) => String(keyOf(record, order)));
        // An order in which all are equal compares nothing.
        expect(new Set(keys).size).toBeGreaterThan(2);
        await walk("ada", kind, order, [7, 100]);
        await walk("bob", kind, order, [1, 2]);
      }
    });

    it.each(fields)("by $title stand in its order beside each kind of filter", async (field) => {
      const orders = ordersBy(field);
      for (const [i, question] of twoOfEach(questionsAbout(kind)).entries()) {
        const order = orders[i % 2];
        const limit = LIMITS[(i >> 1) % LIMITS.length] ?? 1;
        if (order) await walkFound(kind, { order, questions: [question], combinator: "and", limit, inBody: i % 4 < 2 });
      }
    });

    it(`in any combination of order and filters are ${COMBINATIONS} times right`, async () => {
      const orders = fields.flatMap((field) => ordersBy(field));
      const questions = fc.uniqueArray(fc.constantFrom(...questionsAbout(kind)), {
        minLength: 1,
        maxLength: 4,
        selector: ({ field, operator }) => JSON.stringify([field, operator]),
      });
      const asked = fc.record({
        order: fc.constantFrom(...orders),
        questions,
        combinator: fc.constantFrom("and" as const, "or" as const),
        limit: fc.constantFrom(...LIMITS),
        inBody: fc.boolean(),
      });
      const counts: number[] = [];
      const holds = fc.asyncProperty(asked, async (one) => {
        counts.push(await walkFound(kind, one));
      });
      await fc.assert(holds, { seed: SEED, numRuns: COMBINATIONS });
      expect(counts.some((count) => count > 7)).toBe(true);
    });
  });

  /** Questions that some records of a list meet and others do not. */
  function questionsAbout(kind: Kind): Question[] {
    const records = answered("bob", kind);
    return fieldsOf(kind)
      .flatMap((field) => questionsOf(field, kind, "bob"))
      .filter((question) => {
        const { length } = matching(records, [question]);
        return length > 1 && length < records.length;
      });
  }

  it("by a custom field of another group stand in its order for a user who sees it, and are 422 for others", async () => {
    for (const kind of ["people", "companies"] as const) {
      for (const field of sortedFieldsOf(kind).filter(({ title }) => title.startsWith("custom"))) {
        for (const order of ordersBy(field, "vault")) {
          await walk("ada", kind, order, [1, 7]);
          const { issues } = await scene.api(userOf("bob")).get(`/v1/${kind}?${toSort(order)}`);
          expect(issues).toEqual([{ code: "custom", path: ["sort"] }]);
        }
      }
    }
  });
});

/** Two of the questions for each operator that stands beside every order: one for each direction. */
function twoOfEach(questions: Question[]): Question[] {
  return BESIDE.flatMap(([kind, operator], i) => {
    const asked = questions.filter((one) => one.kind === kind && one.operator === operator);
    return asked.length === 0 ? [] : fc.sample(fc.constantFrom(...asked), { seed: SEED + i, numRuns: 2 });
  });
}

/** All that a kind of record can be sorted by. */
function sortedFieldsOf(kind: Kind): SortedField[] {
  const native = Object.entries(SORTED_FIELDS[kind] ?? {}).map(
    ([name, order]): SortedField => ({ title: name, kind: order, nameIn: () => name }),
  );
  const custom = customFieldsOf(kind).flatMap(({ title, nameIn }): SortedField[] => {
    const order = SORTED_TYPES[title.split(" ").at(-1) ?? ""];
    return order ? [{ title, kind: order, nameIn }] : [];
  });
  return [...native, ...custom];
}
