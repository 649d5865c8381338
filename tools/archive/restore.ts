import type { Caller } from "../../base/contract/caller.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { CREDITS_NEW } from "../../config/limits.ts";
import type { Query } from "../../database/query.ts";
import { insertWorkspaceRow } from "../../engine/definitions/workspaces.queries.ts";
import { activityOfCounts } from "../../engine/interactions/activity.ts";
import { insertRecords } from "../../engine/records/apply.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import type { Membership, RecordRow } from "../../engine/records/select.ts";
import { webhookPurpose } from "../../engine/secrets/purposes.ts";
import type { Sealing } from "../../engine/secrets/sealing.ts";
import { newSigningSecret, redactedSecret } from "../../engine/secrets/signing-secret.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { type Definitions, loadDefinitions } from "../../model/definitions/definitions.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { archivedColumns, archivedMembers, PARTS, type Part, type TableColumn } from "./archived-tables.ts";
import { MAPS, mapTexts, type NewUuid } from "./map-ids.ts";
import { type ArchivedThings, ArchiveFault } from "./read.ts";
import type { ArchiveHead } from "./write.ts";

/** Destination of an archive. */
export interface RestoreInto {
  /** Inside the transaction, which the caller commits when all of the archive was read. */
  query: Query;
  slug: string;
  newUuid: NewUuid;
  sealing(): Promise<Sealing>;
}

/** Result of a restore. */
export interface Restored {
  workspaceId: Uuid;
  /** Name of a part → how many of it. */
  counts: Record<string, number>;
}

/**
 * Creates a workspace from an archive. Its data are written as they were, without events, and indexes are built again.
 * docs/guides/export.md#importing-an-archive
 * @throws ArchiveFault for data that does not fit this release, and for an incomplete archive
 */
export async function restoreWorkspace(
  into: RestoreInto,
  { workspace }: ArchiveHead,
  archived: AsyncIterable<ArchivedThings>,
): Promise<Restored> {
  const { query, slug, newUuid } = into;
  const workspaceId = newUuid(workspace.id);
  await insertWorkspaceRow(query, { id: workspaceId, slug, name: workspace.name, createdAt: workspace.createdAt });
  const counts: Record<string, number> = Object.fromEntries(PARTS.map(({ name }) => [name, 0]));
  const columns = new Map<Part, TableColumn[]>();
  let definitions: Definitions | undefined;
  for await (const { part, things } of archived) {
    counts[part.name] = (counts[part.name] ?? 0) + things.length;
    if (part.records) {
      // The definitions stand before the records.
      definitions ??= await loadDefinitions(query, workspaceId);
      if (!definitions) throw new Error("The workspace that was made just now is not there");
      await restoreRecords(writingOf(query, definitions), part.records, things, newUuid);
      continue;
    }
    const known = columns.get(part) ?? (await archivedColumns(query, part));
    columns.set(part, known);
    const rows = things.map((row) => mapRow(part, known, row, newUuid));
    const whole = part.table === "webhooks" ? await withSecrets(query, await into.sealing(), rows) : rows;
    await insertRows(query, workspaceId, part, whole);
  }
  await makeQueues(query, workspaceId);
  await showActivity(query, workspaceId);
  await countCredits(query, workspaceId);
  return { workspaceId, counts };
}

/** Rows name their creators themselves, so the caller is no user. */
function writingOf(query: Query, definitions: Definitions): WriteContext {
  const { workspaceId } = definitions;
  const caller: Caller = { workspaceId, userId: workspaceId, keyId: null, access: "full" };
  return { query, definitions, caller, linked: new Map(), log: [] };
}

/** A row with its new ids, in columns that this release has. */
function mapRow(
  { table, ids = {} }: Part,
  columns: TableColumn[],
  row: Record<string, unknown>,
  newUuid: NewUuid,
): Record<string, unknown> {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = types.get(name);
      if (type === undefined) throw new ArchiveFault(`The archive has "${name}" of ${table}, ${LATER}`);
      const isId = type === "uuid" || type === "uuid[]";
      const form = isId ? "texts" : ids[name];
      return [name, form ? MAPS[form](value, newUuid) : value];
    }),
  );
}

/**
 * A column that the archive does not have, since it is older, gets the value that its migration gives to rows that are
 * there.
 */
async function insertRows(
  query: Query,
  workspaceId: Uuid,
  { table }: Part,
  rows: Record<string, unknown>[],
): Promise<void> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => `"${name}"`).join(", ");
  await query(
    `insert into ${table} (workspace_id, ${names}) select $1, ${names} from json_populate_recordset(null::${table}, $2::json)`,
    [workspaceId, JSON.stringify(rows)],
  );
}

/** The row of a person has the number of contacts and the time of the last one. */
async function showActivity(query: Query, workspaceId: Uuid): Promise<void> {
  await query(
    `update people r set activity = ${activityOfCounts("$1")} where r.workspace_id = $1
       and exists (select from interaction_counts c where c.workspace_id = $1 and c.entity_id = r.id)`,
    [workspaceId],
  );
}

