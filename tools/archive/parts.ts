import type { Query } from "../../database/query.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
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
  /** Columns that are not archived → why. */
  without?: Record<string, string>;
  /** Columns of JSON in which ids stand. Columns of the type uuid are known by that. */
  ids?: Record<string, MapIds>;
  /** Columns of JSON or of texts in which no ids stand → what does. */
  plain?: Record<string, string>;
}

/** Records, which stand in an archive with the names of their fields. */
export interface RecordsPart {
  name: string;
  resource: RecordType;
  /** Columns that are not archived → why. */
  without: Record<string, string>;
}

export type Part = TablePart | RecordsPart;

/** Reason that every record has. */
const OF_THE_ID = "the id tells when it was made";

/**
 * Parts of an archive, in the order in which they can be written into a database again. test/tools/archive/parts.test.ts
 * compares them, and `LEFT_OUT`, with the tables and columns of the database.
 */
export const PARTS: readonly Part[] = [
  { name: "users", table: "users", key: ["id"] },
  { name: "groups", table: "groups", key: ["id"] },
  { name: "members", table: "group_members", key: ["group_id", "user_id"] },
  { name: "objectTypes", table: "object_types", key: ["id"] },
  { name: "fields", table: "custom_fields", key: ["id"], plain: { config: "how numbers are shown" } },
  { name: "options", table: "custom_field_options", key: ["id"] },
  {
    name: "companies",
    resource: companies,
    without: { created_at: OF_THE_ID, name_key: "a hash of the name" },
  },
  {
    name: "people",
    resource: people,
    without: { created_at: OF_THE_ID, activity: "made anew of interactionCounts" },
  },
  { name: "objects", resource: objects, without: { created_at: OF_THE_ID } },
  { name: "companyAliases", table: "company_aliases", key: ["alias_id"] },
  { name: "personAliases", table: "person_aliases", key: ["alias_id"] },
  { name: "objectAliases", table: "object_aliases", key: ["alias_id"] },
  { name: "notes", table: "notes", key: ["id"] },
  { name: "tasks", table: "tasks", key: ["id"] },
  {
    name: "interactions",
    table: "interactions",
    key: ["id"],
    ids: { participants: mapParticipants },
    plain: { more: "the body of a mail, the transcript of a call" },
  },
  { name: "interactionEntities", table: "interaction_entities", key: ["interaction_id", "entity_id"] },
  { name: "interactionCounts", table: "interaction_counts", key: ["entity_id", "user_id"] },
  { name: "uncountedInteractions", table: "interaction_uncounted", key: ["entity_id", "interaction_id"] },
  {
    name: "enrichments",
    table: "enrichments",
    key: ["id"],
    // One that is not finished is a job of this installation.
    where: "t.finished_at is not null",
    without: { lease: "one that has ended has none" },
    plain: { added_fields: "names of fields" },
  },
  { name: "merges", table: "merges", key: ["id"], ids: { survivor_before: mapMerge, merged_before: mapMerge } },
  {
    name: "webhooks",
    table: "webhooks",
    key: ["id"],
    without: {
      secret: "encrypted by the keys of this installation, so it is of no use elsewhere",
      redacted_secret: "shows a part of the secret",
      replaced_secrets: "secrets too",
      key_ids: "API keys of this installation",
      taken_over: "decides about deliveries, which an archive does not hold",
      since_seq: "a position among the events of this installation",
      stopped_at: "the import stops all webhooks",
      stopped_because: "the import stops all webhooks",
    },
    ids: { subscribed_events: mapTexts },
  },
];

/** Tables that an archive does not hold → why. docs/guides/export.md#the-archive */
export const LEFT_OUT: Record<string, string> = {
  workspaces: "the workspace itself stands in the first line",
  ...Object.fromEntries(
    [companies, people, objects].flatMap(({ groupsTable, valuesTable, searchTable }) =>
      [groupsTable, valuesTable, searchTable].map((table) => [table, "an index of the record, made anew"]),
    ),
  ),
  person_companies: "an index of the person, made anew",
  object_companies: "an index of the object, made anew",
  object_people: "an index of the object, made anew",
  webhook_queues: "made anew, with nothing in them",
  credits: "given by whoever runs an installation: the copy has those of a new workspace",
  api_keys: "a copy of the archive would be as good as a key",
  idempotency_keys: "answers of this installation to its clients",
  outbox: "events that are not told yet",
  events: "what happened here, kept for 30 days",
  deliveries: "what webhooks of this installation have sent",
  event_log: "belongs to the installation",
  event_streams: "connections of this moment",
  rate_windows: "requests of the last minute",
  request_logs: "requests to this installation",
  settings: "belongs to the installation",
};

export function isRecords(part: Part): part is RecordsPart {
  return "resource" in part;
}

/** A column of a table as this release has it. */
export interface TableColumn {
  name: string;
  type: string;
}

/** The columns of a table that an archive holds, in their order. */
export async function archivedColumns(query: Query, { table, without = {} }: TablePart): Promise<TableColumn[]> {
  const columns = await query<TableColumn>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return columns.filter(({ name }) => name !== "workspace_id" && !Object.hasOwn(without, name));
}

/** The names of a record's members in an archive: those of `RecordRow` that are no count and no index. */
export function archivedMembers({ rowColumns = {}, columns, links }: RecordType): string[] {
  const named = [...columns, ...links].map(({ name }) => name);
  return ["uuid", "createdBy", ...Object.keys(rowColumns), ...named, "memberships"];
}
