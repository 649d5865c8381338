import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { type Moment, partsOf, writtenSince } from "./candidates.ts";
import { type Marks, mapStrings, withoutEntries } from "./marks.ts";
import { searched } from "./searched.ts";
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
export async function mergesNaming(
  query: Query,
  { workspaceId, marks, since = null }: { workspaceId: Uuid; marks: Marks; since?: Moment | null },
): Promise<Uuid[]> {
  const select = `select id, survivor_before::text || merged_before::text as text from merges m
    where workspace_id = $1 and ${writtenSince("m", "$3")} and ${searched("survivor_before::text || merged_before::text")} like any($2::text[])`;
  const found: Uuid[] = [];
  for await (const rows of pagesOf<{ id: Uuid; text: string }>(query, select, [workspaceId, marks.patterns, since]))
    found.push(...rows.filter(({ text }) => marks.areIn(text)).map(({ id }) => id));
  return found;
}

/**
 * Forgets merges of a person. Of those of others the entries and texts are taken out that name the person, since nobody can change them
 * by hand. Gives how many are forgotten.
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
  for (const part of partsOf(ids)) {
    const others = await query<{ id: Uuid; before: Record<string, unknown>[] }>(
      `select id, json_build_array(survivor_before, merged_before) as before from merges
       where workspace_id = $1 and id = any($2::uuid[]) order by id for update`,
      [workspaceId, part],
    );
    const left = others.map(({ before }) => before.map((row) => JSON.stringify(withoutSubject(row, isId, marks))));
    await query(
      `update merges m set survivor_before = l.survivor::jsonb, merged_before = l.merged::jsonb
       from unnest($2::uuid[], $3::text[], $4::text[]) l (id, survivor, merged) where m.workspace_id = $1 and m.id = l.id`,
      [workspaceId, others.map(({ id }) => id), left.map(([survivor]) => survivor), left.map(([, merged]) => merged)],
    );
  }
  return gone.length;
}

/** Names and addresses of other records stay theirs, even when they equal those of the person. */
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
