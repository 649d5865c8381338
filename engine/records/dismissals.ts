import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";

// Pairs of records that users know to be two. docs/guides/duplicates.md#dismissing

/** Two different records, in any order. */
export type Two = readonly [Uuid, Uuid];

/** Dismisses a pair, or takes that back. One statement. The transaction is the caller's, which has locked the two. */
export async function dismiss(query: Query, workspaceId: Uuid, two: Two, isDismissed: boolean): Promise<void> {
  const [older, younger] = [...two].sort();
  await query(
    isDismissed
      ? "insert into duplicate_dismissals (workspace_id, older_id, younger_id) values ($1, $2, $3) on conflict do nothing"
      : "delete from duplicate_dismissals where workspace_id = $1 and older_id = $2 and younger_id = $3",
    [workspaceId, older, younger],
  );
}

const HAND_ON = `
insert into duplicate_dismissals (workspace_id, older_id, younger_id)
select d.workspace_id, least(d.other, $2::uuid), greatest(d.other, $2::uuid) from (
  select workspace_id, younger_id as other from duplicate_dismissals where workspace_id = $1 and older_id = any($3::uuid[])
  union select workspace_id, older_id from duplicate_dismissals where workspace_id = $1 and younger_id = any($3::uuid[])) d
where d.other <> $2::uuid
on conflict do nothing`;

/**
 * Gives the survivor of a merge the dismissals of the merged records, which keep their own for an undo. One statement.
 * The transaction is the caller's.
 */
export async function handOnDismissals(
  query: Query,
  workspaceId: Uuid,
  survivor: Uuid,
  merged: readonly Uuid[],
): Promise<void> {
  await query(HAND_ON, [workspaceId, survivor, printUuids(merged)]);
}

/** Deletes the dismissals of records that are erased. One statement. */
export async function forgetDismissals(query: Query, workspaceId: Uuid, records: readonly Uuid[]): Promise<void> {
  await query(
    "delete from duplicate_dismissals where workspace_id = $1 and (older_id = any($2::uuid[]) or younger_id = any($2::uuid[]))",
    [workspaceId, printUuids(records)],
  );
}
