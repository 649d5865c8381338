import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { describeOwnServer } from "../support/scene.ts";
import { aggregateOf, type Dimension, type Measure } from "./aggregate-oracle.ts";
import { COUNTED_FIELDS, COUNTED_TYPES, type CountedField, countedFieldsOf, measuresOf } from "./counted-fields.ts";
import { toFilter, toQuery } from "./filters/asking.ts";
import { contactSome } from "./filters/contacts.ts";
import { fieldsOf } from "./filters/fields.ts";
import { KINDS, type Kind, observe, RESOURCES, type Viewer } from "./filters/observed.ts";
import type { Question } from "./filters/oracle.ts";
import { pathOf, SEED } from "./filters/population.ts";

const VIEWERS = ["ada", "bob"] as const;
/** Dimensions of which all pairs are counted by. */
const PAIRED = 7;
const MEASURES_MAX = 5;
const METHODS = ["GET", "POST"];

/** The parameters of a count. */
interface Asked {
  dimensions: Dimension[];
  measures?: Measure[];
  questions?: Question[];
  combinator?: "and" | "or";
}

// Every dimension and measure × filters, over generated records, compared with what docs/guides/aggregates.md says,
// told once more in aggregate-oracle.ts. The seed of a run stands in every failure; FILTER_SEED repeats it.
describeOwnServer("Aggregates", {}, (scene) => {
  const observed = observe(scene, (population) => contactSome(scene, population));
  const { answered, userOf, questionsOf, matching } = observed;

  /** Compares the answers to a GET and a POST with the oracle; gives the number of groups. */
  async function compare(viewer: Viewer, kind: Kind, asked: Asked, methods = METHODS): Promise<number> {
    const { dimensions, measures = [], questions = [], combinator = "and" } = asked;
    const data = aggregateOf(matching(answered(viewer, kind), questions, combinator), dimensions, measures);
    const path = `${pathOf(kind, observed.population)}/aggregate`;
    const { query, body } = requestOf(asked);
    const api = scene.api(userOf(viewer));
    for (const method of methods) {
      const answer = await (method === "GET" ? api.get(`${path}?${query}`) : api.post(path, body));
      const what = `seed ${SEED}: ${viewer} ${method} ${path} ${JSON.stringify(body)}`;
      if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}: ${answer.text}`);
      expect({ what, data: answer.data }).toEqual({ what, data });
      if (viewer === "bob") expect(answer.text).not.toContain(observed.population.vault.id);
    }
    return data.items.length;
  }

  const dimensionsBy = (fields: CountedField[], group?: "club" | "vault") =>
    fields.map(({ toDimension }) => toDimension(observed.population, group));

  /** Questions that some records of a list meet and others do not. */
  function questionsAbout(viewer: Viewer, kind: Kind): Question[] {
    const records = answered(viewer, kind);
    return fieldsOf(kind)
      .flatMap((field) => questionsOf(field, kind, viewer))
      .filter((question) => {
        const { length } = matching(records, [question]);
        return length > 2 && length < records.length;
      });
  }

  /** Filters, as many as are wanted. */
  function filtersOf(viewer: Viewer, kind: Kind, count: number): Required<Pick<Asked, "questions" | "combinator">>[] {
    const questions = fc.uniqueArray(fc.constantFrom(...questionsAbout(viewer, kind)), {
      minLength: 1,
      maxLength: 3,
      selector: ({ field, operator }) => JSON.stringify([field, operator]),
    });
    const filter = fc.record({ questions, combinator: fc.constantFrom("and" as const, "or" as const) });
    return fc.sample(filter, { seed: SEED, numRuns: count });
  }

  describe.each(KINDS)("of %s", (kind) => {
    const fields = countedFieldsOf(kind);

    it("know exactly the documented fields (docs/guides/aggregates.md#groups)", () => {
      const { fields: native, activityFilters = {} }: RecordType = RESOURCES[kind];
      const counted = Object.entries(native).flatMap(([name, { isGrouped, filter }]) =>
        isGrouped || filter === "DATE" || filter === "DAY" ? [name] : [],
      );
      const activity = Object.entries(activityFilters).flatMap(([name, of]) => (of === "anybody" ? [name] : []));
      expect([...counted, ...activity].sort()).toEqual(Object.keys(COUNTED_FIELDS[kind]).sort());
      const custom = Object.entries(customFieldTypes).filter(([, { filter }]) => filter !== "TEXT");
      expect(custom.map(([type]) => type).sort()).toEqual(Object.keys(COUNTED_TYPES).sort());
    });

    it.each(fields)("by $title are those of the guide (docs/guides/aggregates.md#groups)", async (field) => {
      const dimensions = dimensionsBy([field]);
      for (const viewer of VIEWERS) {
        const groups = await compare(viewer, kind, { dimensions });
        // With one group there is no order. The records are made within some days, which may be those of one period.
        if (!/^createdAt:(?!day)/.test(field.title)) expect(groups).toBeGreaterThan(1);
        for (const [i, filter] of filtersOf(viewer, kind, 4).entries())
          await compare(viewer, kind, { dimensions, ...filter }, [METHODS[i % 2] ?? ""]);
      }
    });

    it.each(VIEWERS)("by all pairs of some dimensions are those of the guide for %s", async (viewer) => {
      const [sampled = []] = fc.sample(fc.shuffledSubarray(fields, { minLength: PAIRED }), { seed: SEED, numRuns: 1 });
      const pairs = pairsOf(dimensionsBy(sampled.slice(0, PAIRED)));
      const some = fc.shuffledSubarray(measuresOf(kind, observed.population), { maxLength: MEASURES_MAX });
      const measures = fc.sample(some, { seed: SEED, numRuns: pairs.length });
      const filters = filtersOf(viewer, kind, pairs.length);
      for (const [i, dimensions] of pairs.entries()) {
        const asked = { dimensions, measures: measures[i] ?? [] };
        const [method = "", other = ""] = i % 2 === 0 ? METHODS : METHODS.toReversed();
        await compare(viewer, kind, asked, [method]);
        await compare(viewer, kind, { ...asked, ...filters[i] }, [other]);
      }
    });

    it("measure all fields of numbers and dates as the guide says (docs/guides/aggregates.md#measures)", async () => {
      const measures = measuresOf(kind, observed.population);
      const dimensions = dimensionsBy(fields);
      for (const [turn, viewer] of VIEWERS.entries()) {
        const filters = filtersOf(viewer, kind, Math.ceil(measures.length / MEASURES_MAX));
        for (let i = 0; i < measures.length; i += MEASURES_MAX) {
          const asked = { dimensions: [], measures: measures.slice(i, i + MEASURES_MAX) };
          await compare(viewer, kind, asked);
          await compare(viewer, kind, { ...asked, ...filters[i / MEASURES_MAX] });
          // All dimensions with all measures, each for one of the users.
          for (const dimension of dimensions.filter((_, place) => (place + i / MEASURES_MAX) % 2 === turn))
            await compare(viewer, kind, { ...asked, dimensions: [dimension] }, ["POST"]);
        }
      }
    });
  });

  it("by custom fields of another group are those of the guide for a user who sees it, and 422 for others", async () => {
    for (const kind of ["people", "companies"] as const) {
      const fields = countedFieldsOf(kind).filter(({ isCustom }) => isCustom);
      for (const dimension of dimensionsBy(fields, "vault")) {
        await compare("ada", kind, { dimensions: [dimension] });
        const { issues } = await scene
          .api(userOf("bob"))
          .get(`/v1/${kind}/aggregate?groupBy=${encodeURIComponent(dimension.name)}`);
        expect(issues).toEqual([{ code: "custom", path: ["groupBy", 0] }]);
      }
      const measures = measuresOf(kind, observed.population, "vault").filter(({ field }) => field.startsWith("custom"));
      for (let i = 0; i < measures.length; i += MEASURES_MAX) {
        const some = measures.slice(i, i + MEASURES_MAX);
        await compare("ada", kind, { dimensions: dimensionsBy(fields.slice(0, 1)), measures: some });
        const body = { measures: some.map((measure) => `${measure.kind}:${measure.field}`) };
        const { issues } = await scene.api(userOf("bob")).post(`/v1/${kind}/aggregate`, body);
        expect(issues).toEqual(some.map((_, place) => ({ code: "custom", path: ["measures", place] })));
      }
    }
  });
});

function requestOf({ dimensions, measures = [], questions = [], combinator = "and" }: Asked) {
  const groupBy = dimensions.map(({ name }) => name);
  const named = measures.map(({ kind, field }) => `${kind}:${field}`);
  const parameters = [
    ...groupBy.map((name) => `groupBy=${encodeURIComponent(name)}`),
    ...named.map((name) => `measures=${encodeURIComponent(name)}`),
  ];
  return {
    query: [...parameters, `combinator=${combinator}`, toQuery(questions)].join("&"),
    body: { combinator, filter: toFilter(questions), groupBy, ...(named.length > 0 && { measures: named }) },
  };
}

/** All ordered pairs. */
function pairsOf(dimensions: Dimension[]): Dimension[][] {
  return dimensions.flatMap((one) => dimensions.filter((other) => other !== one).map((other) => [one, other]));
}
