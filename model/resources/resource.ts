import type { Caller } from "../../base/contract/caller.ts";
import { closed, type TSchema, Type } from "../../base/contract/schema.ts";
import type { IdKind, Uuid } from "../../base/values/ids.ts";
import type { WordKind } from "../../base/values/search-words.ts";
import type { Binder } from "../../database/binder.ts";
import type { Definitions } from "../definitions/definitions.ts";
import type { ColumnStorage, Field, RequestBody } from "../fields/field.ts";

/** A row of a resource: the columns stand under the names of their fields. */
export interface Row {
  uuid: Uuid;
  [field: string]: unknown;
}

/** Viewer of a resource: the caller, and the workspace as it is defined at this moment. */
export interface Viewer {
  caller: Caller;
  definitions: Definitions;
}

/**
 * Which of its things a caller sees, and which they may change. Without it every user of the workspace sees and changes
 * all.
 */
export interface ResourceAccess {
  /** SQL over the row `t` of the table that is true for the rows that this caller can see. Other rows are 404. */
  sees(viewing: Viewer, bind: Binder): string;
  /** The part of a row that this caller sees, where that is not all of it. */
  seenPart?(row: Row, viewing: Viewer): Row;
  /** Why a caller who sees a thing may not change or delete it, as the message of a 403; null when they may. */
  refuseChange?(row: Row, viewing: Viewer): string | null;
}

/** A thing that the API serves, as the table of its fields. */
export interface ResourceDefinition {
  kind: IdKind;
  /** Word for one of its records in the OpenAPI document. */
  title: string;
  /** Beginning of the chapter of its operations in the reference. Unset for those without a chapter of their own. */
  chapter?: string;
  table: string;
  fields: Record<string, Field>;
  /** Columns that are read with every row and shown in none: name in the row → column. */
  rowColumns?: Record<string, string>;
  /**
   * Adds derived fields to a body. `current` is the present record, as it is answered, for an update, and null for a
   * create.
   */
  derive?(sent: RequestBody, current: RequestBody | null): RequestBody;
  access?: ResourceAccess;
  /**
   * Whether its answers have tags, and its writes take conditions. Its rows have a `version` then.
   * docs/guides/versions.md
   */
  hasVersions?: true;
}

/** A resource with everything that follows from its table of fields. */
export interface Resource extends ResourceDefinition {
  columns: { name: string; storage: ColumnStorage }[];
  /** The fields by whose words a search over everything finds it. */
  worded: { name: string; words: WordKind }[];
  createBody: TSchema;
  updateBody: TSchema;
  /** One of them as it is answered. */
  schema: TSchema;
}

/**
 * A resource from its table of fields, the one place where a field is written: the schemas of bodies and answers and
 * the columns follow from it. Records, which have groups and custom values too, are made by `defineRecordType`.
 */
export function defineResource<Definition extends ResourceDefinition>(definition: Definition): Definition & Resource {
  const fields = Object.entries(definition.fields);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, field.read]));
  return {
    ...definition,
    columns: fields.flatMap(([name, { storage }]) => (storage.shape === "column" ? [{ name, storage }] : [])),
    worded: fields.flatMap(([name, { words }]) => (words ? [{ name, words }] : [])),
    createBody: body(fields, "create", `${definition.title}Create`),
    updateBody: body(fields, "update", `${definition.title}Update`),
    schema: Type.Object(properties, { title: definition.title }),
  };
}

function body(fields: [string, Field][], purpose: "create" | "update", title: string): TSchema {
  const properties = fields.flatMap(([name, field]): [string, TSchema][] => {
    if (!field.write || (purpose === "update" && field.fixed)) return [];
    const schema = (purpose === "update" && field.update) || field.write;
    return [[name, purpose === "create" && field.required ? schema : Type.Optional(schema)]];
  });
  return closed(Object.fromEntries(properties), { title });
}

/** Name in a row → column of the table: the uuid, `rowColumns`, and the fields that have a column. */
export function columnsOf({ rowColumns, columns }: Pick<Resource, "rowColumns" | "columns">): Record<string, string> {
  const ofFields = columns.map(({ name, storage }) => [name, storage.column]);
  return { uuid: "id", ...rowColumns, ...Object.fromEntries(ofFields) };
}
