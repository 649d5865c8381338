import { participantKey } from "contact-workspace-readers/participants";
import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { type Moment, writtenSince } from "./candidates.ts";
import { searched } from "./folded-for-search.ts";
import { ERASED, type Marks, mapStrings, ownMarksOf } from "./identifiers.ts";
import { rewrite } from "./rewrite.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

interface Participant {
  type: "email" | "phone";
  value: string;
  personId?: Uuid;
}

export interface Participants {
  from: Participant;
  to: Participant[];
}

interface WithParticipants {
  participants: Participants | null;
}

/**
 * The ids of interactions that a person took part in: those with the record, and those with an address or a number of
 * the person.
 * @param since of the latter only those that were written since then
 */
export async function interactionsOf(
  query: Query,
  { workspaceId, subject, since = null }: { workspaceId: Uuid; subject: Subject; since?: Moment | null },
): Promise<Uuid[]> {
  const select = `with own as materialized (
      select interaction_id as id from interaction_entities where workspace_id = $1 and entity_id = any($2::uuid[]))
    select i.id, i.participants, i.id in (select id from own) as "isWith" from interactions i where i.workspace_id = $1 and (
      i.id in (select id from own) or (${writtenSince("i", "$4")} and ${searched("i.participants::text")} like any($3::text[])))
    order by i.id`;
  const values = [workspaceId, uuidsOfSubject(subject), ownMarksOf(subject).patterns, since];
  const found: Uuid[] = [];
  for await (const rows of pagesOf<WithParticipants & { id: Uuid; isWith: boolean }>(query, select, values)) {
    const { isSubject } = await participantTests(query, workspaceId, subject, rows);
    const own = rows.filter(({ isWith, participants }) => isWith || everybody(participants).some(isSubject));
    found.push(...own.map(({ id }) => id));
  }
  return found;
}

/** Number of these interactions that are deleted with a person, because no other person took part. */
export async function countWithNobodyElse(
  query: Query,
  workspaceId: Uuid,
  { subject, ids }: { subject: Subject; ids: readonly Uuid[] },
): Promise<number> {
  const rows = await query(
    `select 1 from interaction_entities where workspace_id = $1 and interaction_id = any($2::uuid[])
     group by interaction_id having bool_and(entity_id = any($3::uuid[]))`,
    [workspaceId, ids, uuidsOfSubject(subject)],
  );
  return rows.length;
}

/** Columns that can name a person. */
const COLUMNS = { source_id: "text", title: "text", content: "text", more: "json", participants: "json" } as const;

interface Stored extends WithParticipants {
  source_id: string | null;
  title: string | null;
  content: string;
  more: unknown;
}

/**
 * Takes a person out of those of these interactions that are left, since others took part in them too: the participant,
 * and every address, number and name of the person in their texts. Gives how many these are.
 */
export async function eraseFromInteractions(
  query: Query,
  workspaceId: Uuid,
  { subject, marks, ids }: { subject: Subject; marks: Marks; ids: readonly Uuid[] },
): Promise<number> {
  return rewrite<Stored>(query, { workspaceId, table: "interactions", columns: COLUMNS }, ids, async (rows) => {
    const tests = await participantTests(query, workspaceId, subject, rows);
    return rows.map((row) => withoutSubject(row, marks, tests));
  });
}

function withoutSubject(
  { key, source_id, title, content, more, participants }: Stored & { key: string },
  marks: Marks,
  { isSubject, isOther }: ParticipantTests,
) {
  const without = (one: Participant): unknown => {
    if (isSubject(one)) return { type: one.type, value: ERASED };
    return isOther(one) ? one : mapStrings(one, marks.redact);
  };
  return {
    // Systems make ids of telephone numbers and addresses. No two interactions may have the same.
    source_id: source_id !== null && marks.areIn(source_id) ? `${ERASED} ${key}` : source_id,
    title: title === null ? null : marks.redact(title),
    // An imported one has JSON, whose texts can hold characters that JSON escapes.
    content: participants ? JSON.stringify(mapStrings(JSON.parse(content), marks.redact)) : marks.redact(content),
    more: more === null ? null : JSON.stringify(mapStrings(more, marks.redact)),
    participants:
      participants && JSON.stringify({ from: without(participants.from), to: participants.to.map(without) }),
  };
}

/** Tests of participants of some interactions. */
export interface ParticipantTests {
  isSubject(one: Participant): boolean;
  /** True for another person with a record. Both can have the same address. */
  isOther(one: Participant): boolean;
}

/** The tests for the participants of these rows. One statement. */
export async function participantTests(
  query: Query,
  workspaceId: Uuid,
  subject: Subject,
  rows: WithParticipants[],
): Promise<ParticipantTests> {
  const isId = isIdOf(subject);
  const named = rows.flatMap(({ participants }) => everybody(participants).flatMap(({ personId }) => personId ?? []));
  const found = await query<{ id: Uuid }>("select id from people where workspace_id = $1 and id = any($2::uuid[])", [
    workspaceId,
    [...new Set(named)].filter((id) => !isId(id)),
  ]);
  const others = new Set(found.map(({ id }) => id));
  const isOther = ({ personId }: Participant) => personId !== undefined && others.has(personId);
  const keys = new Set([
    ...subject.emails.flatMap((value) => participantKey({ type: "email", value }) ?? []),
    ...subject.phones.flatMap((value) => participantKey({ type: "phone", value }) ?? []),
  ]);
  const hasKey = (one: Participant) => keys.has(participantKey(one) ?? "");
  return { isOther, isSubject: (one) => isId(one.personId) || (hasKey(one) && !isOther(one)) };
}

/** All who took part. */
export function everybody(participants: Participants | null): Participant[] {
  return participants ? [participants.from, ...participants.to] : [];
}
