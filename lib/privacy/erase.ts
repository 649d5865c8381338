import type { Catalog } from "../catalog/catalog.ts";
import type { Query } from "../database/query.ts";
import { writeEvents } from "../events/outbox.ts";
import { operatorView } from "../exports/operator.ts";
import type { Writing } from "../records/draft.ts";
import { deleteRecords } from "../records/remove.ts";
import { people } from "../resources/people.ts";
import type { Sealing } from "../secrets/sealing.ts";
import { toId, type Uuid } from "../values/ids.ts";
import { type ErasedEvents, eraseFromEvents } from "./erase-events.ts";
import { eraseFromInteractions, interactionsOf } from "./erase-interactions.ts";
import { forgetAnswers, savedAnswersWith } from "./erase-responses.ts";
import { namedElsewhere } from "./left.ts";
import { ERASED, type Marks, mapStrings, marksOf, withoutEntries } from "./marks.ts";
import { searched } from "./searched.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/** What was erased, as the command line tells it. Counts are of things, not of rows. */
export interface Erased extends ErasedEvents {
  id: string;
  formerIds: string[];
  notes: number;
  tasks: number;
  /** Interactions with nobody else, which are gone, and those with others too, of which the person was taken out. */
  interactions: number;
  changedInteractions: number;
  /** Entries of the history of merges. */
  merges: number;
  enrichments: number;
  savedResponses: number;
  /** Ids of things of others whose texts name the person. They were not changed. */
  namedElsewhere: string[];
}

/**
 * Deletes a person, and takes what is known of them out of everything else of the workspace: events, deliveries, saved responses,
 * interactions with others, the history of merges. One event stays, which tells by the id alone that the person was deleted, so that
 * whoever keeps a copy hears of it. The transaction is the caller's. docs/guides/data-protection.md#erasing-a-person
 */
export async function erasePerson(
  query: Query,
  catalog: Catalog,
  subject: Subject,
  sealing: () => Promise<Sealing>,
): Promise<Erased> {
  const { workspaceId } = catalog;
  const uuids = uuidsOfSubject(subject);
  const marks = marksOf(subject);
  // Whoever writes the person at this moment is waited for, and everybody later finds nobody.
  await query("select from people where workspace_id = $1 and id = $2 for update", [workspaceId, subject.uuid]);
  const about = await aboutPerson(query, workspaceId, uuids);
  const withThem = await interactionsOf(query, workspaceId, subject);
  const writing: Writing = { query, ...operatorView(catalog), linked: new Map(), events: [] };
  await deleteRecords(writing, people, { entity: "person", home: null }, [subject.uuid]);
  const changedInteractions = await eraseFromInteractions(query, workspaceId, { subject, marks, ids: withThem });
  const merges = await eraseFromMerges(query, workspaceId, subject, marks);
  const enrichments = await eraseFromEnrichments(query, workspaceId, uuids);
  const events = await eraseFromEvents(query, workspaceId, {
    subject,
    marks,
    about: [...about.notes, ...about.tasks],
  });
  const answers = await savedAnswersWith(query, sealing, workspaceId, marks);
  await forgetAnswers(query, workspaceId, answers);
  const elsewhere = await namedElsewhere(query, workspaceId, marks);
  await writeEvents(query, workspaceId, [{ type: "person.deleted", recordId: subject.uuid, body: groupsOf(writing) }]);
  return {
    id: toId("person", subject.uuid),
    formerIds: subject.formerIds.map((uuid) => toId("person", uuid)),
    notes: about.notes.length,
    tasks: about.tasks.length,
    interactions: withThem.length - changedInteractions,
    changedInteractions,
    merges,
    enrichments,
    ...events,
    savedResponses: answers.length,
    namedElsewhere: elsewhere,
  };
}

/** Of the event of the deletion who may see it, without what it tells of the person. */
function groupsOf({ events }: Writing): { groups?: Uuid[] } {
  const { groups } = events.find(({ type }) => type === "person.deleted")?.body ?? {};
  return groups ? { groups } : {};
}

/** The uuids of the notes and tasks about a person, which go with them. */
export async function aboutPerson(
  query: Query,
  workspaceId: Uuid,
  uuids: Uuid[],
): Promise<{ notes: Uuid[]; tasks: Uuid[] }> {
  const idsIn = async (table: "notes" | "tasks"): Promise<Uuid[]> => {
    const rows = await query<{ id: Uuid }>(
      `select id from ${table} where workspace_id = $1 and entity_id = any($2::uuid[])`,
      [workspaceId, uuids],
    );
    return rows.map(({ id }) => id);
  };
  return { notes: await idsIn("notes"), tasks: await idsIn("tasks") };
}

/**
 * Merges of the person are forgotten. Of those of others the entries and texts are taken out that name the person, since nobody can
 * change them by hand.
 */
async function eraseFromMerges(query: Query, workspaceId: Uuid, subject: Subject, marks: Marks): Promise<number> {
  const gone = await query(
    "delete from merges where workspace_id = $1 and (survivor_id = any($2::uuid[]) or merged_id = any($2::uuid[])) returning 1",
    [workspaceId, uuidsOfSubject(subject)],
  );
  const others = await query<{ id: Uuid; before: Record<string, unknown>[] }>(
    `select id, json_build_array(survivor_before, merged_before) as before from merges
     where workspace_id = $1 and ${searched("survivor_before::text || merged_before::text")} like any($2::text[])`,
    [workspaceId, marks.patterns],
  );
  const isId = isIdOf(subject);
  for (const { id, before } of others) {
    const [survivor, merged] = before.map((row) => JSON.stringify(withoutSubject(row, isId, marks)));
    await query("update merges set survivor_before = $3, merged_before = $4 where workspace_id = $1 and id = $2", [
      workspaceId,
      id,
      survivor,
      merged,
    ]);
  }
  return gone.length;
}

/** What others are called, and where they are reached, is theirs, also when it is the same. */
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

/** What an enrichment has cost stays counted, so its row stays, about nobody. */
async function eraseFromEnrichments(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<number> {
  const rows = await query(
    `update enrichments set entity_id = $3, entity_name = $4, error_message = case when error_message is not null then $4 end
     where workspace_id = $1 and entity_id = any($2::uuid[]) returning 1`,
    [workspaceId, uuids, NOBODY, ERASED],
  );
  return rows.length;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
