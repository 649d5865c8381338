import type { Path } from "../../base/contract/issues.ts";
import type { TSchema } from "../../base/contract/schema.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { FilterKind } from "../fields/field.ts";
import type { CustomFieldTypeName, FieldDefinition } from "./definition.ts";

/** A value as it is stored in the jsonb of a membership. */
export type StoredValue = string | string[];

/** Stored form of a value that was sent, or the faults in it, each with its path within the value. */
export type StoredOrFaults = { value: StoredValue } | { faults: { below: Path; message: string }[] };

/** Finds the record that a sent value names; undefined for one that the caller cannot see, or one of another kind. */
export interface Lookup {
  /** The uuid of a user, by `{ id }`, by `{ email }`, or as answers show them. */
  user(reference: { id?: string; email?: string; fullName?: unknown }): Uuid | undefined;
  /** The id of a person or company; for a merged one the id of the surviving record. docs/guides/merging.md#aliases */
  contact(id: string): string | undefined;
  /** The same of an object that is in the group of the field. */
  object(id: string): string | undefined;
}

/** Finds the users and records that stored values name, as answers show them; undefined for deleted ones. */
export interface Names {
  user(uuid: Uuid): { id: string; fullName: string; email: string } | undefined;
  record(id: string): { id: string; fullName: string; entityType: string } | undefined;
}

/** A row of the values table: docs/decisions/0003-custom-values.md. */
export interface IndexedValue {
  item?: string;
  number_value?: string;
  date_value?: string;
  folded_text?: string;
}

/**
 * Test by which an import recognises that a column of a file is of a type. docs/guides/import-matching.md#custom-fields
 */
export interface ColumnTest {
  /** Whether a cell may be a value of the type. */
  fits(text: string): boolean;
  /** True if the column, all of whose cells fit, can be of the type as a whole. */
  suits?(column: SeenColumn): boolean;
}

/** Findings about a column of a file. They take little memory, because the column may have a million cells. */
export interface SeenColumn {
  /** Number of cells that are not empty. */
  cells: number;
  /** The different labels that the cells would be; a part of them when there are very many. */
  labels: Set<string>;
}

/** The `config` that definitions of a type have. docs/guides/custom-fields.md#number-formats */
export interface FieldConfig {
  /** The schema of values in requests. */
  sent: TSchema;
  /** The schema of it in an answer. */
  shown: TSchema;
  /** Default of a new definition. */
  unset: Record<string, unknown>;
}

/**
 * One type of custom field: what a write may send, how it is stored, answered and indexed, and how an import reads it.
 * Each type has a file, and nothing outside of this folder may switch on a type's name
 * (test/house/field-types.test.ts).
 */
export interface CustomFieldType {
  name: CustomFieldTypeName;
  /** The schema of values in writes, besides null and an empty list, which unset every type. */
  value: TSchema;
  /** The schema of a value in an answer, besides null, which stands for an unset value of every type. */
  shown: TSchema;
  /** A further value that unsets. docs/guides/custom-fields.md#unsetting-a-value */
  unsetBy?: "";
  /** Kind of field in filters. docs/guides/filters.md#custom-fields */
  filter: FilterKind;
  /** For types with an order: the column of the values table that filters compare. */
  ordered?: { column: "number_value" | "date_value"; cast: "numeric" | "date" };
  /**
   * The key of sorted lists: a column of the values table, or the place of the value among the options of the field.
   * Types without it have no order. docs/guides/sorting.md#fields
   */
  sortedBy?: "folded_text" | "number_value" | "date_value" | "option";
  /** Form of its values in filters: plain, by id, or as users by id and e-mail address. */
  namedBy: "value" | "id" | "user";
  hasOptions: boolean;
  config?: FieldConfig;
  /**
   * Whether a field on person or company registers an object type of its name.
   * docs/guides/custom-fields.md#object-types
   */
  registersObjectType?: true;
  /** Kind of records its values refer to: people and companies, or objects of the group. */
  refersTo?: "contact" | "object";
  /** Ids of people, companies and objects in a sent value, to be looked up all together. */
  references?(sent: never): string[];
  /** Stored form of a value that fits the schema, or its faults. */
  store(sent: never, field: FieldDefinition, lookup: Lookup): StoredOrFaults;
  /** The value in an answer; null when nothing is left of it, because an option was removed or a record deleted. */
  present(stored: never, field: FieldDefinition, names: Names): unknown;
  /**
   * Values that filters look at: rows of the values table, one for each entry of a list.
   * docs/decisions/0003-custom-values.md
   */
  indexedAs(stored: never): IndexedValue[];
  /** Value that an import sends for a cell. `texts` is the text of the cell, or its parts if the map splits it. */
  fromTexts(texts: string[], isSplit: boolean): unknown;
  /**
   * The cell of a file for a value as answers show it, which an import reads again. Records stand in it by their
   * `fullName`.
   */
  toCell(shown: never): string;
  /** Only types that an import gives to columns have it (guess.ts). */
  guessedBy?: ColumnTest;
}
