import type { Query } from "../../database/query.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Archived } from "../../model/table.ts";
import { ALL_TABLES } from "../../model/tables.ts";

/**
 * The version of the form of archives. One that an older release cannot read has another.
 * docs/guides/export.md#the-archive
 */
export const ARCHIVE_FORMAT = 1;
export const ARCHIVE_KIND = "contact-workspace archive";

/** A part of an archive, with its table. */
export interface Part extends Omit<Archived, "part"> {
  name: string;
  table: string;
  key: readonly string[];
  /** Set where the rows are records, which stand in an archive with the names of their fields. */
  records: RecordType | undefined;
}

/** Parts of an archive, in the order in which they can be written into a database again. */
export const PARTS: readonly Part[] = ALL_TABLES.flatMap(({ name: table, resource, archive }) => {
  if (typeof archive === "string") return [];
  const { part: name, ...rest } = archive;
  const records = resource && "searchTable" in resource ? resource : undefined;
  return [{ key: ["id"], ...rest, name, table, records }];
});

/** A column of a table in this release. */
export interface TableColumn {
  name: string;
  type: string;
}

/** The columns of a table that an archive holds, in their order. */
export async function archivedColumns(query: Query, { table, without = {} }: Part): Promise<TableColumn[]> {
  const columns = await query<TableColumn>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return columns.filter(({ name }) => name !== "workspace_id" && !Object.hasOwn(without, name));
}

/** Names of the members of a record in an archive: those of `RecordRow` except counts and indexes. */
export function archivedMembers({ rowColumns = {}, columns, links }: RecordType): string[] {
  const named = [...columns, ...links].map(({ name }) => name);
  return ["uuid", "createdBy", ...Object.keys(rowColumns), ...named, "memberships", "version"];
}
