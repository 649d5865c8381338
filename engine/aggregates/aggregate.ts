import type { Caller } from "../../base/contract/caller.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query, TextRow } from "../../database/query.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { checkConditions } from "../filters/check.ts";
import { aliasesIn, compile } from "../filters/compile.ts";
import type { Combinator, Condition } from "../filters/condition.ts";
import type { Seen } from "../filters/known-fields.ts";
import { byDefinitions } from "../records/by-definitions.ts";
import { recordsOf } from "../records/find-ids.ts";
import { nameRecords, type RecordNames } from "../records/names.ts";
import { type Dimension, dimensionsOf } from "./dimension.ts";
import { type Measure, measuresOf } from "./measure.ts";
import { kindsNamed, shownValue } from "./shown-groups.ts";
import { aggregateSql, GROUPS_MAX } from "./statement.ts";

/** The parameters of a count, as a client sent them. */
export interface Asked {
  conditions: Condition[];
  combinator: Combinator;
  groupBy: readonly string[];
  measures: readonly string[];
}

/** The count of records, and their measures: exact decimals, dates or times; null without values. */
export type Told = { count: number } & Partial<Record<Measure["kind"], Record<string, string | null>>>;

export interface Aggregate {
  /** The groups, at most 1,000, in the order of their dates or with the largest first. */
  items: ({ group: unknown[] } & Told)[];
  total: Told;
  /** Set if there are more groups. */
  truncated?: true;
}

interface Reading {
  query: Query;
  queryNames: Query;
  queryPlanned: Query;
  definitionsCache: DefinitionsCache;
}

/**
 * Counts the records that meet the conditions and that the caller sees, all of them and by the values of up to two
 * fields, with sums and the like. docs/guides/aggregates.md
 * @throws ApiError 422 with all that makes no sense in conditions, groups and measures
 */
export async function aggregate(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  asked: Asked,
): Promise<Aggregate> {
  return byDefinitions(reading.definitionsCache, caller.workspaceId, async (definitions) => {
    const seen: Seen = { resource, scope, definitions, caller };
    const { dimensions, issues } = dimensionsOf(seen, asked.groupBy);
    const { measures, issues: more } = measuresOf(seen, asked.measures);
    const checked = checkConditions(resource, scope, definitions, caller, asked.conditions, [...issues, ...more]);
    const aliases = await aliasesIn(reading.query, caller.workspaceId, checked);
    const bind = recordsOf(caller);
    const conditions = compile({ resource, definitions, caller, aliases, bind }, checked, asked.combinator);
    const sql = aggregateSql({ seen, conditions, dimensions, measures }, bind);
    const [row] = await reading.queryPlanned<TextRow>(sql, bind.values, "texts");
    const total = JSON.parse(row?.[0] ?? "[0]") as Counts;
    const groups = JSON.parse(row?.[1] ?? "[]") as unknown[][];
    const result = await shownAggregate(reading, seen, { dimensions, measures }, { total, groups });
    return { result, version: Number(row?.[2] ?? 0) };
  });
}

/** A count, and the measures behind it. */
type Counts = [count: number, ...measures: (string | number | null)[]];

async function shownAggregate(
  { queryNames }: Reading,
  seen: Seen,
  { dimensions, measures }: { dimensions: Dimension[]; measures: Measure[] },
  { total, groups }: { total: Counts; groups: unknown[][] },
): Promise<Aggregate> {
  const shown = groups.slice(0, GROUPS_MAX);
  const names = await namesIn(queryNames, seen, dimensions, shown);
  const items = shown.map((row) => ({
    group: dimensions.map((dimension, i) => shownValue(seen, dimension, row[i] as string | null, names)),
    ...told(measures, row.slice(dimensions.length) as Counts),
  }));
  return { items, total: told(measures, total), ...(groups.length > GROUPS_MAX && { truncated: true }) };
}

/** The names of the records that groups are about. */
async function namesIn(
  query: Query,
  { caller }: Seen,
  dimensions: Dimension[],
  rows: unknown[][],
): Promise<RecordNames> {
  const wanted = new Map<string, Uuid>();
  for (const [i, dimension] of dimensions.entries()) {
    const kinds = kindsNamed(dimension);
    for (const row of rows)
      if (row[i] !== null) for (const kind of kinds) wanted.set(toId(kind, row[i] as Uuid), row[i] as Uuid);
  }
  const records = await nameRecords(query, caller.workspaceId, wanted);
  return new Map(records.map((record) => [record.id, record]));
}

function told(measures: Measure[], [count, ...values]: Counts): Told {
  const result: Told = { count };
  for (const [i, { kind, field }] of measures.entries()) {
    const value = values[i] ?? null;
    const fields = result[kind] ?? {};
    // Times are milliseconds.
    fields[field] = typeof value === "number" ? new Date(value).toISOString() : value;
    result[kind] = fields;
  }
  return result;
}
