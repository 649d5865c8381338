import type { TSchema } from "../contract/schema.ts";
import type { RecordKind } from "../values/ids.ts";

/** The operator set of a field. API document, "Filtering". */
export type FilterKind = "TEXT" | "DATE" | "DAY" | "NUMBER" | "MULTIREF" | "SELECT" | "CREATOR" | "GENDER";

/** A field kept in one column of the record's table. */
export interface ColumnStorage {
  shape: "column";
  column: string;
  /** What a new record holds when nothing is sent; the value after clearing. */
  unset: unknown;
  /** A second column that keeps the values of the first unique in the workspace. */
  unique?: { column: string; key(stored: unknown): string };
  /** What a client sent → what the column takes. */
  store(sent: unknown): unknown;
  /** What the column gave → what a client sees. */
  present(stored: unknown): unknown;
}

/** References to other records in order, kept in a table of links. */
export interface LinksStorage {
  shape: "links";
  table: string;
  /** The column of the record itself, and of the linked one. */
  from: string;
  to: string;
  target: RecordKind;
  /** Under which name the linked record's name goes out. */
  label: "name" | "fullName";
  /** Whether `{ name }` names a company too, and makes it when there is none. */
  byName: boolean;
}

/** What the server makes of a record: it is no column of its own and never written by a client. */
export interface ServerStorage {
  shape: "id" | "createdAt" | "createdBy" | "groups" | "values" | "interactions" | "connections";
}

export interface Field {
  read: TSchema;
  /** Null when the server sets it. */
  write: TSchema | null;
  /** Where an update takes another schema than a create. */
  update?: TSchema;
  required?: boolean;
  filter: FilterKind | null;
  /**
   * Of a text that filters find: its place in the column `folded_texts`; of a list of texts, in `folded_lists`. A new field
   * takes the next free place of its column. The place never changes, because stored rows depend on it.
   */
  searchPlace?: number;
  storage: ColumnStorage | LinksStorage | ServerStorage;
}

/** What a client sent of a record: names of fields → values that fit the schema. */
export type Sent = Record<string, unknown>;
