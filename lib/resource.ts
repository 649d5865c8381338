import type { IdKind } from "./ids.ts";
import { closed, type TSchema, Type } from "./schema.ts";
import { type SearchPlaces, searchPlaces } from "./search-places.ts";

export type RecordKind = "person" | "company" | "object";

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

export interface ResourceDefinition {
  kind: RecordKind;
  /** The API document's word for one of them, and for several. */
  title: string;
  table: string;
  fields: Record<string, Field>;
  /**
   * The number of search places that the table had in its first migration. Every row without a text in one of these fields
   * has a key that says so, by which `empty` finds it. Rows that are older than a later field have no key for it, so the
   * number stays when fields are added.
   */
  initialPlaces: Record<keyof SearchPlaces, number>;
  /** Fields that only filters know: name → kind. Their values are kept elsewhere, or nowhere yet. */
  filterOnly?: Record<string, FilterKind>;
  /** Columns that are read with every record and shown in none: name in the row → column. */
  rowColumns?: Record<string, string>;
  /** Fields that follow from others, for a create (`current` null) and an update. Gives what is to be stored. */
  derive?(sent: Sent, current: Sent | null): Sent;
}

/** What a client sent of a record: names of fields → values that fit the schema. */
export type Sent = Record<string, unknown>;

export interface Resource extends ResourceDefinition {
  /** Tables beside the record's own: memberships with the custom values, and the index of those values. */
  groupsTable: string;
  valuesTable: string;
  /** The column that holds the record's id in tables beside its own. */
  ownColumn: string;
  columns: { name: string; storage: ColumnStorage }[];
  links: { name: string; storage: LinksStorage }[];
  searchPlaces: SearchPlaces;
  createBody: TSchema;
  updateBody: TSchema;
  record: TSchema;
}

/**
 * A resource from its table of fields, the one place where a field is written: schemas of bodies and answers, columns and
 * links follow from it.
 */
export function defineResource(definition: ResourceDefinition): Resource {
  const fields = Object.entries(definition.fields);
  return {
    ...definition,
    groupsTable: `${definition.kind}_groups`,
    valuesTable: `${definition.kind}_values`,
    ownColumn: `${definition.kind}_id`,
    columns: fields.flatMap(([name, { storage }]) => (storage.shape === "column" ? [{ name, storage }] : [])),
    links: fields.flatMap(([name, { storage }]) => (storage.shape === "links" ? [{ name, storage }] : [])),
    searchPlaces: searchPlaces(definition.title, definition.fields),
    createBody: body(fields, "create", `${definition.title}Create`),
    updateBody: body(fields, "update", `${definition.title}Update`),
    record: Type.Object(Object.fromEntries(fields.map(([name, field]) => [name, field.read])), {
      title: definition.title,
    }),
  };
}

function body(fields: [string, Field][], purpose: "create" | "update", title: string): TSchema {
  const properties = fields.flatMap(([name, field]): [string, TSchema][] => {
    if (!field.write) return [];
    const schema = (purpose === "update" && field.update) || field.write;
    return [[name, purpose === "create" && field.required ? schema : Type.Optional(schema)]];
  });
  return closed(Object.fromEntries(properties), { title });
}

/** Kind of record → where its name stands and which ids it has. Links and custom values name records through it. */
export const TARGETS: Record<RecordKind, { table: string; label: string; id: IdKind }> = {
  person: { table: "people", label: "full_name", id: "person" },
  company: { table: "companies", label: "name", id: "company" },
  object: { table: "objects", label: "name", id: "object" },
};
