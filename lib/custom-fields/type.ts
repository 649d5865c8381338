import type { Path } from "../contract/issues.ts";
import type { TSchema } from "../contract/schema.ts";
import type { FilterKind } from "../fields/field.ts";
import type { Uuid } from "../values/ids.ts";
import type { FieldDefinition } from "./definition.ts";

export const CUSTOM_FIELD_TYPES = [
  "textField",
  "numericField",
  "dateField",
  "singleSelect",
  "multipleSelect",
  "userField",
  "contactField",
  "objectField",
] as const;

export type CustomFieldTypeName = (typeof CUSTOM_FIELD_TYPES)[number];

/** A value as it is kept in the membership's jsonb. */
export type StoredValue = string | string[];

/** A sent value that was taken, or the faults in it, with paths below the value. */
export type Taken = { value: StoredValue } | { faults: { below: Path; message: string }[] };

/** Finds what a sent value names; undefined for what the caller cannot see, or what is of another kind. */
export interface Lookup {
  /** uuid of a user by `{ id }` or `{ email }`. */
  user(reference: { id?: string; email?: string }): Uuid | undefined;
  /** The id under which a person or company goes on (that of the survivor for a merged one). */
  contact(id: string): string | undefined;
  /** The same of an object, when it is in the group of the field. */
  object(id: string): string | undefined;
}

/** Gives names to what stored values hold; undefined for what is gone. */
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

/** How an import sees that a column of a file is of a type. */
export interface ColumnTest {
  /** Whether a cell may be a value of the type. */
  fits(text: string): boolean;
  /** What besides must be true of the column, all of whose cells fit. */
  suits?(column: SeenColumn): boolean;
}

/** A column of a file, kept small: it may have a million cells. */
export interface SeenColumn {
  /** Those that are not empty. */
  cells: number;
  /** Different ones as labels of options; when there are very many of them, only as many as tell so. */
  labels: Set<string>;
}

/** The `config` that definitions of a type have. docs/guides/custom-fields.md#number-formats */
export interface FieldConfig {
  /** The schema of what a client sends. */
  sent: TSchema;
  /** The schema of it in an answer. */
  shown: TSchema;
  /** What a new definition gets when nothing is sent. */
  unset: Record<string, unknown>;
}

/**
 * One type of custom field: what a write may send, how it is kept, shown and indexed, and how a file has it. One file each;
 * nothing outside of this folder may switch on a type's name (test/house/field-types.test.ts).
 */
export interface CustomFieldType {
  name: CustomFieldTypeName;
  /** What a write may send besides null and an empty list, which unset every type. */
  value: TSchema;
  /** The schema of a value in an answer, besides null, which stands for an unset value of every type. */
  shown: TSchema;
  /** A further value that unsets. */
  unsetBy?: "";
  /** The operator set of filters. API document, "Filtering". */
  filter: FilterKind;
  /** The column that filters compare, for types with an order. */
  ordered?: { column: "number_value" | "date_value"; cast: "numeric" | "date" };
  /** How filters name its values: plainly, by id, or as users by id and e-mail address. */
  namedBy: "value" | "id" | "user";
  hasOptions: boolean;
  config?: FieldConfig;
  /** Whether a field on person or company registers an object type of its name. docs/guides/custom-fields.md#object-types */
  registersObjectType?: true;
  /** Ids of people, companies and objects in a sent value, to be looked up all together. */
  references?(sent: never): string[];
  take(sent: never, field: FieldDefinition, lookup: Lookup): Taken;
  /** Null when nothing of it is left: an option was removed, a record deleted. */
  present(stored: never, field: FieldDefinition, names: Names): unknown;
  /** What filters look at: rows of the values table, one for each entry. */
  indexedAs(stored: never): IndexedValue[];
  /** What a write sends for a cell of a file: for its text, or for several where the import was told to split it. */
  fromTexts(texts: string[], isSplit: boolean): unknown;
  /** For the types that columns are guessed to be (guess.ts). */
  guessedBy?: ColumnTest;
}
