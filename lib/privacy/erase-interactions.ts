import type { Query } from "../database/query.ts";
import { participantKey } from "../interactions/participants.ts";
import type { Uuid } from "../values/ids.ts";
import { ERASED, type Marks, mapStrings, ownMarksOf } from "./marks.ts";
import { searched } from "./searched.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

interface Participant {
  type: "email" | "phone";
  value: string;
  personId?: Uuid;
}

interface Participants {
  from: Participant;
  to: Participant[];
}

interface WithParticipants {
  id: Uuid;
  participants: Participants | null;
}

/** Which interactions a person took part in: those with the record, and those in which an address or a number of the person stands. */
export async function interactionsOf(query: Query, workspaceId: Uuid, subject: Subject): Promise<Uuid[]> {
  const rows = await query<WithParticipants & { isWith: boolean }>(
    `select i.id, i.participants, e.is_with as "isWith" from interactions i cross join lateral (select exists (
       select from interaction_entities e where e.workspace_id = $1 and e.interaction_id = i.id and e.entity_id = any($2::uuid[])) as is_with) e
     where i.workspace_id = $1 and (e.is_with or ${searched("i.participants::text")} like any($3::text[])) order by i.id`,
    [workspaceId, uuidsOfSubject(subject), ownMarksOf(subject).patterns],
  );
  const { isSubject } = await participantTests(query, workspaceId, subject, rows);
  return rows
    .filter(({ isWith, participants }) => isWith || everybody(participants).some(isSubject))
    .map(({ id }) => id);
}

interface Stored extends WithParticipants {
  sourceId: string | null;
  title: string | null;
  content: string;
  more: unknown;
}

/**
 * Takes a person out of those of these interactions that are left, since others took part in them too: the participant, and every
 * address, number and name of the person in their texts. Gives how many these are.
 */
export async function eraseFromInteractions(
  query: Query,
  workspaceId: Uuid,
  { subject, marks, ids }: { subject: Subject; marks: Marks; ids: Uuid[] },
): Promise<number> {
  const rows = await query<Stored>(
    `select id, source_id as "sourceId", title, content, more, participants from interactions
     where workspace_id = $1 and id = any($2::uuid[]) order by id for update`,
    [workspaceId, ids],
  );
  const { isSubject, isOther } = await participantTests(query, workspaceId, subject, rows);
  const without = (one: Participant): unknown => {
    if (isSubject(one)) return { type: one.type, value: ERASED };
    return isOther(one) ? one : mapStrings(one, marks.redact);
  };
  for (const { id, sourceId, title, content, more, participants } of rows) {
    await query(
      `update interactions set source_id = $3, title = $4, content = $5, more = $6::json, participants = $7::json
       where workspace_id = $1 and id = $2`,
      [
        workspaceId,
        id,
        // Systems make ids of telephone numbers and addresses. No two interactions may have the same.
        sourceId !== null && marks.areIn(sourceId) ? `${ERASED} ${id}` : sourceId,
        title === null ? null : marks.redact(title),
        // Of an imported one it is JSON, whose texts may hold signs that JSON escapes.
        participants ? JSON.stringify(mapStrings(JSON.parse(content), marks.redact)) : marks.redact(content),
        more === null ? null : JSON.stringify(mapStrings(more, marks.redact)),
        participants && JSON.stringify({ from: without(participants.from), to: participants.to.map(without) }),
      ],
    );
  }
  return rows.length;
}

interface ParticipantTests {
  isSubject(one: Participant): boolean;
  /** Whether it is somebody else who is there as a record. They may share an address with the person. */
  isOther(one: Participant): boolean;
}

async function participantTests(
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

function everybody(participants: Participants | null): Participant[] {
  return participants ? [participants.from, ...participants.to] : [];
}
