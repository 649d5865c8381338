import type { Binder } from "../../database/binder.ts";
import { within } from "../../model/resources/scope.ts";
import type { Seen } from "../filters/known-fields.ts";
import type { Dimension } from "./dimension.ts";
import { dateSql, type GroupSql, groupSql, type ValueSql, valueRows } from "./group-columns.ts";
import type { Measure, MeasureKind } from "./measure.ts";

/** Maximum number of groups in an answer. docs/guides/aggregates.md#groups */
export const GROUPS_MAX = 1000;

interface Counted {
  seen: Seen;
  /** SQL over `r`, of which one at least is true for the records that are counted. */
  conditions: string[];
  dimensions: Dimension[];
  measures: Measure[];
}

/**
 * SQL for one row: JSON of the total, `[count, …measures]`, and of the groups, `[…values, count, …measures]` each, in
 * their order and one more than an answer has. Values are as they are stored, measures of times milliseconds. $1 is the
 * workspace.
 */
export function aggregateSql({ seen, conditions, dimensions, measures }: Counted, bind: Binder): string {
  const groups = dimensions.map((dimension, i) => groupSql({ seen, bind }, dimension, `g${i}`));
  const measured = measures.map((measure, i) => measureSql({ seen, bind }, measure, `m${i}`));
  const columns = new Set(["id", ...[...groups, ...measured].flatMap((sql) => sql.columns)]);
  const found = foundSql(seen, conditions, [...columns], bind);
  const joins = measured.map(({ join }) => join).join(" ");
  const total = `select json_build_array(${["count(*)", ...measured.map(({ told }) => told)].join(", ")}) from found r ${joins}`;
  // A filter is not worked through twice. All records are read twice rather than written to a file in between.
  const kept = groups.length > 0 && !(conditions.length === 1 && conditions[0] === "true");
  return `with found as ${kept ? "" : "not "}materialized (${found})
    select (${total}), ${groups.length === 0 ? "'[]'" : `(${groupsSql(dimensions, groups, measured)})`},
      (select catalog_version from workspaces where id = $1)`;
}

/** The records that are counted, each once. With `or` between them, conditions could not use an index each. */
function foundSql({ resource, scope }: Seen, conditions: string[], columns: string[], bind: Binder): string {
  const inScope = within(scope, bind);
  const parts = conditions.map(
    (condition) =>
      `select ${conditions.length > 1 ? "r.id" : columns.map((column) => `r.${column}`).join(", ")}
       from ${resource.searchTable} r where r.workspace_id = $1${inScope} and ${condition}`,
  );
  if (parts.length === 1) return String(parts[0]);
  const list = columns.map((column) => `r.${column}`).join(", ");
  return `select ${list} from (${parts.join(" union ")}) f join ${resource.searchTable} r on r.workspace_id = $1 and r.id = f.id`;
}

function groupsSql(dimensions: Dimension[], groups: GroupSql[], measured: MeasureSql[]): string {
  const orders = groups.flatMap(({ value, order }) => order(value));
  const columns = [
    ...groups.map(({ value }, i) => `${value} as v${i}`),
    "count(*) as n",
    ...measured.map(({ told }, i) => `${told} as m${i}`),
    ...orders.map((sql, i) => `${sql} as o${i}`),
  ];
  const joins = [...groups, ...measured].map(({ join }) => join).join(" ");
  const counted = `select ${columns.join(", ")} from found r ${joins} group by ${groups.map((_, i) => i + 1).join(", ")}`;
  const told = [
    ...groups.map(({ isNumber }, i) => (isNumber ? exact(`v${i}`) : `v${i}`)),
    "n",
    ...measured.map((_, i) => `m${i}`),
  ];
  const dates = dimensions.flatMap(({ shape }, i) => (shape === "date" ? `v${i} collate "C"` : []));
  const order = [...dates, "n desc", ...orders.map((_, i) => `o${i}`)].join(", ");
  return `select coalesce(json_agg(told order by place), '[]') from (
    select json_build_array(${told.join(", ")}) as told, row_number() over (order by ${order}) as place
    from (${counted}) c order by place limit ${GROUPS_MAX + 1}) g`;
}

type MeasureSql = ValueSql & { told: string };

function measureSql({ seen, bind }: { seen: Seen; bind: Binder }, { kind, of }: Measure, alias: string): MeasureSql {
  if (of.shape === "number") {
    const value = `r.${of.column}`;
    return { join: "", value, columns: [of.column], told: TOLD[kind](value) };
  }
  if (of.shape === "customNumber") {
    const value = `${alias}.number_value`;
    return { ...valueRows({ seen, bind }, of.field, alias), value, told: TOLD[kind](value) };
  }
  const sql = dateSql({ seen, bind }, of, alias);
  const isTime = of.shape === "createdAt" || of.shape === "activity";
  const end = `${kind}(${sql.value})`;
  return { ...sql, told: isTime ? `(extract(epoch from ${end}) * 1000)::bigint` : `${end}::text` };
}

const exact = (number: string) => `trim_scale(${number})::text`;

/** SQL of a measure of numbers: exact decimals as texts. docs/guides/aggregates.md#measures */
const TOLD: Record<MeasureKind, (value: string) => string> = {
  sum: (value) => exact(`sum(${value})`),
  // PostgreSQL divides to as many places as the sum has, if that has more than it would take.
  avg: (value) => exact(`round((sum(${value}) + 0.${"0".repeat(20)}) / nullif(count(${value}), 0), 10)`),
  min: (value) => exact(`min(${value})`),
  max: (value) => exact(`max(${value})`),
};
