import type { RecordKind } from "../../../base/values/ids.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Changed, LogMore } from "../../../model/log.ts";
import { changesIn } from "../../events/made.ts";
import { namingColumns } from "../../records/kept.ts";
import { tablesWith } from "../../records/tables-with.ts";
import { tiesTo } from "../../records/ties.ts";
import type { TrashKind } from "../log-reads.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { Undoing } from "./undoing.ts";

/**
 * Things that others than their maker have changed since they were made, or to which others have put notes, tasks,
 * interactions or links: an undo does not delete them. Changes that are taken back with them do not count, and neither
 * do those of another undo, which adds nothing. docs/guides/history-and-undo.md#undo
 *
 * An undo that is bound to a key counts all other keys of the maker among the others.
 * docs/guides/assistants.md#undo
 * @param created entries of things of one kind that were made
 */
export async function changedByOthers(
  undoing: Undoing,
  kind: TrashKind,
  created: readonly UndoEntry[],
): Promise<Set<Uuid>> {
  const { query, caller } = undoing.writing;
  const { ownKey } = undoing;
  const ids = printUuids(created.map(({ recordId }) => recordId));
  const makers = printUuids(created.map(({ userId }) => userId ?? caller.userId));
  const seqs = created.map(({ seq }) => seq);
  const changed = await query<{ id: Uuid }>(CHANGED, [caller.workspaceId, ids, makers, seqs, undoing.seqs, ownKey]);
  const found = new Set(changed.map(({ id }) => id));
  if (kind === "note" || kind === "task") return found;
  const tables = await tablesWith(
    query,
    caller.workspaceId,
    namingColumns(kind),
    created.map(({ recordId }) => recordId),
  );
  for (const [table, by] of Object.entries(MADE_BY)) {
    if (!tables.has(table)) continue;
    const rows = await query<{ id: Uuid }>(by, [caller.workspaceId, ids, makers, ownKey]);
    for (const { id } of rows) found.add(id);
  }
  for (const id of await tiedByOthers(undoing, kind, created, tables)) found.add(id);
  return found;
}

const MADE = "unnest($2::uuid[], $3::uuid[]) c (id, maker)";

const CHANGED = `
select distinct c.id from unnest($2::uuid[], $3::uuid[], $4::bigint[]) c (id, maker, seq)
join change_log e on e.workspace_id = $1 and e.record_id = c.id and e.seq > c.seq
where (e.user_id <> c.maker or ($6::uuid is not null and e.user_id = c.maker and e.key_id is distinct from $6)) and e.source <> 'undo' and e.type not like '%.tied' and e.seq <> all($5::bigint[])`;

/** True for a row, `one`, that another user has made, or another key than that of an undo that is bound to one. */
const byOther = (one: string) => `(${one}.created_by <> c.maker or ($4::uuid is not null and not exists (
  select from change_log l where l.workspace_id = $1 and l.record_id = ${one}.id and l.key_id = $4 and l.type like '%.created')))`;

/** Table → SQL of the records about which others have made rows in it. */
const MADE_BY: Record<string, string> = {
  notes: `select distinct c.id from ${MADE} join notes t on t.workspace_id = $1 and t.entity_id = c.id where ${byOther("t")}`,
  tasks: `select distinct c.id from ${MADE} join tasks t on t.workspace_id = $1 and t.entity_id = c.id where ${byOther("t")}`,
  interaction_entities: `select distinct c.id from ${MADE}
    join interaction_entities t on t.workspace_id = $1 and t.entity_id = c.id
    join interactions i on i.workspace_id = $1 and i.id = t.interaction_id where ${byOther("i")}`,
};

/** Records that others have put into lists: an entry of theirs about the record with the list names it. */
async function tiedByOthers(
  { writing: { query, caller }, seqs, ownKey }: Undoing,
  kind: RecordKind,
  created: readonly UndoEntry[],
  tables: ReadonlySet<string>,
): Promise<Uuid[]> {
  const ties = await tiesTo(
    query,
    caller.workspaceId,
    kind,
    created.map(({ recordId }) => recordId),
    tables,
  );
  const tied = created.filter(({ recordId }) => ties.has(recordId));
  const found: Uuid[] = [];
  for (const { recordId, userId, seq } of tied) {
    const owners = (ties.get(recordId) ?? []).map(({ owner }) => owner.id);
    const id = toId(kind, recordId);
    const entries = await query<{ told: Changed[] | null } & Pick<LogMore, "changes" | "made">>(NAMING_OF_OTHERS, [
      ...[caller.workspaceId, printUuids(owners), seq, userId ?? caller.userId, `%${id}%`, seqs, ownKey],
    ]);
    const isAdded = entries.some(({ told, ...more }) =>
      [...(told ?? []), ...changesIn(more)].some((change) => adds(change, id)),
    );
    if (isAdded) found.push(recordId);
  }
  return found;
}

/** Changes of others that name a record, of which they may have added it or taken it out. */
const NAMING_OF_OTHERS = `
select l.body -> 'changes' as told, l.more -> 'changes' as changes, l.more -> 'made' as made from change_log l
where l.workspace_id = $1 and l.record_id = any($2::uuid[]) and l.seq > $3 and l.source <> 'undo'
  and (l.user_id <> $4 or ($7::uuid is not null and l.user_id = $4 and l.key_id is distinct from $7)) and l.seq <> all($6::bigint[]) and (l.body::text like $5 or l.more::text like $5)`;

function adds({ before, after }: Changed, id: string): boolean {
  const names = (list: unknown) => Array.isArray(list) && list.some((one: { id?: unknown }) => one.id === id);
  return names(after) && !names(before);
}
