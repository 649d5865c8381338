import type { Caller } from "../../base/contract/caller.ts";
import type { TSchema } from "../../base/contract/schema.ts";
import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { WordKind } from "../../base/values/search-words.ts";

/** Kind of field in filters, which decides its operators. docs/guides/filters.md#operators */
export type FilterKind = "TEXT" | "DATE" | "DAY" | "NUMBER" | "MULTIREF" | "SELECT" | "CREATOR" | "CHOICE" | "TIME";

/** A type of column. */
export type SqlType =
  | "uuid"
  | "uuid[]"
  | "text"
  | "json"
  | "bytea"
  | "date"
  | "numeric"
  | "smallint"
  | "integer"
  | "time"
  | "timestamptz"
  | "boolean"
  | "tsvector";

/** A field kept in one column of the record's table. */
export interface ColumnStorage {
  shape: "column";
  column: string;
  type: SqlType;
  /** Value of a new record without the field, and of any record after the field was cleared. */
  unset: unknown;
  /** A second column, with the key of the first one's value: keys are unique in the workspace. */
  unique?: { column: string; type: SqlType; key(stored: unknown): string };
  /** Turns a sent value into the value of the column. */
  store(sent: unknown): unknown;
  /** Turns the value of the column into the value that a client sees. */
  present(stored: unknown): unknown;
}

/** References to other records in order. The record's row has their uuids, a table of links is the index of them. */
export interface LinksStorage {
  shape: "links";
  /** The column of the record's row. */
  column: string;
  table: string;
  /** The columns of that table: the record itself, and the linked one. */
  from: string;
  to: string;
  target: RecordKind;
  /** The member of an answer that holds the name of the linked record. */
  label: "name" | "fullName";
  /**
   * True if `{ name }` also names a company, and creates it if there is none.
   * docs/guides/people.md#companies-of-a-person
   */
  byName: boolean;
}

/** The record that a thing is about: a person, a company or an object, of which the row has the kind and the uuid. */
export interface EntityStorage {
  shape: "entity";
  kinds: readonly RecordKind[];
}

/**
 * Storage of a value that an answer makes of several columns, or of rows of other tables. Writes of its resource store
 * it in their own way.
 */
export interface ComposedStorage {
  shape: "composed";
  /** Name in the row → SQL over the row `t` of the resource's table. */
  reads: Record<string, string>;
  /** Value that a client sees, made of a row that was read with these. */
  present(row: Record<string, unknown>, viewing: FieldView): unknown;
}

/**
 * Facts that a composed value may need: the reader, the users of the workspace, removed ones too, and the record of the
 * row.
 */
export interface FieldView {
  caller: Caller;
  user(uuid: Uuid): { id: string; fullName: string; email: string; removed: boolean } | undefined;
  /** The record that a row is about, as it is answered. */
  entity(row: Record<string, unknown>): { id: string; entityType: RecordKind; fullName: string };
}

/**
 * Storage of a value that is no column and no link: the server makes it of other data, or keeps it in tables of its
 * own.
 */
export interface ServerStorage {
  shape: "id" | "createdAt" | "createdBy" | "groups" | "values" | "interactions" | "connections";
}

/** A field of a resource: what answers show of it, what writes take, how filters find it and where it is stored. */
export interface Field {
  /** The schema of its value in an answer. */
  read: TSchema;
  /** The schema for creates; null if only the server sets the field. */
  write: TSchema | null;
  /** The schema for updates, if it differs from the one for creates. */
  update?: TSchema;
  required?: boolean;
  /** Whether a create sets it for good, and updates do not take it. */
  fixed?: boolean;
  /** Null for a field that filters do not know. */
  filter: FilterKind | null;
  /** True if events say that the field has changed, and never show its value. */
  untold?: boolean;
  /** The words of a choice. */
  options?: readonly string[];
  /**
   * Place of a text that filters find in the column `folded_texts`, or of a list of texts in `folded_lists`. A new
   * field takes the next free place of its column. The place never changes, because stored rows depend on it.
   */
  searchPlace?: number;
  /**
   * The kind of words by which a search over everything finds its texts. docs/guides/search.md#what-is-searched
   */
  words?: WordKind;
  /** Whether lists can be sorted by it. docs/guides/sorting.md#fields */
  isSorted?: boolean;
  /** Whether records are counted by its values. Dates are counted by periods. docs/guides/aggregates.md#groups */
  isGrouped?: boolean;
  /** Whether its values have a sum. docs/guides/aggregates.md#measures */
  isSummed?: boolean;
  storage: ColumnStorage | LinksStorage | EntityStorage | ComposedStorage | ServerStorage;
}

/** Members of a record that a client sent: names of fields → values that fit the schema. */
export type RequestBody = Record<string, unknown>;

const asItIs = (value: unknown): unknown => value;

/** Storage in a column, as the value is sent and shown unless `store` or `present` say otherwise. */
export function inColumn(
  name: string,
  type: SqlType,
  unset: unknown,
  { store = asItIs, present = asItIs }: Partial<Pick<ColumnStorage, "store" | "present">> = {},
): ColumnStorage {
  return { shape: "column", column: name, type, unset, store, present };
}

/** A field that the server derives from other columns, and that no write takes. */
export function composed(read: TSchema, reads: ComposedStorage["reads"], present: ComposedStorage["present"]): Field {
  return { read, write: null, filter: null, storage: { shape: "composed", reads, present } };
}
