import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { Sealing } from "../../engine/secrets/sealing.ts";
import type { LogMore } from "../../model/log.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import { currentMoment, type Moment } from "./candidates.ts";
import { deliveriesNaming } from "./erase-deliveries.ts";
import { type FoundEntry, findEntries, type LogBody, moreWithoutSubject, withoutSubject } from "./erase-events.ts";
import { interactionsOf } from "./erase-interactions.ts";
import { findKept, type KeptRows } from "./erase-kept-rows.ts";
import { type SavedAnswer, savedAnswersWith } from "./erase-responses.ts";
import { type Marks, withoutEntries } from "./identifiers.ts";
import type { ToldRow } from "./mentions-elsewhere.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/** Everything that mentions a person, by ids. */
export interface Found {
  /** Time of the search. */
  moment: Moment;
  notes: Uuid[];
  tasks: Uuid[];
  interactions: Uuid[];
  /** Entries of the log. */
  entries: FoundEntry[];
  /** Rows in the trash. */
  kept: KeptRows;
  /** Deliveries whose receivers answered with a text that names the person. */
  answered: Uuid[];
  savedAnswers: Pick<SavedAnswer, "userId" | "key">[];
}

/** The person to look for, and the search values. */
export interface Wanted {
  workspaceId: Uuid;
  subject: Subject;
  marks: Marks;
  sealing: () => Promise<Sealing>;
}

/**
 * Looks a person up in all tables, without any locks.
 * @param before what was found before: only what was written since then is searched, and all that was found is given
 */
export async function find(query: Query, wanted: Wanted, before?: Found): Promise<Found> {
  const { workspaceId, subject, marks, sealing } = wanted;
  const since = before?.moment ?? null;
  const within = { workspaceId, marks, since };
  const moment = await currentMoment(query);
  const { notes, tasks } = await aboutPerson(query, workspaceId, uuidsOfSubject(subject));
  const interactions = both(before?.interactions, await interactionsOf(query, { workspaceId, subject, since }));
  const kept = unitedKept(before?.kept, await findKept(query, { workspaceId, subject, since }));
  const about = [...notes, ...tasks, ...interactions, ...kept.own];
  const entries = await findEntries(query, { workspaceId, subject, about, since });
  const saved = await savedAnswersWith(query, sealing, within);
  return {
    moment,
    notes,
    tasks,
    interactions,
    entries: united(before?.entries, entries),
    kept,
    answered: both(before?.answered, await deliveriesNaming(query, within)),
    savedAnswers: [...(before?.savedAnswers ?? []), ...saved.map(({ userId, key }) => ({ userId, key }))],
  };
}

function both(before: readonly Uuid[] | undefined, now: readonly Uuid[]): Uuid[] {
  return [...new Set([...(before ?? []), ...now])];
}

/** An entry that was written again since is found twice. */
export function united(before: readonly FoundEntry[] | undefined, now: readonly FoundEntry[]): FoundEntry[] {
  return [...new Map([...(before ?? []), ...now].map((entry) => [entry.seq, entry])).values()];
}

function unitedKept(before: KeptRows | undefined, now: KeptRows): KeptRows {
  return { texts: [...(before?.texts ?? []), ...now.texts], own: both(before?.own, now.own) };
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

/** Deliveries that are deleted with the found rows. */
export function goingDeliveries(found: Found, subject: Subject): { events: Uuid[]; records: Uuid[] } {
  const events = found.entries.filter(({ goes }) => goes).map(({ id }) => id);
  return { events, records: [...uuidsOfSubject(subject), ...found.notes, ...found.tasks, ...found.kept.own] };
}

/** Columns of records whose entries with an id of the person are removed. */
const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map(
  ALL_RECORD_TYPES.map(({ table, links }) => [table, ["memberships", ...links.map(({ storage }) => storage.column)]]),
);

/** The row of a record without the entries of lists that name a person. */
function recordWithout(text: string, columns: readonly string[], isId: (text: unknown) => boolean): string {
  const row: Record<string, unknown> = JSON.parse(text);
  for (const column of columns) row[column] = withoutEntries(row[column], isId);
  return JSON.stringify(row);
}

/** The row of an entry of the log without a person. */
function entryWithout(text: string, subject: Subject): string {
  const row: { body: LogBody; more: LogMore | null } = JSON.parse(text);
  const more = row.more && moreWithoutSubject(row.more, subject);
  return JSON.stringify({ ...row, body: withoutSubject(row.body, subject), more });
}

/**
 * Creates the function that returns a row after the erasure: null if it is deleted, or changed wherever it names the
 * person.
 */
export function leftAfter(found: Found, subject: Subject): (row: ToldRow) => string | null {
  const isId = isIdOf(subject);
  const own = new Set<Uuid>([
    ...uuidsOfSubject(subject),
    ...found.notes,
    ...found.tasks,
    ...found.interactions,
    ...found.kept.own,
    ...found.entries.filter(({ goes }) => goes).map(({ id }) => id),
  ]);
  const kept = new Map(found.kept.texts.map(({ id, left }) => [id, left]));
  const changed = new Set<Uuid>(found.entries.map(({ id }) => id));
  return ({ table, id, text }) => {
    if (own.has(id)) return null;
    const columns = COLUMNS.get(table);
    if (columns) return recordWithout(text, columns, isId);
    // A long text of the log is reported by the id of its entry, and is not changed with it.
    if (table === "log_texts") return kept.has(id) ? (kept.get(id) ?? null) : text;
    return changed.has(id) ? entryWithout(text, subject) : text;
  };
}
