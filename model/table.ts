import type { IdKind } from "../base/values/ids.ts";
import type { RecordType } from "./resources/record-type.ts";
import type { Resource } from "./resources/resource.ts";

/** A table of the database: its part in an archive of a workspace, and in the erasure of a person. */
export interface Table {
  /** The resource whose things are its rows. */
  resource?: Resource | RecordType;
  /** Whether its rows are about a record, and move when that is merged. docs/guides/merging.md#what-moves */
  isAbout?: boolean;
  /** The part of an archive that holds its rows, or the reason why none does. docs/guides/export.md#the-archive */
  archive: Archived | string;
  /** Its part in the erasure of a person. docs/guides/data-protection.md#erasing-a-person */
  erasure: Erasure;
}

/** A part of an archive: records by the names of their fields, other rows by the names of their columns. */
export interface Archived {
  part: string;
  /** Columns of the primary key behind the workspace; `id` unless it says otherwise. */
  key?: readonly string[];
  /** SQL over the row `t`: which rows are archived. */
  where?: string;
  /** Columns that are not archived → why. */
  without?: Record<string, string>;
  /** Columns of JSON that hold ids, and the form of the ids. Columns of the type uuid hold ids anyway. */
  ids?: Record<string, IdForm>;
  /** Columns of JSON or of texts without ids → a description of their content. */
  plain?: Record<string, string>;
}

/** Place of ids in JSON: texts that are nothing else, participants of an interaction. */
export type IdForm = "texts" | "participants";

export interface Erasure {
  becomes: string;
  /**
   * Kind of the ids by which its rows are reported when a text in any of their columns names the person. Tables
   * without it are not searched.
   */
  told?: IdKind;
  /** Column of the uuid of that id; `id` unless users know the row by another one. */
  toldBy?: string;
  /**
   * Set for tables whose rows neither go with the person nor are searched: each column of texts, JSON, bytes or ids,
   * with its content or its fate.
   */
  columns?: Record<string, string>;
}
