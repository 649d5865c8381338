import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { forgetPeople } from "../../engine/duplicates/turn.ts";
import { appendToLog } from "../../engine/events/append.ts";
import { forgetDismissals } from "../../engine/records/dismissals.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { deleteRecords } from "../../engine/records/remove.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { people } from "../../model/resources/people.ts";
import { operatorViewer } from "../export/operator.ts";
import { countDeliveries, deleteDeliveries, eraseAnswers } from "./erase-deliveries.ts";
import { eraseEntries, findEntries, forgetTexts } from "./erase-events.ts";
import { countWithNobodyElse, eraseFromInteractions } from "./erase-interactions.ts";
import { eraseKept, findKept } from "./erase-kept-rows.ts";
import { forgetAnswers } from "./erase-responses.ts";
import { type Found, find, goingDeliveries, leftAfter, united, type Wanted } from "./found.ts";
import { ERASED } from "./identifiers.ts";
import { namedElsewhere } from "./mentions-elsewhere.ts";
import { type Subject, uuidsOfSubject } from "./subject.ts";

/** Counts of an erasure, as the command line shows them. They count things, not rows. */
export interface Erased {
  id: string;
  formerIds: string[];
  notes: number;
  tasks: number;
  /** Deleted interactions with no other person, and interactions with others too, from which the person was removed. */
  interactions: number;
  changedInteractions: number;
  enrichments: number;
  /** Events about the person, and about notes and reminders of theirs. They are gone. */
  events: number;
  /** Events about others that named the person. They stay without that. */
  changedEvents: number;
  deliveries: number;
  savedResponses: number;
  /** Ids of things of others whose texts name the person. They were not changed. */
  namedElsewhere: string[];
}

/** Everything that mentions a person, and the report of its erasure. */
export interface Plan {
  found: Found;
  erased: Erased;
}

/** Finds everything that an erasure changes, and changes nothing. It takes no locks, however long it reads. */
export async function planErasure(query: Query, wanted: Wanted): Promise<Plan> {
  const { workspaceId, subject, marks } = wanted;
  const found = await find(query, wanted);
  const [{ count: enrichments = 0 } = {}] = await query<{ count: number }>(
    "select count(*)::integer as count from enrichments where workspace_id = $1 and entity_id = any($2::uuid[])",
    [workspaceId, uuidsOfSubject(subject)],
  );
  const interactions = await countWithNobodyElse(query, workspaceId, { subject, ids: found.interactions });
  const erased = told(found, subject, {
    interactions,
    changedInteractions: found.interactions.length - interactions,
    enrichments,
    deliveries: await countDeliveries(query, workspaceId, goingDeliveries(found, subject)),
    namedElsewhere: await namedElsewhere(query, workspaceId, marks, leftAfter(found, subject)),
  });
  return { found, erased };
}

/**
 * Deletes a person, and removes all data about them from the rest of the workspace: events, deliveries, saved
 * responses, and interactions with others. One event stays. It says only by the id that the
 * person was deleted, so that receivers delete their copies. The transaction belongs to the caller, which has locked
 * the person. docs/guides/data-protection.md#erasing-a-person
 *
 * The plan is not searched again, but rows written since then are. No process makes deliveries for the workspace from
 * the last steps until the commit, so these steps are few and short. Other workspaces do not wait.
 */
