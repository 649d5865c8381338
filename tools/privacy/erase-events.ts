import { toId, type Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { changed } from "../../engine/events/diff.ts";
import { changesIn } from "../../engine/events/made.ts";
import type { StoredEntry } from "../../engine/feed/published.ts";
import type { Change } from "../../model/events.ts";
import type { Changed, LogMore, Tie } from "../../model/log.ts";
import { type Moment, writtenSince } from "./candidates.ts";
import { searched } from "./folded-for-search.ts";
import { idMarksOf, withoutEntries } from "./identifiers.ts";
import { rewrite } from "./rewrite.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/** Content of an entry of the log. */
export type LogBody = Pick<StoredEntry["body"], "changes" | "details" | "merged" | "via">;

/** A person, and the uuids of notes and tasks about them. */
export interface About {
  subject: Subject;
  about: readonly Uuid[];
}

/** An entry of the log that is about a person, or names one by an id. */
export interface FoundEntry {
  id: Uuid;
  seq: string;
  recordId: Uuid;
  /** Whether it goes as a whole. */
  goes: boolean;
}

interface Stored {
  id: Uuid;
  seq: string;
  recordId: Uuid;
  body: string;
  more: string | null;
}

/**
 * Entries of the log that are about a person, or name one by an id.
 * @param since only those that were written since then
 */
export async function findEntries(
  query: Query,
  { workspaceId, since = null, ...of }: { workspaceId: Uuid; since?: Moment | null } & About,
): Promise<FoundEntry[]> {
  const marks = idMarksOf(of.subject);
  const own = [...uuidsOfSubject(of.subject), ...of.about];
  const subjects = [...own, ...(await deletedAbout(query, { workspaceId, since, subject: of.subject }))];
  const select = `select t.id, t.seq::text as seq, t.record_id as "recordId", t.body::text as body, t.more::text as more
    from change_log t where t.workspace_id = $1 and ${writtenSince("t", "$4")}
      and (t.record_id = any($2::uuid[]) or ${searched("t.body::text")} like any($3::text[])
        or ${searched("t.more::text")} like any($3::text[])) order by t.seq`;
  const found: FoundEntry[] = [];
  const isOwn = new Set<string>(subjects);
  for await (const rows of pagesOf<Stored>(query, select, [workspaceId, subjects, marks.patterns, since]))
    for (const { id, seq, recordId, body, more } of rows)
      if (isOwn.has(recordId)) found.push({ id, seq, recordId, goes: true });
      else if (marks.areIn(body) || marks.areIn(more ?? ""))
        found.push({ id, seq, recordId, goes: withoutSubject(JSON.parse(body), of.subject) === null });
  return found;
}

/**
 * The uuids of notes and tasks about a person that were deleted. Only the entry of the deletion names the person, and
 * the entries before it go too, because they hold what stood in the note.
 */
async function deletedAbout(
  query: Query,
  { workspaceId, since, subject }: { workspaceId: Uuid; since: Moment | null; subject: Subject },
): Promise<Uuid[]> {
  const rows = await query<{ id: Uuid }>(
    `select record_id as id from change_log t where workspace_id = $1 and ${writtenSince("t", "$3")}
       and type in ('note.deleted', 'task.deleted', 'reminder.deleted') and body -> 'details' ->> 'entityId' = any($2::text[])`,
    [workspaceId, uuidsOfSubject(subject).map((uuid) => toId("person", uuid)), since],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes some of these entries, with the long texts of what they are about, and removes a person from the others. Long
 * texts of others are reported and not changed, like all their texts.
 */
export async function eraseEntries(
  query: Query,
  { workspaceId, subject, found }: { workspaceId: Uuid; subject: Subject; found: readonly FoundEntry[] },
): Promise<void> {
  const seqs = (goes: boolean) => found.filter((one) => one.goes === goes).map(({ seq }) => seq);
  const records = new Set(found.filter(({ goes }) => goes).map(({ recordId }) => recordId));
  await query("delete from change_log where workspace_id = $1 and seq = any($2::bigint[])", [workspaceId, seqs(true)]);
  await forgetTexts(query, workspaceId, records);
  await rewrite<{ body: LogBody; more: LogMore | null }>(
    query,
    {
      workspaceId,
      table: "change_log",
      columns: { body: "json", more: "json" },
      key: { column: "seq", type: "bigint" },
    },
    seqs(false),
    (rows) =>
      rows.map(({ body, more }) => ({
        body: JSON.stringify(withoutSubject(body, subject) ?? {}),
        more: more && JSON.stringify(moreWithoutSubject(more, subject)),
      })),
  );
}

/** Deletes the long texts of things, and the rows that the trash keeps of them. */
export async function forgetTexts(query: Query, workspaceId: Uuid, records: Iterable<Uuid>): Promise<void> {
  await query("delete from log_texts where workspace_id = $1 and record_id = any($2::uuid[])", [
    workspaceId,
    printUuids(records),
  ]);
}

/**
 * The body of an entry about another record, without a person; null if it is about a deleted note or reminder of that
 * person.
 */
export function withoutSubject(body: LogBody, subject: Subject): LogBody | null {
  const isId = isIdOf(subject);
  if (isId(body.details?.entityId) || isId(body.via?.id)) return null;
  const changes = body.changes && changesWithout(body.changes, isId);
  const merged = withoutEntries(body.merged, isId) as LogBody["merged"];
  return { ...body, ...(changes && { changes }), ...(merged && { merged }) };
}

/** The part of an entry about another record that history and undo need, without a person. */
export function moreWithoutSubject(more: LogMore, subject: Subject): LogMore {
  const isId = isIdOf(subject);
  const { changes: _, made: __, gone, merged, ties, ...rest } = more;
  const changes = changesIn(more);
  const others = (some: Tie[]) => some.filter(({ owner, to }) => !isId(owner.id) && !isId(to.id));
  return {
    ...rest,
    ...(changes.length > 0 && { changes: changesWithout(changes, isId) as Changed[] }),
    ...(gone && {
      gone: {
        ...gone,
        ...(gone.row && { row: withoutEntries(gone.row, isId) as Record<string, unknown> }),
        ...(gone.ties && { ties: others(gone.ties) }),
      },
    }),
    ...(merged && { merged: merged.filter(({ id }) => !isId(id)) }),
    ...(ties && { ties: others(ties) }),
  };
}

function changesWithout(
  changes: readonly (Changed | Change)[],
  isId: (text: unknown) => boolean,
): (Changed | Change)[] {
  const isOf = (value: unknown) => isId(value) || isId((value as { id?: unknown } | null)?.id);
  const without = (value: unknown) => (isOf(value) ? null : withoutEntries(value, isId));
  return changes.flatMap((change): (Changed | Change)[] => {
    if ("before" in change) {
      const { before, after } = change;
      const [left] = changed(change.path, without(before), without(after));
      return left ? [{ ...change, ...left }] : [];
    }
    const value = without(change.value);
    const isGone = isOf(change.value) || (Array.isArray(value) && value.length === 0);
    return isGone ? [] : [{ ...change, value }];
  });
}
