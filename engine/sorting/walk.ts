import type { Uuid } from "../../base/values/ids.ts";
import type { Binder } from "../../database/binder.ts";
import type { Option } from "../../model/custom-fields/definition.ts";
import type { SqlType } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ANYBODY } from "../interactions/activity.ts";

/** Place of the values by which records are sorted. */
export type SortKeys =
  | { shape: "column"; key: string; type: SqlType }
  | { shape: "createdAt" }
  | { shape: "activity" }
  | { shape: "value"; field: Uuid; column: string; key: string; type: SqlType }
  | OptionKeys;

/** A single select, by the place of its value among the options of the list. */
export interface OptionKeys {
  shape: "option";
  field: Uuid;
  /** The options in the order of the list. */
  options: Pick<Option, "uuid" | "position">[];
  isDescending: boolean;
}

/** Number of characters of a folded text by which records are sorted. docs/guides/sorting.md#order */
export const KEY_LENGTH = 200;

/** SQL of the key of a folded text. PostgreSQL counts code points. Migration 0030 has the indexes of it. */
export const keyOfText = (text: string) => `left(${text}, ${KEY_LENGTH})`;

/**
 * SQL for records `r` in the order of a key that stands in an index with the id of the record behind it. The records
 * without a key are not among them. $1 is the workspace.
 */
export interface Walk {
  from: string;
  where: string;
  key: string;
  id: string;
  /** The order of the index, and that of reading it from its end. */
  forth: string;
  back: string;
  /** Conditions on the key; `key` and `id` are SQL. */
  at(key: string): string;
  before(key: string): string;
  after(key: string, id: string): string;
  /** Type of the key, for a value that is bound. */
  type: SqlType;
  /** The records `r` without a key; null if there are none. */
  unset: Unset | null;
}

/** Records `r` without a key: the condition, and their order, which is that of creation. */
export interface Unset {
  where: string;
  order: string;
}

/**
 * Records without a row of this kind. Each record is looked up by itself: with `offset 0` PostgreSQL makes no join of
 * it, which would begin with the rows of all records.
 */
export function without(rows: string, id: string): Unset {
  return { where: `not exists (select ${rows} and ${id} = r.id offset 0)`, order: "r.id" };
}

/** The walk along the keys of a field that has an order of its own. */
export function walkOf(resource: RecordType, keys: Exclude<SortKeys, OptionKeys>, bind: Binder): Walk {
  const { searchTable } = resource;
  const search = `${searchTable} r`;
  switch (keys.shape) {
    case "column":
      return {
        ...inIndex(keys.key, "r.id", keys.type),
        from: search,
        where: `${keys.key} is not null`,
        // Only by naming the key too does PostgreSQL see that the index has them in this order.
        unset: { where: `${keys.key} is null`, order: `${keys.key}, r.id` },
      };
    case "createdAt":
      return { ...BY_TIME_OF_ID, from: search };
    case "activity": {
      const counted = `c.workspace_id = $1 and c.user_id = '${ANYBODY}'`;
      return {
        ...inIndex("c.last_at", "c.entity_id", "timestamptz"),
        from: `interaction_counts c join ${search} on r.workspace_id = $1 and r.id = c.entity_id`,
        where: counted,
        unset: without(`from interaction_counts c where ${counted}`, "c.entity_id"),
      };
    }
    case "value": {
      const field = bind(keys.field, "uuid");
      return {
        ...inIndex(keys.key, `v.${resource.recordIdColumn}`, keys.type),
        from: valuesJoined(resource),
        where: `v.workspace_id = $1 and v.field_id = ${field} and v.${keys.column} is not null`,
        unset: without(
          `from ${resource.valuesTable} v where v.workspace_id = $1 and v.field_id = ${field}`,
          `v.${resource.recordIdColumn}`,
        ),
      };
    }
    default:
      return keys satisfies never;
  }
}

/** The values of custom fields `v` with their records `r`. */
export function valuesJoined({ valuesTable, searchTable, recordIdColumn }: RecordType): string {
  return `${valuesTable} v join ${searchTable} r on r.workspace_id = $1 and r.id = v.${recordIdColumn}`;
}

type KeyPart = Pick<Walk, "key" | "id" | "forth" | "back" | "at" | "before" | "after" | "type">;

function inIndex(key: string, id: string, type: SqlType): KeyPart {
  return {
    key,
    id,
    type,
    forth: `${key}, ${id}`,
    back: `${key} desc, ${id} desc`,
    at: (wanted) => `${key} = ${wanted}`,
    before: (end) => `${key} < ${end}`,
    after: (wanted, last) => `(${key}, ${id}) > (${wanted}, ${last})`,
  };
}

/** The millisecond in which a record was made stands in its id: the first twelve digits of it. */
const BY_TIME_OF_ID: Omit<Walk, "from"> = {
  where: "true",
  key: 'left(r.id::text, 13) collate "C"',
  id: "r.id",
  type: "text",
  forth: "r.id",
  back: "r.id desc",
  at: (time) =>
    `r.id >= (${time} || '-0000-0000-000000000000')::uuid and r.id <= (${time} || '-ffff-ffff-ffffffffffff')::uuid`,
  before: (time) => `r.id < (${time} || '-0000-0000-000000000000')::uuid`,
  after: (time, id) => `${time} is not null and r.id > ${id}`,
  unset: null,
};
