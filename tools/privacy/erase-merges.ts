import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { idsNaming, type Searching } from "./candidates.ts";
import { type Marks, mapStrings, withoutEntries } from "./identifiers.ts";
import { rewrite } from "./rewrite.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

const OWN = "(survivor_id = any($2::uuid[]) or merged_id = any($2::uuid[]))";

/** The number of entries of the history of merges that go with a person. */
export async function countMerges(query: Query, workspaceId: Uuid, subject: Subject): Promise<number> {
  const rows = await query(`select 1 from merges where workspace_id = $1 and ${OWN}`, [
    workspaceId,
    uuidsOfSubject(subject),
  ]);
  return rows.length;
}

/** The ids of merges of others that name a person. */
export function mergesNaming(query: Query, searching: Searching): Promise<Uuid[]> {
  return idsNaming(query, "merges", "survivor_before::text || merged_before::text", searching);
}

/**
 * Forgets merges of a person. Of those of others the entries and texts are taken out that name the person, since nobody
 * can change them by hand. Gives how many are forgotten.
 * @param ids merges of others that name the person
 */
export async function eraseFromMerges(
  query: Query,
  workspaceId: Uuid,
  { subject, marks, ids }: { subject: Subject; marks: Marks; ids: readonly Uuid[] },
): Promise<number> {
  const gone = await query(`delete from merges where workspace_id = $1 and ${OWN} returning 1`, [
    workspaceId,
    uuidsOfSubject(subject),
  ]);
  const isId = isIdOf(subject);
  const columns = { survivor_before: "jsonb", merged_before: "jsonb" } as const;
  const before = (row: Record<string, unknown>) => JSON.stringify(withoutSubject(row, isId, marks));
  await rewrite<Record<keyof typeof columns, Record<string, unknown>>>(
    query,
    { workspaceId, table: "merges", columns },
    ids,
    (rows) =>
      rows.map((row) => ({ survivor_before: before(row.survivor_before), merged_before: before(row.merged_before) })),
  );
  return gone.length;
}

/** Names and addresses of other records stay, even if they equal those of the person. */
const OF_OTHERS = ["firstName", "lastName", "fullName", "name", "emails", "phones"];

function withoutSubject(
  record: Record<string, unknown>,
  isId: (text: unknown) => boolean,
  marks: Marks,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const left = withoutEntries(value, isId);
      return [name, OF_OTHERS.includes(name) ? left : mapStrings(left, marks.redact)];
    }),
  );
}
