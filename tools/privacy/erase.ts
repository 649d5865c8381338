import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { writeEvents } from "../../engine/events/outbox.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { deleteRecords } from "../../engine/records/remove.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { people } from "../../model/resources/people.ts";
import { operatorViewer } from "../export/operator.ts";
import { countDeliveries, deleteDeliveries, eraseAnswers } from "./erase-deliveries.ts";
import { eraseFoundEvents, findEvents } from "./erase-events.ts";
import { countWithNobodyElse, eraseFromInteractions } from "./erase-interactions.ts";
import { countMerges, eraseFromMerges } from "./erase-merges.ts";
import { forgetAnswers } from "./erase-responses.ts";
import { type Found, find, goingDeliveries, leftAfter, type Wanted } from "./found.ts";
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
  /** Entries of the history of merges. */
  merges: number;
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
    merges: await countMerges(query, workspaceId, subject),
    enrichments,
    deliveries: await countDeliveries(query, workspaceId, goingDeliveries(found, subject)),
    namedElsewhere: await namedElsewhere(query, workspaceId, marks, leftAfter(found, subject)),
  });
  return { found, erased };
}

/**
 * Deletes a person, and removes all data about them from the rest of the workspace: events, deliveries, saved
 * responses, interactions with others, and the history of merges. One event stays. It says only by the id that the
 * person was deleted, so that receivers delete their copies. The transaction belongs to the caller, which has locked
 * the person. docs/guides/data-protection.md#erasing-a-person
 *
 * The plan is not searched again, but rows written since then are. No process passes events on from the last steps
 * until the commit, so these steps are few and short.
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
  const writing: WriteContext = { query, ...operatorViewer(definitions), linked: new Map(), events: [] };
  await deleteRecords(writing, people, { entity: "person", homeGroup: null }, [subject.uuid]);
  const ids = found.interactions;
  const changedInteractions = await eraseFromInteractions(query, workspaceId, { subject, marks, ids });
  const merges = await eraseFromMerges(query, workspaceId, { subject, marks, ids: found.merges });
  const enrichments = await eraseFromEnrichments(query, workspaceId, uuidsOfSubject(subject));
  await forgetAnswers(query, workspaceId, found.savedAnswers);
  await eraseFoundEvents(query, "events", { workspaceId, subject, found: found.events });
  await eraseAnswers(query, workspaceId, { marks, ids: found.answered });
  const deliveries = await deleteDeliveries(query, workspaceId, going);
  const late = await eraseLateEvents(query, wanted, found);
  await writeEvents(query, workspaceId, [{ type: "person.deleted", recordId: subject.uuid, body: groupsOf(writing) }]);
  return told({ ...found, ...late }, subject, {
    interactions: ids.length - changedInteractions,
    changedInteractions,
    merges,
    enrichments,
    deliveries: deliveries + late.deliveries,
    namedElsewhere: plan.erased.namedElsewhere,
  });
}

/** Time limits of a statement, and of the silence between two, while no events are passed on. */
const LATE_STATEMENT_MS = 5_000;
const LATE_SILENT_MS = 10_000;

/**
 * Events in the outbox, and those that were passed on since the others were found. No process passes any on from here
 * on.
 */
async function eraseLateEvents(
  query: Query,
  { workspaceId, subject }: Wanted,
  found: Found,
): Promise<Pick<Found, "outbox" | "events"> & { deliveries: number }> {
  await query(`set local statement_timeout = ${LATE_STATEMENT_MS}`, []);
  await query(`set local idle_in_transaction_session_timeout = ${LATE_SILENT_MS}`, []);
  await query("select from event_log for update", []);
  const about = [...found.notes, ...found.tasks];
  const since = found.moment;
  const outbox = [...found.outbox, ...(await findEvents(query, "outbox", { workspaceId, subject, about, since }))];
  const events = await findEvents(query, "events", { workspaceId, subject, about, behind: found.position });
  await eraseFoundEvents(query, "outbox", { workspaceId, subject, found: outbox });
  await eraseFoundEvents(query, "events", { workspaceId, subject, found: events });
  const gone = events.filter(({ goes }) => goes).map(({ id }) => id);
  const deliveries =
    gone.length === 0 ? 0 : await deleteDeliveries(query, workspaceId, { events: gone, records: [subject.uuid] });
  return { outbox, events: [...found.events, ...events], deliveries };
}

type ToldElsewhere = "id" | "formerIds" | "notes" | "tasks" | "events" | "changedEvents" | "savedResponses";

function told(found: Found, subject: Subject, counts: Omit<Erased, ToldElsewhere>): Erased {
  // One that is passed on meanwhile is found in both tables.
  const events = [...new Map([...found.outbox, ...found.events].map((event) => [event.id, event])).values()];
  const gone = events.filter(({ goes }) => goes).length;
  return {
    id: toId("person", subject.uuid),
    formerIds: subject.formerIds.map((uuid) => toId("person", uuid)),
    notes: found.notes.length,
    tasks: found.tasks.length,
    events: gone,
    changedEvents: events.length - gone,
    savedResponses: found.savedAnswers.length,
    ...counts,
  };
}

/** Groups whose users may see the event of the deletion, without its details about the person. */
function groupsOf({ events }: WriteContext): { groups?: Uuid[] } {
  const { groups } = events.find(({ type }) => type === "person.deleted")?.body ?? {};
  return groups ? { groups } : {};
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
