import { RECORD_KINDS, type RecordKind, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { RunAgain } from "../../database/transaction.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Tie } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { insertRecords } from "../records/apply.ts";
import type { WriteContext } from "../records/draft.ts";
import { type FoundRecords, lockByIds } from "../records/found.ts";
import { contextOf } from "../records/record-events.ts";
import type { Membership, RecordRow } from "../records/select.ts";
import { addTies, leaveTies, tiesLeft } from "./add-ties.ts";
import type { Deletion, Kept } from "./log-reads.ts";
import { restoreInteractions } from "./restore-interactions.ts";
import { restoreAbout } from "./restore-rows.ts";
import { restoredEntry } from "./restored-entry.ts";

/**
 * Brings deleted records of one type back, with all that went with them: under their ids, in the groups that still are,
 * with their values, the links to what still is, and their notes, tasks and interactions. Adds the events. The
 * transaction is the caller's, and has made sure that their names are free.
 * docs/guides/history-and-undo.md#restoring
 * @param changed fields of single records with another value than they had
 * @returns the rows, without interactions
 */
export async function restoreRecords(
  writing: WriteContext,
  resource: RecordType,
  deletions: readonly Deletion[],
  kept: Pick<Kept, "trashDays">,
  changed: Record<string, unknown> = {},
): Promise<RecordRow[]> {
  const { definitions } = writing;
  await keepFromErasure(writing, deletions);
  const before = deletions.map(({ recordId, more }) => ({
    ...rowOf(resource, recordId, more.gone.row ?? {}),
    ...changed,
  }));
  const found = await lockNamed(writing, resource, before);
  const missing: Tie[] = [];
  const rows = before.map((row) => withWhatIs(writing, resource, row, found, missing));
  await insertRecords(writing, resource, rows);
  for (const row of rows)
    writing.log.push(restoredEntry(resource.kind, row.uuid, contextOf(resource, definitions, row)));
  await Promise.all([
    insertAliases(writing, resource.kind, deletions),
    leaveTies(writing, missing, ({ to }) => to, kept),
  ]);
  const own = deletions.flatMap(({ more }) => more.gone.ties ?? []);
  const left = await tiesLeft(writing, resource.kind, deletions);
  await addTies(writing, [...own, ...left], new Set(rows.map(({ uuid }) => uuid)), kept);
  await restoreAbout(writing, deletions, kept);
  await restoreInteractions(writing, resource.kind, deletions);
  return rows;
}

/**
 * Locks these deletions until the transaction ends, so that nobody is erased who is about to come back.
 * docs/guides/data-protection.md#erasing-a-person
 */
async function keepFromErasure({ query, caller }: WriteContext, deletions: readonly Deletion[]): Promise<void> {
  const left = await query(
    "select seq from change_log where workspace_id = $1 and seq = any($2::bigint[]) order by seq for share",
    [caller.workspaceId, deletions.map(({ seq }) => seq)],
  );
  if (left.length < deletions.length) throw new RunAgain("Somebody was erased meanwhile");
}

/** A row as the log has kept it, without what was unset, in its next version. */
function rowOf({ columns, links }: RecordType, uuid: Uuid, kept: Record<string, unknown>): RecordRow {
  const unset = Object.fromEntries([
    ...columns.map(({ name, storage }) => [name, storage.unset]),
    ...links.map(({ name }) => [name, []]),
  ]);
  const row = { activity: null, uncounted: null, ...unset, ...kept, uuid } as unknown as RecordRow;
  return { ...row, version: Number(row.version) + 1 };
}

/** The records that rows link to or mention, by the ids under which they do. */
function lockNamed(writing: WriteContext, { links }: RecordType, rows: RecordRow[]): Promise<FoundRecords> {
  const ids = new Set<string>();
  for (const row of rows) {
    for (const { name, storage } of links) for (const uuid of row[name] as Uuid[]) ids.add(toId(storage.target, uuid));
    for (const id of mentionsIn(row.memberships)) ids.add(id);
  }
  return lockByIds(writing, ids);
}

function mentionsIn(memberships: Membership[]): string[] {
  return memberships.flatMap(({ values }) => Object.values(values).flatMap((stored) => mentionsOf(stored)));
}

/** The ids of records in a stored value. Only values that name something are lists; those of options have no prefix. */
function mentionsOf(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((entry) => recordOf(entry) !== undefined) : [];
}

function recordOf(id: string): { kind: RecordKind; id: Uuid } | undefined {
  for (const kind of RECORD_KINDS) {
    const uuid = uuidOf(kind, id);
    if (uuid) return { kind, id: uuid };
  }
  return undefined;
}

/** A row with those groups, links and mentions that still are. Adds the others to `missing`. */
function withWhatIs(
  { definitions }: WriteContext,
  { kind, links }: RecordType,
  row: RecordRow,
  found: FoundRecords,
  missing: Tie[],
): RecordRow {
  const owner = { kind, id: row.uuid };
  const after: RecordRow = { ...row, memberships: [] };
  for (const { name, storage } of links) {
    const there = (row[name] as Uuid[]).flatMap((uuid, place) => {
      const record = found.get(toId(storage.target, uuid));
      if (!record) missing.push({ owner, to: { kind: storage.target, id: uuid }, list: name, place });
      return record ? [record.uuid] : [];
    });
    after[name] = [...new Set(there)];
  }
  after.memberships = row.memberships
    .filter(({ groupId }) => definitions.groups.has(groupId))
    .map(({ groupId, values }) => ({
      groupId,
      values: Object.fromEntries(
        Object.entries(values).flatMap(([fieldId, stored]) => {
          const left = presentMentions(stored, found, (to, place) =>
            missing.push({ owner, to, list: { groupId, fieldId: fieldId as Uuid }, place }),
          );
          return left === null ? [] : [[fieldId, left]];
        }),
      ),
    }));
  return after;
}

/** A stored value with the records that still are; null for one of which nothing is left. */
function presentMentions(
  stored: string | string[],
  found: FoundRecords,
  miss: (to: Tie["to"], place: number) => void,
): string | string[] | null {
  if (!Array.isArray(stored) || mentionsOf(stored).length === 0) return stored;
  const left = stored.flatMap((id, place) => {
    const to = recordOf(id);
    const record = to && found.get(id);
    if (to && !record) miss(to, place);
    return to && record ? [toId(to.kind, record.uuid) as string] : [];
  });
  return left.length > 0 ? [...new Set(left)] : null;
}

async function insertAliases(
  { query, caller: { workspaceId } }: WriteContext,
  kind: RecordKind,
  deletions: readonly Deletion[],
): Promise<void> {
  const aliases = deletions.flatMap(({ recordId, more }) =>
    (more.gone.aliases ?? []).map((alias) => ({ alias, recordId })),
  );
  if (aliases.length === 0) return;
  await query(
    `insert into ${kind}_aliases (workspace_id, alias_id, ${kind}_id)
     select $1, a.alias, a.id from unnest($2::uuid[], $3::uuid[]) a (alias, id) on conflict do nothing`,
    [workspaceId, printUuids(aliases.map(({ alias }) => alias)), printUuids(aliases.map(({ recordId }) => recordId))],
  );
}