/**
 * The admin of an installation gives credits, so the workspace has as many left as a new one. Its enrichments count as
 * used.
 */
async function countCredits(query: Query, workspaceId: Uuid): Promise<void> {
  await query(
    `insert into credits (workspace_id, remaining, used)
     select $1, $2, count(*)::int from enrichments where workspace_id = $1 and status = 'completed' having count(*) > 0`,
    [workspaceId, CREDITS_NEW],
  );
}

/**
 * Gives the webhooks of an archive new secrets, because old ones are of no use elsewhere. They are inactive, so that no
 * receiver gets an event twice.
 */
async function withSecrets(
  query: Query,
  sealing: Sealing,
  rows: Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const [now] = await query<{ at: Date; seq: string }>(
    `select clock_timestamp() as at, (select last_value::text from change_log_seq) as seq`,
    [],
  );
  return rows.map((row) => {
    const secret = newSigningSecret();
    return {
      ...row,
      secret: `\\x${sealing.seal(secret, webhookPurpose(row.id as Uuid)).toString("hex")}`,
      redacted_secret: redactedSecret(secret),
      replaced_secrets: [],
      since_seq: now?.seq ?? "0",
      status: "inactive",
      stopped_at: now?.at,
      stopped_because: "client",
    };
  });
}

/** Makes the queues of the webhooks of a workspace, and has processes look for them. */
async function makeQueues(query: Query, workspaceId: Uuid): Promise<void> {
  const made = await query(
    `insert into webhook_queues (workspace_id, webhook_id) select workspace_id, id from webhooks where workspace_id = $1
     returning 1`,
    [workspaceId],
  );
  if (made.length === 0) return;
  const [newest] = await query<{ seq: string }>("select last_value::text as seq from change_log_seq", []);
  await query("insert into webhook_progress (workspace_id, through) values ($1, $2)", [workspaceId, newest?.seq]);
  await query("update workspaces set webhooks_version = 1 where id = $1", [workspaceId]);
}

/**
 * Writes records of an archive, with all their indexes. A field that is younger than the archive is unset.
 * @throws ArchiveFault for a field that this release does not have
 */
async function restoreRecords(
  writing: WriteContext,
  resource: RecordType,
  things: Record<string, unknown>[],
  newUuid: NewUuid,
): Promise<void> {
  const rows = things.map(readerOfThings(writing, resource, newUuid));
  await insertRecords(writing, resource, rows);
}

function readerOfThings(
  { definitions }: WriteContext,
  resource: RecordType,
  newUuid: NewUuid,
): (thing: Record<string, unknown>) => RecordRow {
  const unset = Object.fromEntries([
    ...resource.columns.map(({ name, storage }) => [name, storage.unset]),
    ...resource.links.map(({ name }) => [name, []]),
    // Archives of earlier releases have none.
    ["version", 1],
  ]);
  const members = new Set(archivedMembers(resource));
  const links = resource.links.map(({ name }) => name);
  const ids = new Set(["uuid", "createdBy", ...Object.keys(resource.rowColumns ?? {}), ...links]);
  const isPlain = plainFields(definitions);
  const read = (name: string, value: unknown): unknown => {
    if (name === "memberships") return (value as Membership[]).map((one) => mapMembership(one, isPlain, newUuid));
    return ids.has(name) ? mapTexts(value, newUuid) : value;
  };
  return (thing) => {
    const unknown = Object.keys(thing).find((name) => !members.has(name));
    if (unknown !== undefined) throw new ArchiveFault(`A record of the archive has "${unknown}", ${LATER}`);
    const known = Object.entries(thing).map(([name, value]) => [name, read(name, value)]);
    return { ...unset, ...Object.fromEntries(known) } as RecordRow;
  };
}

/** The end of the message about what an archive has and this release does not. */
const LATER = "which this release does not know: the archive is of a later one.";

/** Tells of a field whether its values name nothing: a text that looks like an id is a text all the same. */
function plainFields({ groups }: Definitions): (field: Uuid) => boolean {
  const plain = new Set<Uuid>();
  for (const { fieldsByUuid } of groups.values())
    for (const { uuid, type } of fieldsByUuid.values()) {
      const { namedBy, hasOptions } = customFieldTypes[type];
      if (namedBy === "value" && !hasOptions) plain.add(uuid);
    }
  return (uuid) => plain.has(uuid);
}

function mapMembership(
  { groupId, values }: Membership,
  isPlain: (field: Uuid) => boolean,
  newUuid: NewUuid,
): Membership {
  const mapped = Object.entries(values).map(([id, stored]) => {
    const field = newUuid(id as Uuid);
    return [field, isPlain(field) ? stored : mapTexts(stored, newUuid)];
  });
  return { groupId: newUuid(groupId), values: Object.fromEntries(mapped) as Membership["values"] };
}
