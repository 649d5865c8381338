import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Combinator } from "../../../engine/filters/condition.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import { describeOwnServer } from "../../support/scene.ts";
import { findIds, toFilter, toQuery } from "./asking.ts";
import { CUSTOM_KINDS, NATIVE_FIELDS, OPERATORS } from "./document.ts";
import { customFieldsOf, fieldsOf } from "./fields.ts";
import { KINDS, type Kind, observe, RESOURCES, type Viewer } from "./observed.ts";
import type { Answered, Question } from "./oracle.ts";
import { pathOf, SEED } from "./population.ts";

const COMBINATIONS = 60;
const LIMIT = 3;

// Every field × every operator × values that some, one or no record has, over generated records, compared with what
// docs/guides/filters.md says, told once more in oracle.ts. The seed of a run stands in every failure; FILTER_SEED
// repeats it. The clock of its own server is moved.
describeOwnServer("Filters", {}, (scene) => {
  const observed = observe(scene);
  const { userOf, answered, placeOf, questionsOf } = observed;

  const expected = (records: Answered[], questions: Question[], combinator?: Combinator): string[] =>
    observed.matching(records, questions, combinator).map(({ id }) => id);

  /** Compares every question with the oracle; gives how many records each matched. */
  async function compare(user: Viewer, kind: Kind, questions: Question[]): Promise<number[]> {
    const place = await placeOf(userOf(user), kind);
    const records = answered(user, kind);
    const counts: number[] = [];
    // One after the other: so many at once would be too much for the server, and refused.
    for (const question of questions) {
      const ids = await findIds(place, [question]);
      const asked = `seed ${SEED}: ${JSON.stringify(question)}`;
      expect({ asked, ids }).toEqual({ asked, ids: expected(records, [question]) });
      counts.push(ids.length);
    }
    return counts;
  }

  describe.each(KINDS)("of %s", (kind) => {
    it("know exactly the documented fields and kinds (docs/guides/filters.md#fields)", () => {
      const { fields, activityFilters = {} }: RecordType = RESOURCES[kind];
      const native = Object.entries(fields).flatMap(([name, { filter }]) => (filter ? [[name, filter]] : []));
      expect({
        ...Object.fromEntries([...native, ...Object.keys(activityFilters).map((name) => [name, "DAY"])]),
      }).toEqual(NATIVE_FIELDS[kind]);
      const custom = Object.entries(customFieldTypes).map(([type, { filter }]) => [type, filter]);
      expect(Object.fromEntries(custom)).toEqual(CUSTOM_KINDS);
    });

    it.each(fieldsOf(kind))("by $title mean what the guide says, with every operator", async (field) => {
      const questions = questionsOf(field, kind, "bob");
      expect(new Set(questions.map(({ operator }) => operator))).toEqual(new Set(OPERATORS[field.kind]));
      const counts = await compare("bob", kind, questions);
      // A sweep that never meets, or always meets, compares nothing.
      const some = counts.some((count) => count > 0 && count < answered("bob", kind).length);
      expect({ field: field.title, some }).toEqual({ field: field.title, some: !/lastInteractedAt/.test(field.title) });
    });

    it.each(fieldsOf(kind))("by $title are one page of the list, or of the search", async (field) => {
      const api = scene.api(userOf("bob"));
      const questions = questionsOf(field, kind, "bob");
      for (const [i, operator] of OPERATORS[field.kind].entries()) {
        const [first, ...others] = questions.filter((one) => one.operator === operator);
        const question = others.find((one) => one.asked.values[0]?.includes("%")) ?? first;
        if (!question) continue;
        const path = pathOf(kind, observed.population);
        const { items, nextLink } = await (i % 2 === 0
          ? api.get(`${path}?limit=${LIMIT}&${toQuery([question])}`)
          : api.post(`${path}/search?limit=${LIMIT}`, { filter: toFilter([question]) }));
        const ids = expected(answered("bob", kind), [question]);
        const asked = `seed ${SEED}: ${JSON.stringify(question)}`;
        const page = { asked, ids: ids.slice(0, LIMIT), more: ids.length > LIMIT };
        expect({ asked, ids: items.map(({ id }) => id), more: nextLink !== undefined }).toEqual(page);
      }
    });

    it(`in any combination by and, and by or, are ${COMBINATIONS} times right`, async () => {
      const place = await placeOf(userOf("bob"), kind);
      const all = fieldsOf(kind).flatMap((field) => questionsOf(field, kind, "bob"));
      const combination = fc.uniqueArray(fc.constantFrom(...all), {
        minLength: 2,
        maxLength: 5,
        selector: ({ field, operator }) => JSON.stringify([field, operator]),
      });
      const holds = fc.asyncProperty(combination, fc.constantFrom("and", "or"), async (questions, combinator) => {
        const ids = await findIds(place, questions, combinator);
        expect(ids).toEqual(expected(answered("bob", kind), questions, combinator));
      });
      await fc.assert(holds, { seed: SEED, numRuns: COMBINATIONS });
    });
  });

  it("of somebody who sees more groups see more (docs/guides/filters.md#operators)", async () => {
    for (const kind of ["people", "companies"] as const) {
      const groups = fieldsOf(kind).filter(({ title }) => title === "groups");
      for (const field of [...groups, ...customFieldsOf(kind)])
        await compare("ada", kind, questionsOf(field, kind, "ada", "vault"));
    }
  });

  it("by a custom field of a group that the caller cannot see know no such field (docs/guides/filters.md#custom-fields)", async () => {
    const api = scene.api(userOf("bob"));
    for (const kind of ["people", "companies"] as const) {
      for (const field of customFieldsOf(kind)) {
        const name = field.nameIn(observed.population, "vault");
        const question: Question = {
          field: name,
          kind: "TEXT",
          operator: "empty",
          asked: { values: [], ids: [], emails: [] },
        };
        const issues = [{ code: "custom", path: ["filter", name] }];
        expect((await api.get(`/v1/${kind}?${toQuery([question])}`)).issues).toEqual(issues);
        expect((await api.post(`/v1/${kind}/search`, { filter: toFilter([question]) })).issues).toEqual(issues);
      }
    }
  });
});
