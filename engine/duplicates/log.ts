import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { queueAll } from "./crowds.ts";
import { rangeKey, SPAN } from "./keys.ts";
import { companyPlace, KINDS, type Kind } from "./traits.ts";

/** Entries of the log, and records of each other source, that one turn takes. */
export const AT_ONCE = 500;

interface Entry {
  number: number;
  type: string;
  id: Uuid;
  /** Whether what changes may be something that is compared. */
  isTold: boolean;
  /** The company that was restored, or that another one was merged into: it may have other people now. Else null. */
  gaining: Uuid | null;
}

// With an upper bound PostgreSQL would expect a few entries only, and read and sort all that are left.
const LOG = `/* background */
select seq::float8 as number, type, record_id as id,
  type not in ('person.updated', 'company.updated')
    or exists (select from json_array_elements(body -> 'changes') c where c #>> '{path,0}' = any($3)) as "isTold",
  case when type = 'company.deleted' then (body ->> 'into')::uuid
    when type = 'company.created' and body #>> '{details,restored}' = 'true' then record_id end as gaining
from change_log where workspace_id = $1 and seq > $2 order by seq limit ${AT_ONCE}`;

/** The next part of the log of a workspace. */
export interface Followed {
  /** The records that its entries are about. */
  records: { kind: Kind; id: Uuid }[];
  /** The number up to which it was followed. */
  through: number;
  hasMore: boolean;
}

/** Fields that are compared. */
const COMPARED = ["fullName", "name", "emails", "phones", "urls", "companies"];
/** Entries about people that change none of them. */
const UNTOLD: ReadonlySet<string> = new Set(["person.workspace_interaction_metadata_updated", "person.groups_updated"]);

/**
 * Follows the log of a workspace. Other records that an entry is to be looked at for wait in the queue afterwards.
 * @param after the number up to which it was followed before
 * @param settled the number up to which it may be read
 */
export async function followLog(query: Query, workspaceId: Uuid, after: number, settled: number): Promise<Followed> {
  if (settled <= after) return { records: [], through: Math.min(after, settled), hasMore: false };
  const read = await query<Entry>(LOG, [workspaceId, after, COMPARED]);
  const entries = read.filter(({ number }) => number <= settled);
  const records = entries.flatMap(({ type, id, isTold }) => {
    const kind = KINDS.find((one) => type.startsWith(`${one}.`));
    return kind && isTold && !UNTOLD.has(type) ? [{ kind, id }] : [];
  });
  const hasQueued = await queueColleagues(query, workspaceId, entries);
  const isFull = entries.length === AT_ONCE;
  const last = entries.at(-1)?.number;
  // Without an entry nothing has to be noted.
  return { records, through: isFull || !last ? (last ?? after) : settled, hasMore: isFull || hasQueued };
}

/**
 * A company that is deleted, merged or back changes the lists of its people, and no entry tells of that. The people of
 * one that is gone are known by their keys. Those that another one has from it may have no such key: it may have been
 * back for a moment only. Gives whether there was such a company.
 */
async function queueColleagues(query: Query, workspaceId: Uuid, entries: readonly Entry[]): Promise<boolean> {
  const gone = entries.filter(({ type }) => type === "company.deleted").map(({ id }) => rangeKey(companyPlace(id)));
  const gaining = entries.flatMap((entry) => entry.gaining ?? []);
  await queueAll(
    { query, workspaceId, kind: "person" },
    gone.map((key) => ({ key, span: SPAN })),
  );
  if (gaining.length > 0) await query(QUEUE_PEOPLE, [workspaceId, printUuids(gaining)]);
  return gone.length + gaining.length > 0;
}

const QUEUE_PEOPLE = `/* background */
insert into duplicate_queue (workspace_id, kind, record_id)
select distinct workspace_id, 'person', person_id from person_companies where workspace_id = $1 and company_id = any($2::uuid[])
on conflict do nothing`;

const TAKE_QUEUED = `/* background */
delete from duplicate_queue q using (select kind, record_id from duplicate_queue where workspace_id = $1 limit ${AT_ONCE}) f
where q.workspace_id = $1 and q.kind = f.kind and q.record_id = f.record_id
returning q.kind, q.record_id as id`;

/** Takes records out of the queue, `AT_ONCE` of them if there are as many. */
export function takeQueued(query: Query, workspaceId: Uuid): Promise<{ kind: Kind; id: Uuid }[]> {
  return query(TAKE_QUEUED, [workspaceId]);
}
