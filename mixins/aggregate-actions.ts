import { closed, nullable, Type } from "../base/contract/schema.ts";
import { DIMENSIONS_MAX, MEASURES_MAX } from "../config/limits.ts";
import { type Aggregate, aggregate } from "../engine/aggregates/aggregate.ts";
import { type Combinator, type Condition, combinatorSchema, conditionSchema } from "../engine/filters/condition.ts";
import { filterSchema, fromJson } from "../engine/filters/from-json.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { PathParams } from "./path.ts";
import { type Records, scopeOfRead } from "./records.ts";

const combinator = Type.Optional(combinatorSchema);
const groupBy = Type.Optional(
  Type.Array(Type.String({ plainText: true }), {
    maxItems: DIMENSIONS_MAX,
    description:
      "Fields by whose values records are counted; a date with `:day`, `:week`, `:month`, `:quarter` or `:year`",
    example: ["createdAt:month"],
  }),
);
const measures = Type.Array(Type.String({ plainText: true }), {
  maxItems: MEASURES_MAX,
  description:
    "`count`, or `sum:`, `avg:`, `min:` or `max:` with the name of a field of numbers; `min:` and `max:` of dates too",
  example: ["count"],
});
const body = closed(
  {
    combinator,
    filter: Type.Optional(filterSchema),
    groupBy,
    measures: Type.Optional({ ...measures, minItems: 1 } as typeof measures),
  },
  { title: "Aggregate" },
);

const values = Type.Optional(Type.Record(Type.String(), nullable(Type.String())));
const told = { count: Type.Integer(), sum: values, avg: values, min: values, max: values };
const returns = {
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        group: Type.Array(Type.Unsafe({ description: "A value as records show it, null for records without one" })),
        ...told,
      }),
    ),
    total: Type.Object(told),
    truncated: Type.Optional(Type.Boolean({ description: "True if there are more than 1,000 groups" })),
  }),
};

interface Counted {
  combinator?: Combinator;
  groupBy?: string[];
  measures?: string[];
}

/** The actions that count the records of a kind. docs/guides/aggregates.md */
export function aggregateActions(records: Records) {
  const { resource, scoping } = records;
  const run = async (ctx: ActionContext<unknown>, conditions: Condition[], counted: Counted): Promise<string> => {
    const caller = callerOf(ctx);
    const scope = await scopeOfRead(records, caller, ctx.params as PathParams);
    const result: Aggregate = await aggregate(records.store, resource, caller, scope, {
      conditions,
      combinator: counted.combinator ?? "and",
      groupBy: counted.groupBy ?? [],
      measures: counted.measures ?? [],
    });
    return JSON.stringify(result);
  };
  return {
    aggregate: {
      summary: `Count ${resource.table}`,
      description:
        "The number of records, of all that a filter leaves and by the values of up to two fields, with sums and the like.",
      params: closed({
        ...scoping?.path,
        combinator,
        filter: Type.Optional(Type.Array(conditionSchema)),
        groupBy,
        measures: Type.Optional(measures),
      }),
      returns,
      handler: (ctx: ActionContext<Counted & { filter?: Condition[] }>) =>
        run(ctx, ctx.params.filter ?? [], ctx.params),
    },
    aggregateSearch: {
      summary: `Count ${resource.table} of a search`,
      description: "The same with everything in the body, for filters that are too long for a URL.",
      params: closed({ ...scoping?.path, body }),
      returns,
      handler: (ctx: ActionContext<{ body: Counted & { filter?: Record<string, Record<string, unknown>> } }>) =>
        run(ctx, fromJson(ctx.params.body.filter ?? {}), ctx.params.body),
    },
  };
}
