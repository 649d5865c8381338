import { madeAt, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { roleIn } from "../../model/definitions/roles.ts";
import type { LogBody } from "../../model/log.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type LogPage, type LogRange, pageOfLog, READ_AT_ONCE } from "./log-page.ts";
import {
  daysAgo,
  deletedTypes,
  ENTRY_COLUMNS,
  type Entry,
  type Kept,
  type TrashKind,
  trashKindOf,
} from "./log-reads.ts";

/** Which things of the trash a page has. */
export interface TrashList extends LogRange, Pick<Kept, "trashDays"> {
  kinds: readonly TrashKind[];
}

/**
 * Deletions that nothing has followed: no return, no other deletion, no merge. Those of earlier releases have kept
 * nothing that could come back.
 */
const READ = `
select ${ENTRY_COLUMNS} from change_log e
where e.workspace_id = $1 and e.type = any($2::text[]) and e.seq < $3 and e.id >= $4
  and e.more is not null and e.body ->> 'into' is null
  and not exists (select from change_log l where l.workspace_id = $1 and l.record_id = e.record_id and l.seq > e.seq and l.type = any($5::text[]))
  and case when e.type = 'person.deleted' then not exists (select from people p where p.workspace_id = $1 and p.id = e.record_id)
    when e.type = 'company.deleted' then not exists (select from companies c where c.workspace_id = $1 and c.id = e.record_id)
    when e.type = 'object.deleted' then not exists (select from objects o where o.workspace_id = $1 and o.id = e.record_id)
    when e.type = 'note.deleted' then not exists (select from notes n where n.workspace_id = $1 and n.id = e.record_id)
    else not exists (select from tasks t where t.workspace_id = $1 and t.id = e.record_id) end
order by e.seq desc limit $6`;

const ALL = deletedTypes(["person", "company", "object", "note", "task"]);

/**
 * A page of the trash, as a caller sees it, as JSON texts, newest first.
 * docs/guides/history-and-undo.md#the-trash
 */
export async function readTrash(
  query: Query,
  viewing: Viewer,
  { kinds, trashDays, ...range }: TrashList,
): Promise<LogPage> {
  const [types, since] = [deletedTypes(kinds), daysAgo(trashDays)];
  return pageOfLog(
    range,
    (before) => query<Entry>(READ, [viewing.caller.workspaceId, types, before, since, ALL, READ_AT_ONCE]),
    async (rows) => rows.map((row) => (seesDeletion(viewing, row.body) ? presented(viewing, row) : null)),
  );
}

/**
 * Whether a caller could see what was deleted: people and companies are seen by all users, objects and what is about
 * them by those who see the group, private notes and tasks by their own users.
 */
export function seesDeletion({ definitions, caller }: Viewer, { home, users }: LogBody): boolean {
  const group = home && definitions.groups.get(home);
  if (home && !(group && roleIn(group, caller.userId))) return false;
  return !users || users.includes(caller.userId);
}

function presented({ definitions }: Viewer, { id, type, recordId, userId, requestId, body }: Entry): object {
  const entityType = trashKindOf(type);
  const user = userId && definitions.users.get(userId);
  const { fullName, name } = body.details ?? {};
  return {
    id: toId(entityType, recordId),
    entityType,
    fullName: body.name ?? fullName ?? name ?? "",
    deletedAt: madeAt(id).toISOString(),
    deletedBy: user ? { id: user.id, fullName: user.fullName } : null,
    requestId,
    via: body.via ? { id: toId(body.via.kind, body.via.id as Uuid), entityType: body.via.kind } : null,
  };
}
