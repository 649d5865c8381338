import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { withTexts } from "../../engine/feed/long-texts.ts";
import type { StoredEntry } from "../../engine/feed/published.ts";
import { BY_ID, readerOf } from "../../engine/records/select.ts";
import { shownOfTexts } from "../../engine/records/shown-record.ts";
import { showRows } from "../../engine/records/shown-texts.ts";
import type { Sealing } from "../../engine/secrets/sealing.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { people } from "../../model/resources/people.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import { operatorViewer } from "../export/operator.ts";
import { findEntries } from "./erase-events.ts";
import { interactionsOf } from "./erase-interactions.ts";
import { findKept } from "./erase-kept-rows.ts";
import { savedAnswersWith } from "./erase-responses.ts";
import { aboutPerson } from "./found.ts";
import { marksOf, ownMarksOf } from "./identifiers.ts";
import { namedElsewhere } from "./mentions-elsewhere.ts";
import { type Subject, uuidsOfSubject } from "./subject.ts";

/** Everything that a workspace holds about one person. docs/guides/data-protection.md#exporting-a-person */
export interface Dossier {
  /** The person as the API answers it, with the values of all groups. */
  person: unknown;
  /** Ids of people who were merged into this one. */
  formerIds: string[];
  notes: unknown[];
  tasks: unknown[];
  interactions: unknown[];
  enrichments: unknown[];
  /** Companies, objects and other people that link to the person, or mention them in custom values. */
  linkedFrom: { id: string; name: string }[];
  events: unknown[];
  /** Rows of notes, tasks and interactions about the person that were deleted. */
  trash: unknown[];
  deliveries: unknown[];
  /** Answers that are kept for requests that come again. */
  savedResponses: { key: string; status: number; body: string }[];
  /** Ids of things of others whose texts hold an address, a telephone number or the full name of the person. */
  namedElsewhere: string[];
}

/** Gathers everything that a workspace holds about a person. Table rows have the names of their columns. */
export async function dossierOf(
  query: Query,
  definitions: Definitions,
  subject: Subject,
  sealing: () => Promise<Sealing>,
): Promise<Dossier> {
  const { workspaceId } = definitions;
  const uuids = uuidsOfSubject(subject);
  const about = await aboutPerson(query, workspaceId, uuids);
  const interactions = await interactionsOf(query, { workspaceId, subject });
  const kept = await findKept(query, { workspaceId, subject });
  const rows = (table: string, where: string, value: unknown) => rowsOf(query, workspaceId, table, where, value);
  const aboutThem = [...about.notes, ...about.tasks, ...kept.own];
  const withInteractions = [...aboutThem, ...interactions];
  const eventIds = (await findEntries(query, { workspaceId, subject, about: withInteractions })).map(({ id }) => id);
  const answers = await savedAnswersWith(query, sealing, { workspaceId, marks: ownMarksOf(subject) });
  const own = new Set([...uuids, ...aboutThem, ...interactions, ...eventIds]);
  return {
    person: await shown(query, definitions, subject.uuid),
    formerIds: subject.formerIds.map((uuid) => toId("person", uuid)),
    notes: await rows("notes", "t.id = any($2::uuid[])", about.notes),
    tasks: await rows("tasks", "t.id = any($2::uuid[])", about.tasks),
    interactions: await rows("interactions", "t.id = any($2::uuid[])", interactions),
    enrichments: await rows("enrichments", "t.entity_id = any($2::uuid[])", uuids),
    linkedFrom: await linkedFrom(query, workspaceId, subject),
    events: await withLongTexts(query, workspaceId, await rows("change_log", "t.id = any($2::uuid[])", eventIds)),
    trash: await keptRows(query, workspaceId, [...uuids, ...kept.own]),
    deliveries: await rows("deliveries", "t.event_id = any($2::uuid[])", eventIds),
    savedResponses: answers.map(({ key, status, body }) => ({ key, status, body })),
    namedElsewhere: await namedElsewhere(query, workspaceId, marksOf(subject), ({ id, text }) =>
      own.has(id) ? null : text,
    ),
  };
}

/** The rows that the log keeps of deleted things with these ids, with all interactions of deleted records. */
async function keptRows(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<unknown[]> {
  const rows = await query<{ text: string }>(
    "select text from log_texts t where workspace_id = $1 and id = entry_id and record_id = any($2::uuid[]) order by record_id, id",
    [workspaceId, uuids],
  );
  return rows.map(({ text }) => JSON.parse(text));
}

interface StoredRow {
  id: string;
  [column: string]: unknown;
}

async function rowsOf(
  query: Query,
  workspaceId: Uuid,
  table: string,
  where: string,
  value: unknown,
): Promise<StoredRow[]> {
  const found = await query<{ row: StoredRow & { workspace_id?: unknown; search?: unknown } }>(
    `select row_to_json(t) as row from ${table} t where t.workspace_id = $1 and ${where} order by t.id`,
    [workspaceId, value],
  );
  // The words of a note stand in its text.
  return found.map(({ row: { workspace_id: _, search: __, ...row } }) => row);
}

/** Rows of the log with the long texts that they refer to. */
async function withLongTexts(query: Query, workspaceId: Uuid, rows: StoredRow[]): Promise<StoredRow[]> {
  const entries = rows.map((row) => ({
    row,
    workspaceId,
    recordId: row.record_id as Uuid,
    body: row.body as StoredEntry["body"],
  }));
  return (await withTexts(query, entries, "all")).map(({ row, body }) => ({ ...row, body }));
}

async function shown(query: Query, definitions: Definitions, uuid: Uuid): Promise<unknown> {
  const statement = `${readerOf(people).select} and r.id = $2 ${BY_ID}`;
  const rows = await query<TextRow>(statement, [definitions.workspaceId, uuid], "texts");
  const [text] = await showRows({ query, ...operatorViewer(definitions) }, people, {
    rows,
    shownOf: shownOfTexts(people),
    names: new Map(),
  });
  return JSON.parse(text ?? "null");
}

/** The records that link to a person are found by the indexes of links and of values. */
async function linkedFrom(query: Query, workspaceId: Uuid, subject: Subject): Promise<Dossier["linkedFrom"]> {
  const found: Dossier["linkedFrom"] = [];
  for (const { kind, table, label, valuesTable, recordIdColumn, links } of ALL_RECORD_TYPES) {
    const indexes = links.flatMap(({ storage }) =>
      storage.target === "person"
        ? [`select ${storage.from} from ${storage.table} where workspace_id = $1 and ${storage.to} = any($2::uuid[])`]
        : [],
    );
    const mentions = `select ${recordIdColumn} from ${valuesTable} where workspace_id = $1 and item = any($2::uuid[])`;
    const rows = await query<{ id: Uuid; name: string }>(
      `select t.id, t.${label} as name from ${table} t where t.workspace_id = $1
         and t.id in (${[...indexes, mentions].join(" union ")}) order by t.id`,
      [workspaceId, uuidsOfSubject(subject)],
    );
    found.push(...rows.map(({ id, name }) => ({ id: toId(kind, id), name })));
  }
  return found;
}
