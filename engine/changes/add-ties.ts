import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { type LogMore, moreText, type Reference, type Tie } from "../../model/log.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import { applySilently } from "../records/apply.ts";
import type { WriteContext } from "../records/draft.ts";
import { lockByIds } from "../records/found.ts";
import type { RecordRow } from "../records/select.ts";
import { lockRows } from "../records/write.ts";
import { type Deletion, type Kept, lastDeletions } from "./log-reads.ts";
import { mapList, type PlanOfLists, planOfLists } from "./plan-of-lists.ts";

// A deletion takes a record out of the lists of others, and tells nobody of that: it is no change of the others. When
// the record comes back, so do these entries, as silently. docs/decisions/0023-history.md#ties

/**
 * Puts records into the lists that named them, each at its old place as far as that still is. Where the record with the
 * list lies in the trash itself, or the one that it named, that is noted for its return.
 * @param back the records that are back, which are there
 */
export async function addTies(
  writing: WriteContext,
  noted: readonly Tie[],
  back: ReadonlySet<Uuid>,
  kept: Pick<Kept, "trashDays">,
): Promise<void> {
  const missing: Tie[] = [];
  const ties = await presentTies(writing, noted, back, kept);
  for (const [kind, ofKind] of Map.groupBy(ties, ({ owner }) => owner.kind)) {
    const resource = RECORD_TYPES[kind];
    const scope = { entity: kind, homeGroup: null };
    const rows = await lockRows(writing, resource, scope, [...new Set(ofKind.map(({ owner }) => owner.id))]);
    const plans: PlanOfLists[] = [];
    for (const [owner, ofOwner] of Map.groupBy(ofKind, (tie) => tie.owner.id)) {
      const row = rows.get(owner);
      if (!row) missing.push(...ofOwner);
      else
        plans.push(
          planOf(
            row,
            ofOwner.toSorted((a, b) => a.place - b.place),
          ),
        );
    }
    await applySilently(writing, resource, plans);
  }
  await leaveTies(writing, missing, ({ owner }) => owner, kept);
}

/** Ties to records that still are, by the record that each was merged into. Notes the others for their return. */
async function presentTies(
  writing: WriteContext,
  ties: readonly Tie[],
  back: ReadonlySet<Uuid>,
  kept: Pick<Kept, "trashDays">,
): Promise<Tie[]> {
  const unsure = ties.filter(({ to }) => !back.has(to.id));
  const gone: Tie[] = [];
  const present = ties.filter(({ to }) => back.has(to.id));
  const idOf = ({ to }: Tie) => toId(to.kind, to.id);
  const found = await lockByIds(writing, unsure.map(idOf));
  for (const tie of unsure) {
    const record = found.get(idOf(tie));
    if (record) present.push({ ...tie, to: { kind: tie.to.kind, id: record.uuid } });
    else gone.push(tie);
  }
  await leaveTies(writing, gone, ({ to }) => to, kept);
  return present;
}

/** The plan that adds these entries to the lists of a record. */
function planOf(current: RecordRow, ties: readonly Tie[]): PlanOfLists {
  const plan = planOfLists(current);
  for (const { to, list, place } of ties) {
    const entry = typeof list === "string" ? to.id : toId(to.kind, to.id);
    mapList(plan, list, (entries) => withEntry(entries, entry, place));
  }
  return plan;
}

/** A list with an entry at a place, or at its end if it is shorter. One that is there stays where it is. */
function withEntry(list: readonly string[], entry: string, place: number): string[] {
  return list.includes(entry) ? [...list] : list.toSpliced(Math.min(place, list.length), 0, entry);
}

/**
 * Notes ties of which the other end lies in the trash, for its return.
 * @param missing gives that end
 */
export async function leaveTies(
  { query, caller, log }: WriteContext,
  ties: readonly Tie[],
  missing: (tie: Tie) => Reference,
  kept: Pick<Kept, "trashDays">,
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(ties, (tie) => missing(tie).kind)) {
    const byRecord = Map.groupBy(ofKind, (tie) => missing(tie).id);
    const there = await lastDeletions(query, caller.workspaceId, kind, [...byRecord.keys()], kept);
    for (const [recordId, ofOne] of byRecord)
      if (there.has(recordId)) log.push({ type: `${kind}.tied`, recordId, body: {}, more: moreText({ ties: ofOne }) });
  }
}

/** The ties that were noted for records since they were deleted. One statement. */
export async function tiesLeft(
  { query, caller: { workspaceId } }: WriteContext,
  kind: RecordKind,
  deletions: readonly Deletion[],
): Promise<Tie[]> {
  const since = new Map(deletions.map(({ recordId, seq }) => [recordId, BigInt(seq)]));
  const rows = await query<{ recordId: Uuid; seq: string; more: LogMore }>(
    `select record_id as "recordId", seq::text as seq, more from change_log
     where workspace_id = $1 and record_id = any($2::uuid[]) and type = $3`,
    [workspaceId, printUuids([...since.keys()]), `${kind}.tied`],
  );
  return rows.flatMap(({ recordId, seq, more }) =>
    BigInt(seq) > (since.get(recordId) ?? 0n) ? (more.ties ?? []) : [],
  );
}
