import type { Uuid } from "../../base/values/ids.ts";
import { uuidArray } from "../../database/array-parameter.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Looking } from "./crowds.ts";
import type { Likeness } from "./pair.ts";

/** Two records that are likely one, the one that was made first before the other. */
export interface Pair extends Likeness {
  older: Uuid;
  younger: Uuid;
}

const READ = `/* background */
select older_id as older, younger_id as younger, score, reasons from duplicate_pairs
  where workspace_id = $1 and older_id = any($2::uuid[])
union select older_id, younger_id, score, reasons from duplicate_pairs
  where workspace_id = $1 and younger_id = any($2::uuid[])`;

const DELETE = `/* background */
delete from duplicate_pairs p using unnest($2::uuid[], $3::uuid[]) g (older, younger)
where p.workspace_id = $1 and p.older_id = g.older and p.younger_id = g.younger`;

const UPSERT = `/* background */
insert into duplicate_pairs (workspace_id, kind, older_id, younger_id, score, reasons)
select $1, $2, older, younger, score, reasons
from unnest($3::uuid[], $4::uuid[], $5::smallint[], $6::smallint[]) n (older, younger, score, reasons)
on conflict (workspace_id, older_id, younger_id) do update set score = excluded.score, reasons = excluded.reasons`;

/**
 * Makes the pairs of some records those that were found. Nothing is written that is there already.
 * @param records those that may have been in other pairs before
 * @param found all pairs of the records, and of others that had none
 */
export async function replacePairs(
  { query, workspaceId, kind }: Looking,
  records: readonly Uuid[],
  found: readonly Pair[],
): Promise<void> {
  const there = records.length === 0 ? [] : await query<Pair>(READ, [workspaceId, printUuids(records)]);
  const known = new Map(there.map((pair) => [nameOf(pair), pair]));
  const wanted = new Set(found.map(nameOf));
  const gone = there.filter((pair) => !wanted.has(nameOf(pair)));
  const added = found.filter((pair) => {
    const old = known.get(nameOf(pair));
    return !old || old.score !== pair.score || old.reasons !== pair.reasons;
  });
  if (gone.length > 0) await query(DELETE, [workspaceId, ...idsOf(gone)]);
  if (added.length > 0)
    await query(UPSERT, [
      workspaceId,
      kind,
      ...idsOf(added),
      `{${added.map(({ score }) => score).join()}}`,
      `{${added.map(({ reasons }) => reasons).join()}}`,
    ]);
}

const nameOf = ({ older, younger }: Pick<Pair, "older" | "younger">): string => `${older} ${younger}`;

function idsOf(pairs: readonly Pair[]): [Buffer, Buffer] {
  return [uuidArray(pairs.map(({ older }) => older)), uuidArray(pairs.map(({ younger }) => younger))];
}
