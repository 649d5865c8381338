import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { EnrichmentError } from "./providers/provider.ts";

/** An enrichment that this process works on, as long as it holds the lease. */
export interface Job {
  workspaceId: Uuid;
  uuid: Uuid;
  personId: Uuid;
  createdBy: Uuid;
  lease: Uuid;
  /** Number of times it was taken, this one included. */
  attempts: number;
}

/** End of an enrichment. */
export type End =
  | { status: "completed"; addedFields: string[] }
  | { status: "failed" | "cancelled"; error: EnrichmentError };

/**
 * Takes up to `count` enrichments that are due, those first that have been due for longest. No other process takes them
 * before the lease has ended.
 */
export async function claimDue(query: Query, count: number, leaseMs: number): Promise<Job[]> {
  const due = await query<Pick<Job, "workspaceId" | "uuid">>(LOOK, [count]);
  return byWorkspace(due, (workspaceId, ofOne) =>
    query<Job>(CLAIM, [
      workspaceId,
      printUuids(ofOne.map(({ uuid }) => uuid)),
      // Citus lets no statement that changes a row make a value of its own.
      printUuids(ofOne.map(() => newUuid())),
      leaseMs,
    ]),
  );
}

/** Most times nothing is due, which every process asks each second. */
const LOOK = `/* background */
select workspace_id as "workspaceId", id as uuid from enrichments where due_at <= now() order by due_at limit $1`;

const CLAIM = `/* background */
update enrichments e
set status = 'in_progress', lease = due.lease, due_at = now() + $4 * interval '1 ms', attempts = attempts + 1
from (
  select o.id, n.lease from unnest($2::uuid[], $3::uuid[]) n (id, lease) join enrichments o on o.workspace_id = $1 and o.id = n.id
  where o.due_at <= now() for update of o skip locked) due
where e.workspace_id = $1 and e.id = due.id
returning e.workspace_id as "workspaceId", e.id as uuid, e.entity_id as "personId", e.created_by as "createdBy", e.lease, e.attempts`;

/** Lets it be taken again after a while. */
export async function postpone(query: Query, { workspaceId, uuid, lease }: Job, afterMs: number): Promise<void> {
  await query(
    `update enrichments set due_at = now() + $4 * interval '1 ms', lease = null
     where workspace_id = $1 and id = $2 and lease = $3`,
    [workspaceId, uuid, lease, afterMs],
  );
}

/** Lets it be taken again at once, as if it had not been taken. */
export async function giveBack(query: Query, { workspaceId, uuid, lease }: Job): Promise<void> {
  await query(
    `update enrichments set due_at = now(), lease = null, attempts = attempts - 1
     where workspace_id = $1 and id = $2 and lease = $3`,
    [workspaceId, uuid, lease],
  );
}

/** Whether the lease still holds. It then does so until the transaction ends. */
export async function holdsLease(query: Query, { workspaceId, uuid, lease }: Job): Promise<boolean> {
  const rows = await query("select from enrichments where workspace_id = $1 and id = $2 and lease = $3 for update", [
    workspaceId,
    uuid,
    lease,
  ]);
  return rows.length > 0;
}

/**
 * Ends an enrichment, and gives the credit back unless it was completed. One statement. Nothing happens when the lease
 * does not hold any more: another process works on it, or its person was deleted.
 */
export async function end(query: Query, { workspaceId, uuid, lease }: Job, ending: End): Promise<void> {
  const { addedFields, error } = { addedFields: null, error: null, ...ending };
  await query(
    `with ended as (
       update enrichments
       set status = $4, added_fields = $5, error_code = $6, error_message = $7,
         finished_at = greatest(created_at, statement_timestamp()), due_at = null, lease = null
       where workspace_id = $1 and id = $2 and lease = $3 returning status
     )
     update credits set remaining = remaining + 1, used = used - 1
     where workspace_id = $1 and (select status from ended) in ('failed', 'cancelled')`,
    [workspaceId, uuid, lease, ending.status, addedFields, error?.code ?? null, error ? storable(error.message) : null],
  );
}

const MESSAGE_LENGTH_MAX = 1_000;

/** A message as PostgreSQL takes it: what a provider has sent may be quoted in it, whatever characters that has. */
function storable(message: string): string {
  return message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}
