import type { Query } from "../database/query.ts";
import { companies } from "../resources/companies.ts";
import { objects } from "../resources/objects.ts";
import { people } from "../resources/people.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type MapIds, mapMerge, mapParticipants, mapTexts } from "./map-ids.ts";

/** The version of the form of archives. One that an older release cannot read has another. docs/guides/export.md#the-archive */
export const ARCHIVE_FORMAT = 1;
export const ARCHIVE_KIND = "contact-workspace archive";

/** Rows of a table, which stand in an archive with the names of their columns. */
export interface TablePart {
  name: string;
  table: string;
  /** The columns of the primary key behind the workspace. */
  key: readonly string[];
  /** SQL over the row `t`: which rows are archived. */
  where?: string;
  /** Columns that are not archived. */
  without?: readonly string[];
  /** Columns of JSON in which ids stand. Columns of the type uuid are known by that. */
  ids?: Record<string, MapIds>;
}

/** Records, which stand in an archive with the names of their fields. */
export interface RecordsPart {
  name: string;
  resource: RecordType;
}

export type Part = TablePart | RecordsPart;

/**
 * What an archive holds, in the order in which it can be written into a database again. What is an index of a row is not in it, and is
 * made anew. Neither are keys, saved responses, events, deliveries, credits and the log of requests.
 */
export const PARTS: readonly Part[] = [
  { name: "users", table: "users", key: ["id"] },
  { name: "groups", table: "groups", key: ["id"] },
  { name: "members", table: "group_members", key: ["group_id", "user_id"] },
  { name: "objectTypes", table: "object_types", key: ["id"] },
  { name: "fields", table: "custom_fields", key: ["id"] },
  { name: "options", table: "custom_field_options", key: ["id"] },
  { name: "companies", resource: companies },
  { name: "people", resource: people },
  { name: "objects", resource: objects },
  { name: "companyAliases", table: "company_aliases", key: ["alias_id"] },
  { name: "personAliases", table: "person_aliases", key: ["alias_id"] },
  { name: "objectAliases", table: "object_aliases", key: ["alias_id"] },
  { name: "notes", table: "notes", key: ["id"] },
  { name: "tasks", table: "tasks", key: ["id"] },
  { name: "interactions", table: "interactions", key: ["id"], ids: { participants: mapParticipants } },
  { name: "interactionEntities", table: "interaction_entities", key: ["interaction_id", "entity_id"] },
  { name: "interactionCounts", table: "interaction_counts", key: ["entity_id", "user_id"] },
  { name: "uncountedInteractions", table: "interaction_uncounted", key: ["entity_id", "interaction_id"] },
  {
    name: "enrichments",
    table: "enrichments",
    key: ["id"],
    // One that is not finished is a job of this installation.
    where: "t.finished_at is not null",
    without: ["lease"],
  },
  { name: "merges", table: "merges", key: ["id"], ids: { survivor_before: mapMerge, merged_before: mapMerge } },
  {
    name: "webhooks",
    table: "webhooks",
    key: ["id"],
    // A secret is of no use elsewhere: it is encrypted by the keys of this installation.
    without: ["secret", "redacted_secret", "replaced_secrets", "since_seq", "stopped_at", "stopped_because"],
    ids: { subscribed_events: mapTexts },
  },
];

export function isRecords(part: Part): part is RecordsPart {
  return "resource" in part;
}

/** A column of a table as this release has it. */
export interface TableColumn {
  name: string;
  type: string;
}

/** The columns of a table that an archive holds, in their order. */
export async function archivedColumns(query: Query, { table, without = [] }: TablePart): Promise<TableColumn[]> {
  const columns = await query<TableColumn>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return columns.filter(({ name }) => name !== "workspace_id" && !without.includes(name));
}

/** The names of a record's members in an archive: those of `RecordRow` that are no count and no index. */
export function archivedMembers({ rowColumns = {}, columns, links }: RecordType): string[] {
  const named = [...columns, ...links].map(({ name }) => name);
  return ["uuid", "createdBy", ...Object.keys(rowColumns), ...named, "memberships"];
}