export async function erasePlanned(
  query: Query,
  definitions: Definitions,
  wanted: Wanted,
  plan: Plan,
): Promise<Erased> {
  const { workspaceId, subject, marks } = wanted;
  const found = await find(query, wanted, plan.found);
  const going = goingDeliveries(found, subject);
  const writing: WriteContext = { query, ...operatorViewer(definitions), linked: new Map(), log: [] };
  if (!subject.isDeleted) await deleteRecords(writing, people, { entity: "person", homeGroup: null }, [subject.uuid]);
  const groups = subject.isDeleted ? await groupsOfDeletion(query, workspaceId, subject) : groupsOf(writing);
  const ids = found.interactions;
  const changedInteractions = await eraseFromInteractions(query, workspaceId, { subject, marks, ids });
  const enrichments = await eraseFromEnrichments(query, workspaceId, uuidsOfSubject(subject));
  await forgetDismissals(query, workspaceId, uuidsOfSubject(subject));
  await forgetPeople(query, workspaceId, uuidsOfSubject(subject));
  await forgetAnswers(query, workspaceId, found.savedAnswers);
  await eraseEntries(query, { workspaceId, subject, found: found.entries });
  await eraseKept(query, workspaceId, found.kept.texts);
  await forgetTexts(query, workspaceId, [
    ...uuidsOfSubject(subject),
    ...found.notes,
    ...found.tasks,
    ...found.kept.own,
  ]);
  await eraseAnswers(query, workspaceId, { marks, ids: found.answered });
  const deliveries = await deleteDeliveries(query, workspaceId, going);
  const late = await eraseLateEntries(query, wanted, found);
  await appendToLog(query, { workspaceId, source: "commandLine" }, [
    { type: "person.deleted", recordId: subject.uuid, body: groups },
  ]);
  return told({ ...found, ...late }, subject, {
    interactions: ids.length - changedInteractions,
    changedInteractions,
    enrichments,
    deliveries: deliveries + late.deliveries,
    namedElsewhere: plan.erased.namedElsewhere,
  });
}

/** Time limits of a statement, and of the silence between two, while no deliveries are made for the workspace. */
const LATE_STATEMENT_MS = 5_000;
const LATE_SILENT_MS = 10_000;

/**
 * Entries that were written since the others were found, and deliveries that were made since. No process makes any for
 * the workspace from here on.
 */
async function eraseLateEntries(
  query: Query,
  { workspaceId, subject }: Wanted,
  found: Found,
): Promise<Pick<Found, "entries"> & { deliveries: number }> {
  await query(`set local statement_timeout = ${LATE_STATEMENT_MS}`, []);
  await query(`set local idle_in_transaction_session_timeout = ${LATE_SILENT_MS}`, []);
  await query("select from webhook_progress where workspace_id = $1 for update", [workspaceId]);
  const kept = await findKept(query, { workspaceId, subject, since: found.moment });
  await eraseKept(query, workspaceId, kept.texts);
  const about = [...found.notes, ...found.tasks, ...found.interactions, ...found.kept.own, ...kept.own];
  const entries = await findEntries(query, { workspaceId, subject, about, since: found.moment });
  await eraseEntries(query, { workspaceId, subject, found: entries });
  const all = { ...found, entries: united(found.entries, entries) };
  return {
    entries: all.entries,
    deliveries: await deleteDeliveries(query, workspaceId, goingDeliveries(all, subject)),
  };
}

type ToldElsewhere = "id" | "formerIds" | "notes" | "tasks" | "events" | "changedEvents" | "savedResponses";

function told(found: Found, subject: Subject, counts: Omit<Erased, ToldElsewhere>): Erased {
  const gone = found.entries.filter(({ goes }) => goes).length;
  return {
    id: toId("person", subject.uuid),
    formerIds: subject.formerIds.map((uuid) => toId("person", uuid)),
    notes: found.notes.length,
    tasks: found.tasks.length,
    events: gone,
    changedEvents: found.entries.length - gone,
    savedResponses: found.savedAnswers.length,
    ...counts,
  };
}

/** Groups whose users may see the event of the deletion, without its details about the person. */
function groupsOf({ log }: WriteContext): { groups?: Uuid[] } {
  const { groups } = log.find(({ type }) => type === "person.deleted")?.body ?? {};
  return groups ? { groups } : {};
}

/** The same for a person who was deleted before. */
async function groupsOfDeletion(query: Query, workspaceId: Uuid, { uuid }: Subject): Promise<{ groups?: Uuid[] }> {
  const [entry] = await query<{ groups: Uuid[] | null }>(
    `select body -> 'groups' as groups from change_log where workspace_id = $1 and record_id = $2 and type = 'person.deleted'
     order by seq desc limit 1`,
    [workspaceId, uuid],
  );
  return entry?.groups ? { groups: entry.groups } : {};
}

/** The cost of an enrichment stays counted, so its row stays, about no person. */
async function eraseFromEnrichments(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<number> {
  const rows = await query(
    `update enrichments set entity_id = $3, entity_name = $4, error_message = case when error_message is not null then $4 end
     where workspace_id = $1 and entity_id = any($2::uuid[]) returning 1`,
    [workspaceId, uuids, NOBODY, ERASED],
  );
  return rows.length;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
