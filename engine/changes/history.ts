import { madeAt, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { EVENT_TYPES } from "../../model/events.ts";
import type { Changed, LogMore, LogType, Made } from "../../model/log.ts";
import { updatedType } from "../../model/log.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { changesIn } from "../events/made.ts";
import { withTexts } from "../feed/long-texts.ts";
import type { StoredEntry } from "../feed/published.ts";
import { type LogPage, type LogRange, pageOfLog, READ_AT_ONCE } from "./log-page.ts";
import { daysAgo, ENTRY_COLUMNS, type Entry, type Kept, type TrashKind } from "./log-reads.ts";
import { type NamesOf, namesIn, shownChanges } from "./shown-changes.ts";

/** The thing whose history is asked for, and the records that were merged into it. */
export interface Subject {
  kind: TrashKind;
  uuid: Uuid;
  aliases: readonly Uuid[];
}

interface HistoryRow extends Entry {
  changes: Changed[] | null;
  made: Made | null;
  merged: LogMore["merged"] | null;
}

/** The types of entries that history shows. */
function typesOf(kind: TrashKind): LogType[] {
  if (kind === "note") return ["note.created", "note.updated", "note.deleted"];
  if (kind === "task")
    return (["created", "updated", "deleted"] as const).flatMap((verb): LogType[] => [
      `task.${verb}`,
      `reminder.${verb}`,
    ]);
  const isInGroups = `${kind}.groups_updated` in EVENT_TYPES;
  const groups = isInGroups
    ? [updatedType(kind, { fields: false, groups: true }), updatedType(kind, { fields: true, groups: true })]
    : [];
  return [`${kind}.created`, `${kind}.updated`, `${kind}.deleted`, `${kind}.merged`, ...groups];
}

/** Each entry once, newest first. `more` may hold a whole record, so only what is shown of it is read. */
const READ = `
select ${ENTRY_COLUMNS}, e.more -> 'changes' as changes, e.more -> 'made' as made, e.more -> 'merged' as merged
from change_log e where e.workspace_id = $1 and e.record_id = any($2::uuid[]) and e.type = any($3::text[])
  and e.seq < $4 and e.id >= $5 order by e.seq desc limit $6`;

/**
 * A page of the history of a thing as a caller may see it now, newest first. Updates of which the caller sees nothing
 * are left out. The thing is one that the caller sees. docs/guides/history-and-undo.md#history
 */
export async function readHistory(
  query: Query,
  viewing: Viewer,
  subject: Subject,
  { historyDays, ...range }: LogRange & Pick<Kept, "historyDays">,
): Promise<LogPage> {
  const uuids = printUuids([subject.uuid, ...subject.aliases]);
  const since = daysAgo(historyDays);
  return pageOfLog(
    range,
    (before) =>
      query<HistoryRow>(READ, [viewing.caller.workspaceId, uuids, typesOf(subject.kind), before, since, READ_AT_ONCE]),
    (rows) => shownEntries(query, viewing, subject, rows),
  );
}

/** The entries as they are answered; null for one that is left out. */
async function shownEntries(
  query: Query,
  viewing: Viewer,
  subject: Subject,
  rows: HistoryRow[],
): Promise<(object | null)[]> {
  const { workspaceId } = viewing.caller;
  const stored = rows.map(
    ({ recordId, body }): Pick<StoredEntry, "workspaceId" | "recordId" | "body"> => ({
      workspaceId,
      recordId,
      body,
    }),
  );
  const whole = await withTexts(query, stored, "all");
  const changes = rows.map((row, i) => shownChanges(viewing, subject.kind, changesOf(row, whole[i]?.body)));
  const names = await namesIn(query, viewing, changes.flat());
  const keys = await keyNames(query, workspaceId, rows);
  return rows.map((row, i) => entryOf(viewing, subject, row, { changes: changes[i] ?? [], names, keys }));
}

/** Entries of releases before the log hold ready events, which tell no old values. */
function changesOf(row: HistoryRow, body: StoredEntry["body"] | undefined): Changed[] {
  const told = (body?.changes ?? []).filter((change): change is Changed => "before" in change);
  // Tasks show other names of a record that was made as a reminder.
  return row.type.startsWith("reminder.") ? changesIn(row) : [...told, ...changesIn(row)];
}

interface Around {
  changes: Changed[];
  names: NamesOf;
  keys: ReadonlyMap<Uuid, string | null>;
}

function entryOf(
  { definitions }: Viewer,
  { kind, uuid }: Subject,
  row: HistoryRow,
  { changes, names, keys }: Around,
): object | null {
  const action = actionOf(row);
  const isOther = row.recordId !== uuid;
  // The entry of the survivor tells of the merge.
  if (isOther && row.body.into) return null;
  const shown = HAS_CHANGES.has(action) ? changes : [];
  if (action === "updated" && shown.length === 0) return null;
  const user = row.userId && definitions.users.get(row.userId);
  return {
    at: madeAt(row.id).toISOString(),
    action,
    user: user ? { id: user.id, fullName: user.fullName } : null,
    key: row.keyId && keys.has(row.keyId) ? { id: toId("key", row.keyId), name: keys.get(row.keyId) } : null,
    source: row.source,
    requestId: row.requestId,
    changes: shown.map(({ path, before, after }) => ({ path, before: names(before), after: names(after) })),
    ...(row.merged && {
      records: row.merged.map(({ id, name }) => ({ id: toId(kind as RecordKind, id), fullName: name })),
    }),
    ...(isOther && { recordId: toId(kind, row.recordId) }),
  };
}

const HAS_CHANGES: ReadonlySet<string> = new Set(["created", "updated", "merged"]);

function actionOf({ type, body, merged }: HistoryRow): string {
  const verb = type.slice(type.indexOf(".") + 1);
  if (verb === "created") return body.details?.restored ? "restored" : "created";
  if (verb === "deleted") return body.into ? "merged" : "deleted";
  return merged ? "merged" : "updated";
}

/** The names of the keys of these entries; null for one without a name. One statement, and none without keys. */
async function keyNames(query: Query, workspaceId: Uuid, rows: HistoryRow[]): Promise<Map<Uuid, string | null>> {
  const ids = [...new Set(rows.flatMap(({ keyId }) => keyId ?? []))];
  if (ids.length === 0) return new Map();
  const found = await query<{ id: Uuid; name: string | null }>(
    "select id, name from api_keys where workspace_id = $1 and id = any($2::uuid[])",
    [workspaceId, printUuids(ids)],
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}
