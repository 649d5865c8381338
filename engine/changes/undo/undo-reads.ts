import type { Source } from "../../../base/contract/caller.ts";
import { firstUuidOf, type Uuid } from "../../../base/values/ids.ts";
import { type Binder, createBinder } from "../../../database/binder.ts";
import type { Query } from "../../../database/query.ts";
import type { LogMore } from "../../../model/log.ts";
import { positionAt } from "../../feed/read-events.ts";
import { daysAgo, ENTRY_COLUMNS, type Entry, type Kept } from "../log-reads.ts";

/** Which changes are to be taken back: those of a request, or of a time. */
export type Wanted =
  | { requestId: Uuid; keyId?: Uuid | undefined }
  | {
      /** In milliseconds since 1970. The change at `until` is not among them. */
      since: number;
      until?: number | undefined;
      userId?: Uuid | undefined;
      keyId?: Uuid | undefined;
      source?: Source | undefined;
    };

/** An entry of the log with all that an undo needs. */
export interface UndoEntry extends Entry {
  more: LogMore | null;
}

/** Entries that follow from others, or are no change: an undo passes over them. */
const NO_CHANGES =
  "('person.workspace_interaction_metadata_updated', 'reminder.triggered', 'person.tied', 'company.tied', 'object.tied')";

/**
 * The number of changed things, and of the users who have changed them; things that went with a record, and records
 * that were merged into one, count with that.
 */
export async function countChanges(
  query: Query,
  workspaceId: Uuid,
  wanted: Wanted,
  kept: Kept,
): Promise<{ records: number; users: (Uuid | null)[] }> {
  const { where, bind } = await conditions(query, workspaceId, wanted, kept);
  const [row] = await query<{ records: number; users: (Uuid | null)[] | null }>(
    `select count(distinct e.record_id) filter (where e.body ->> 'via' is null and e.body ->> 'into' is null)::int as records,
       to_json(array_agg(distinct e.user_id)) as users
     from change_log e where ${where}`,
    bind.values,
  );
  return { records: row?.records ?? 0, users: row?.users ?? [] };
}

/** A part of the changes: at most `limit`, behind the change with the number `before`. */
export interface Part {
  before: string;
  limit: number;
}

/** The changes, or a part of them, newest first. */
export async function readChanges(
  query: Query,
  workspaceId: Uuid,
  wanted: Wanted,
  kept: Kept,
  part?: Part,
): Promise<UndoEntry[]> {
  const { where, bind } = await conditions(query, workspaceId, wanted, kept);
  const behind = part ? ` and e.seq < ${bind(part.before)}` : "";
  const limit = part ? ` limit ${bind(part.limit)}` : "";
  return query<UndoEntry>(
    `select ${ENTRY_COLUMNS}, e.more from change_log e where ${where}${behind} order by e.seq desc${limit}`,
    bind.values,
  );
}

/** The numbers of the changes from one on. */
export async function readSeqs(
  query: Query,
  workspaceId: Uuid,
  wanted: Wanted,
  kept: Kept,
  from: string,
): Promise<string[]> {
  const { where, bind } = await conditions(query, workspaceId, wanted, kept);
  const rows = await query<{ seq: string }>(
    `select e.seq::text as seq from change_log e where ${where} and e.seq >= ${bind(from)}`,
    bind.values,
  );
  return rows.map(({ seq }) => seq);
}

async function conditions(
  query: Query,
  workspaceId: Uuid,
  wanted: Wanted,
  { historyDays }: Kept,
): Promise<{ where: string; bind: Binder }> {
  const bind = createBinder();
  const parts = [
    `e.workspace_id = ${bind(workspaceId)}`,
    `e.type not in ${NO_CHANGES}`,
    `e.id >= ${bind(daysAgo(historyDays))}`,
  ];
  const { keyId } = wanted;
  if (keyId) parts.push(`e.key_id = ${bind(keyId)}`);
  if ("requestId" in wanted) parts.push(`e.request_id = ${bind(wanted.requestId)}`);
  else {
    const { since, until, userId, source } = wanted;
    // Numbers are in the order of times, so those of long ago are not looked at.
    parts.push(`e.seq > ${bind(await positionAt(query, workspaceId, since))}`, `e.id >= ${bind(firstUuidOf(since))}`);
    if (until !== undefined) parts.push(`e.id < ${bind(firstUuidOf(until))}`);
    if (userId) parts.push(`e.user_id = ${bind(userId)}`);
    if (source) parts.push(`e.source = ${bind(source)}`);
  }
  return { where: parts.join(" and "), bind };
}
