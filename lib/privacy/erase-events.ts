import type { Query } from "../database/query.ts";
import type { Change } from "../events/event.ts";
import type { Uuid } from "../values/ids.ts";
import { idPatterns, type Marks, withoutEntries } from "./marks.ts";
import { searched } from "./searched.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/** What became of events. */
export interface ErasedEvents {
  /** Those about the person, and about notes and reminders of theirs. They are gone. */
  events: number;
  /** Those about others that named the person. They stay without that. */
  changedEvents: number;
  deliveries: number;
}

interface Stored {
  id: Uuid;
  recordId: Uuid;
  body: { changes?: Change[]; details?: Record<string, unknown> };
}

const TABLES = ["outbox", "events"] as const;

/**
 * Takes a person out of the events of a workspace, those that wait to be passed on among them, and out of the deliveries of webhooks.
 * Nobody passes events on until the transaction ends.
 * @param options `about` are the uuids of notes and tasks that are about the person
 */
export async function eraseFromEvents(
  query: Query,
  workspaceId: Uuid,
  { subject, marks, about }: { subject: Subject; marks: Marks; about: Uuid[] },
): Promise<ErasedEvents> {
  await query("select from event_log for update", []);
  const subjects = [...uuidsOfSubject(subject), ...about];
  const gone: Uuid[] = [];
  let changedEvents = 0;
  for (const table of TABLES) {
    const rows = await query<Stored>(
      `select id, record_id as "recordId", body from ${table} where workspace_id = $1 and (record_id = any($2::uuid[]) or body::text like any($3::text[]))`,
      [workspaceId, subjects, idPatterns(subject)],
    );
    for (const { id, recordId, body } of rows) {
      const left = subjects.includes(recordId) ? null : withoutSubject(body, subject);
      if (left === null) gone.push(id);
      else {
        changedEvents += 1;
        await query(`update ${table} set body = $3::json where workspace_id = $1 and id = $2`, [
          workspaceId,
          id,
          JSON.stringify(left),
        ]);
      }
    }
    await query(`delete from ${table} where workspace_id = $1 and id = any($2::uuid[])`, [workspaceId, gone]);
  }
  const deliveries = await query(
    "delete from deliveries where workspace_id = $1 and (event_id = any($2::uuid[]) or record_id = any($3::uuid[])) returning 1",
    [workspaceId, gone, subjects],
  );
  await eraseAnswers(query, workspaceId, marks);
  return { events: gone.length, changedEvents, deliveries: deliveries.length };
}

/** What an event about somebody else tells without the person; null when it is about a note or reminder of theirs that is gone. */
function withoutSubject(body: Stored["body"], subject: Subject): Stored["body"] | null {
  const isId = isIdOf(subject);
  if (isId(body.details?.entityId)) return null;
  const changes = body.changes?.flatMap((change): Change[] => {
    const value = withoutEntries(change.value, isId);
    const isEmpty = Array.isArray(value) && value.length === 0;
    return isEmpty || isId(value) || isId((value as { id?: unknown } | null)?.id) ? [] : [{ ...change, value }];
  });
  return { ...body, ...(changes && { changes }) };
}

/** What a receiver has answered may hold what was sent to it. */
async function eraseAnswers(query: Query, workspaceId: Uuid, marks: Marks): Promise<void> {
  await query(
    `update deliveries d set attempts = (
       select json_agg(case when ${searched("a.one ->> 'responseBody'")} like any($2::text[]) then jsonb_set(a.one, '{responseBody}', 'null') else a.one end order by n)
       from jsonb_array_elements(d.attempts::jsonb) with ordinality a(one, n))
     where d.workspace_id = $1 and ${searched("d.attempts::text")} like any($2::text[])`,
    [workspaceId, marks.patterns],
  );
}
