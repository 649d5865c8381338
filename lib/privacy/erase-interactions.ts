import type { Query } from "../database/query.ts";
import { participantKey } from "../interactions/participants.ts";
import type { Uuid } from "../values/ids.ts";
import { ERASED, mapStrings, markPatterns, redactor } from "./marks.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/** Which interactions a person took part in. */
export async function interactionsOf(query: Query, workspaceId: Uuid, subject: Subject): Promise<Uuid[]> {
  const rows = await query<{ id: Uuid }>(
    `select i.id from interactions i where i.workspace_id = $1 and (
       exists (select from interaction_entities e where e.workspace_id = $1 and e.interaction_id = i.id and e.entity_id = any($2::uuid[]))
       or lower(i.participants::text) like any($3::text[])) order by i.id`,
    [workspaceId, uuidsOfSubject(subject), markPatterns(subject)],
  );
  return rows.map(({ id }) => id);
}

interface Stored {
  id: Uuid;
  title: string | null;
  content: string;
  more: unknown;
  participants: Participants | null;
}

interface Participant {
  type: "email" | "phone";
  value: string;
  personId?: string;
}

interface Participants {
  from: Participant;
  to: Participant[];
}

/**
 * Takes a person out of those of these interactions that are left, since others took part in them too: the participant, and every
 * address, number and name of the person in their texts. Gives how many these are.
 */
export async function eraseFromInteractions(
  query: Query,
  workspaceId: Uuid,
  subject: Subject,
  ids: Uuid[],
): Promise<number> {
  const rows = await query<Stored>(
    "select id, title, content, more, participants from interactions where workspace_id = $1 and id = any($2::uuid[]) order by id for update",
    [workspaceId, ids],
  );
  const redact = redactor(subject);
  const without = withoutParticipant(subject, redact);
  for (const row of rows) {
    const { id, title, content, more, participants } = row;
    await query(
      "update interactions set title = $3, content = $4, more = $5::json, participants = $6::json where workspace_id = $1 and id = $2",
      [
        workspaceId,
        id,
        title === null ? null : redact(title),
        // Of an imported one it is JSON, whose texts may hold signs that JSON escapes.
        participants ? JSON.stringify(mapStrings(JSON.parse(content), redact)) : redact(content),
        more === null ? null : JSON.stringify(mapStrings(more, redact)),
        participants && JSON.stringify({ from: without(participants.from), to: participants.to.map(without) }),
      ],
    );
  }
  return rows.length;
}

/** Gives what is left of a participant: of the person that somebody was there, of all others everything. */
function withoutParticipant(subject: Subject, redact: (text: string) => string): (one: Participant) => unknown {
  const isId = isIdOf(subject);
  const keys = new Set(
    subject.marks
      .flatMap((value) => [
        participantKey({ type: "email", value }) ?? [],
        participantKey({ type: "phone", value }) ?? [],
      ])
      .flat(),
  );
  return (one) => {
    const isSubject = isId(one.personId) || keys.has(participantKey({ type: one.type, value: one.value }) ?? "");
    return isSubject ? { type: one.type, value: ERASED } : mapStrings(one, redact);
  };
}
