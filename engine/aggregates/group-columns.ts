import { foldedText } from "../../base/values/text.ts";
import type { Binder } from "../../database/binder.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { stillShown } from "../filters/custom-condition.ts";
import type { Seen } from "../filters/known-fields.ts";
import { foldedField } from "../filters/search-columns.ts";
import { ANYBODY } from "../interactions/activity.ts";
import type { DateSource, Dimension, Unit } from "./dimension.ts";

/**
 * SQL of a value of the records `r`, which are rows of the search table. A record with several entries of a list comes
 * once with each, and one without with null. $1 is the workspace.
 */
export interface ValueSql {
  /** `left join …`, or nothing. */
  join: string;
  value: string;
  /** The columns of `r` that both look at. */
  columns: string[];
}

/** SQL of a dimension. */
export interface GroupSql extends ValueSql {
  isNumber?: boolean;
  /** SQL that orders groups with equal counts, ascending: over the rows of a group, or over its value. */
  order(value: string): string[];
}

interface Compiling {
  seen: Seen;
  bind: Binder;
}

/**
 * SQL of a dimension.
 * @param alias of the table that it joins
 */
export function groupSql({ seen, bind }: Compiling, dimension: Dimension, alias: string): GroupSql {
  const { resource, definitions, caller } = seen;
  const ties = (table: string, from: string, more = "") =>
    `left join ${table} ${alias} on ${alias}.workspace_id = $1 and ${alias}.${from} = r.id${more}`;
  switch (dimension.shape) {
    case "text":
      return {
        join: ties(resource.table, "id"),
        value: `nullif(${alias}.${dimension.column}, '')`,
        ...orderOfText(resource, dimension),
      };
    case "number":
      return { ...ofRow(dimension.column), isNumber: true, order: (value) => [value] };
    case "createdBy":
      return { ...ofRow("created_by"), order: (value) => [value] };
    case "groups": {
      const visible = bind(
        visibleGroups(definitions, caller).map(({ uuid }) => uuid),
        "uuid[]",
      );
      return {
        join: ties(resource.groupsTable, resource.recordIdColumn, ` and ${alias}.group_id = any(${visible})`),
        value: `${alias}.group_id`,
        columns: [],
        order: (value) => [value],
      };
    }
    case "links": {
      const { table, from, to } = dimension.links;
      return { join: ties(table, from), value: `${alias}.${to}`, columns: [], order: (value) => [value] };
    }
    case "date": {
      const { join, value, columns } = dateSql({ seen, bind }, dimension.of, alias);
      return { join, columns, value: `to_char(${value}, '${PERIODS[dimension.unit]}')`, order: () => [] };
    }
    case "custom":
      return customSql({ seen, bind }, dimension.definition, alias);
    default:
      return dimension satisfies never;
  }
}

const ofRow = (column: string): ValueSql => ({ join: "", value: `r.${column}`, columns: [column] });

/** The folded texts stand in the row, if filters by parts of the text look there. */
function orderOfText(
  resource: RecordType,
  { field }: Extract<Dimension, { shape: "text" }>,
): Pick<GroupSql, "columns" | "order"> {
  if (!resource.searchPlaces.texts.includes(field))
    return { columns: [], order: (value) => [`lower(${value}) collate "C"`] };
  const { text, column } = foldedField(resource, field);
  return {
    columns: [column.replace("r.", "")],
    order: (value) => [`nullif(min(${text} collate "C"), '')`, `${value} collate "C"`],
  };
}

/** Periods as texts, whose order is that of time. docs/guides/aggregates.md#periods */
const PERIODS: Record<Unit, string> = {
  day: "YYYY-MM-DD",
  week: 'IYYY"-W"IW',
  month: "YYYY-MM",
  quarter: 'YYYY"-Q"Q',
  year: "YYYY",
};

/** SQL of a date, or of a time in UTC. */
export function dateSql({ seen, bind }: Compiling, of: DateSource, alias: string): ValueSql {
  switch (of.shape) {
    case "column":
      return ofRow(of.column);
    case "createdAt":
      return {
        join: "",
        // The first twelve digits of the id are the millisecond.
        value:
          "(to_timestamp(('x' || translate(left(r.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) at time zone 'UTC')",
        columns: [],
      };
    case "activity":
      return {
        join: `left join interaction_counts ${alias} on ${alias}.workspace_id = $1 and ${alias}.entity_id = r.id
          and ${alias}.user_id = '${ANYBODY}'`,
        value: `(${alias}.last_at at time zone 'UTC')`,
        columns: [],
      };
    case "custom":
      return { ...valueRows({ seen, bind }, of.definition.uuid, alias), value: `${alias}.date_value` };
    default:
      return of satisfies never;
  }
}

/** SQL of the rows of values of a field. */
export function valueRows(
  { seen: { resource }, bind }: Compiling,
  field: string,
  alias: string,
): Omit<ValueSql, "value"> {
  return {
    join: `left join ${resource.valuesTable} ${alias} on ${alias}.workspace_id = $1
      and ${alias}.${resource.recordIdColumn} = r.id and ${alias}.field_id = ${bind(field, "uuid")}`,
    columns: [],
  };
}

function customSql({ seen, bind }: Compiling, definition: FieldDefinition, alias: string): GroupSql {
  const { hasOptions, ordered, refersTo } = customFieldTypes[definition.type];
  const rows = valueRows({ seen, bind }, definition.uuid, alias);
  if (ordered) return { ...rows, value: `${alias}.${ordered.column}`, isNumber: true, order: (value) => [value] };
  const shown = stillShown({ definitions: seen.definitions, bind }, definition, `${alias}.item`);
  const sql = { join: rows.join + shown, value: `${alias}.item`, columns: [] };
  if (hasOptions) {
    const byLabel = definition.options.toSorted((a, b) => compareTexts(foldedText(a.label), foldedText(b.label)));
    const options = bind(
      byLabel.map(({ uuid }) => uuid),
      "uuid[]",
    );
    return { ...sql, order: (value) => [`array_position(${options}, ${value})`] };
  }
  // Ids of companies begin with another letter than those of people, and are before them.
  const kind = (value: string) => `exists (select from people p where p.workspace_id = $1 and p.id = ${value})`;
  return { ...sql, order: (value) => (refersTo === "contact" ? [`${value} is null`, kind(value), value] : [value]) };
}

/** Compares two texts by code point, as PostgreSQL does in its collation "C". */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
