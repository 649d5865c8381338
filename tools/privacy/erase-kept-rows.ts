import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { type Moment, writtenSince } from "./candidates.ts";
import { everybody, type Participants, type ParticipantTests, participantTests } from "./erase-interactions.ts";
import { searched } from "./folded-for-search.ts";
import { ownMarksOf } from "./identifiers.ts";
import { isIdOf, type Subject } from "./subject.ts";

/** A row, or several interactions, that a deletion has kept in `log_texts`. engine/events/kept-rows.ts */
export interface KeptText {
  recordId: Uuid;
  id: Uuid;
  /** The text without the person; null when it goes as a whole. */
  left: string | null;
}

/** Kept rows about a person, and the deleted notes, tasks and interactions that are theirs as a whole. */
export interface KeptRows {
  texts: KeptText[];
  own: Uuid[];
}

interface KeptInteraction {
  tie: { entity_id: Uuid; interaction_id: Uuid };
  /** Missing where a merge has kept the places alone. */
  row?: { participants: Participants | null };
}

/** The row of a note or a task. */
interface KeptRow {
  entity_id: Uuid | null;
}

/**
 * Finds the rows in the trash that are about a person: notes and tasks of theirs, and interactions in which they took
 * part. Those go also when others took part, since the trash keeps them for no more than some weeks.
 * @param since only those that were kept since then
 */
export async function findKept(
  query: Query,
  { workspaceId, subject, since = null }: { workspaceId: Uuid; subject: Subject; since?: Moment | null },
): Promise<KeptRows> {
  const select = `select t.record_id as "recordId", t.id, t.text from log_texts t
    where t.workspace_id = $1 and t.id = t.entry_id and ${writtenSince("t", "$3")} and ${searched("t.text")} like any($2::text[])
    order by t.record_id, t.id`;
  const found: KeptRows = { texts: [], own: [] };
  const values = [workspaceId, ownMarksOf(subject).patterns, since];
  for await (const rows of pagesOf<Stored>(query, select, values))
    for (const row of rows) {
      const judged = await judge(query, { workspaceId, subject }, row);
      if (!judged) continue;
      if (judged.isOwn) found.own.push(row.recordId);
      found.texts.push(judged.text);
    }
  return found;
}

interface Stored {
  recordId: Uuid;
  id: Uuid;
  text: string;
}

/** The fate of a kept row; null when nothing of it is about the person. */
async function judge(
  query: Query,
  of: { workspaceId: Uuid; subject: Subject },
  { recordId, id, text }: Stored,
): Promise<{ isOwn: boolean; text: KeptText } | null> {
  const kept: KeptRow | KeptInteraction[] = JSON.parse(text);
  if (!Array.isArray(kept))
    return isIdOf(of.subject)(kept.entity_id) ? { isOwn: true, text: { recordId, id, left: null } } : null;
  const tests = await participantTests(query, of.workspaceId, of.subject, kept.map(participantsOf));
  const left = kept.filter((one) => !isWith(one, of.subject, tests));
  if (left.length === kept.length) return null;
  const isOwn = kept.every(({ tie }) => tie.interaction_id === recordId);
  return { isOwn, text: { recordId, id, left: isOwn || left.length === 0 ? null : JSON.stringify(left) } };
}

function participantsOf({ row }: KeptInteraction): { participants: Participants | null } {
  return { participants: row?.participants ?? null };
}

function isWith(one: KeptInteraction, subject: Subject, { isSubject }: ParticipantTests): boolean {
  return isIdOf(subject)(one.tie.entity_id) || everybody(participantsOf(one).participants).some(isSubject);
}

/** Takes a person out of these kept rows. Two statements for those that change, one for all that go. */
export async function eraseKept(query: Query, workspaceId: Uuid, texts: readonly KeptText[]): Promise<void> {
  const going = texts.filter(({ left }) => left === null);
  const changing = texts.flatMap(({ left, ...one }) => (left === null ? [] : [{ ...one, left }]));
  if (going.length > 0)
    await query(
      `delete from log_texts t using unnest($2::uuid[], $3::uuid[]) g (record_id, id)
       where t.workspace_id = $1 and t.record_id = g.record_id and t.id = g.id`,
      [workspaceId, going.map(({ recordId }) => recordId), going.map(({ id }) => id)],
    );
  if (changing.length > 0)
    await query(
      `update log_texts t set text = g.text from unnest($2::uuid[], $3::uuid[], $4::text[]) g (record_id, id, text)
       where t.workspace_id = $1 and t.record_id = g.record_id and t.id = g.id`,
      [
        workspaceId,
        changing.map(({ recordId }) => recordId),
        changing.map(({ id }) => id),
        changing.map(({ left }) => left),
      ],
    );
}
