import { isDeepStrictEqual } from "node:util";
import { madeAt, newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { printUuids } from "../../../../database/uuid-list.ts";
import { keepWhole } from "../../../../engine/events/kept-rows.ts";
import { lockPeople, recount } from "../../../../engine/interactions/counting.ts";
import type { CALL_STATUSES } from "../../../../engine/interactions/imported.ts";
import type { WriteContext } from "../../../../engine/records/draft.ts";
import { createRowSets } from "../../../../engine/records/row-sets.ts";
import type { SqlType } from "../../../../model/fields/field.ts";
import { moreText } from "../../../../model/log.ts";
import type { ImportedRow } from "./rows.ts";

type Status = (typeof CALL_STATUSES)[number];

/** Next statuses of a call. An import may not have seen it in between, so all later ones count too. */
const NEXT: Record<Status, readonly Status[]> = {
  ongoing: ["processing", "completed", "failed", "missed"],
  processing: ["completed", "failed"],
  completed: [],
  missed: [],
  failed: [],
};

/**
 * Whether an import may put an interaction in the place of the one that it has imported before.
 * docs/guides/import-interactions.md#lines-of-json
 */
function canFollow(before: ImportedRow, after: ImportedRow): boolean {
  if (before.interaction_type !== "call" || after.interaction_type !== "call") return true;
  const [from, to] = [statusIn(before), statusIn(after)];
  return from === to || NEXT[from].includes(to);
}

function statusIn({ content }: ImportedRow): Status {
  return (JSON.parse(content) as { status: Status }).status;
}

/** Result of an interaction of an import. */
export type Outcome = { outcome: "created" | "updated" | "unchanged" } | { refused: string; path: string[] };

const COLUMNS: Record<string, SqlType> = {
  interaction_type: "text",
  date_time: "timestamptz",
  privacy_level: "text",
  title: "text",
  content: "text",
  more: "json",
  participants: "json",
  user_ids: "uuid[]",
};

const ENTITY_COLUMNS: Record<string, SqlType> = {
  interaction_id: "uuid",
  entity_id: "uuid",
  entity_kind: "text",
  position: "smallint",
  date_time: "timestamptz",
  interaction_type: "text",
  user_ids: "uuid[]",
};

const WAITING_COLUMNS: Record<string, SqlType> = {
  entity_id: "uuid",
  interaction_id: "uuid",
  date_time: "timestamptz",
  user_ids: "uuid[]",
};

/** An interaction as it is, in the form of a row that is imported. */
interface Known extends ImportedRow {
  id: Uuid;
}

/** An interaction that is to be stored, with the one in whose place it comes. */
interface Stored extends ImportedRow {
  id: Uuid;
  before?: Known;
}

/**
 * Stores imported interactions: new ones, and those that differ from what was imported under their id before. It takes
 * a number of statements that does not grow with that of the interactions. Gives what became of each, in their order.
 * The transaction is the caller's.
 */
export async function writeImported(writing: WriteContext, rows: ImportedRow[]): Promise<Outcome[]> {
  await lockAll(writing, rows);
  const known = await findKnown(
    writing,
    rows.map(({ source_id }) => source_id),
  );
  const stored: Stored[] = [];
  const outcomes = rows.map((row): Outcome => {
    const before = known.get(row.source_id);
    if (!before) stored.push({ ...row, id: newUuid() });
    else if (isSame(before, row)) return { outcome: "unchanged" };
    else if (!canFollow(before, row))
      return {
        refused: `A call that is ${statusOf(before)} does not become ${statusOf(row)}`,
        path: ["content", "status"],
      };
    else stored.push({ ...row, id: before.id, before });
    return { outcome: before ? "updated" : "created" };
  });
  await store(writing, stored);
  return outcomes;
}

/**
 * Keeps the people of these interactions from being deleted or merged at the same time. Existing interactions can lose
 * people, whose counts then change in this transaction, so they are locked against other changes too.
 */
async function lockAll({ query, caller }: WriteContext, rows: ImportedRow[]): Promise<void> {
  const { workspaceId } = caller;
  const people = [...new Set(rows.flatMap((row) => row.people))];
  const before = await query<{ id: Uuid }>(
    `select distinct e.entity_id as id from interaction_entities e join interactions i on i.workspace_id = e.workspace_id and i.id = e.interaction_id
     where i.workspace_id = $1 and i.source_id = any($2::text[])`,
    [workspaceId, rows.map(({ source_id }) => source_id)],
  );
  if (before.length > 0)
    return lockPeople(query, workspaceId, [...new Set([...people, ...before.map(({ id }) => id)])]);
  await query("select id from people where workspace_id = $1 and id = any($2::uuid[]) order by id for key share", [
    workspaceId,
    printUuids(people),
  ]);
}

async function findKnown({ query, caller }: WriteContext, sourceIds: string[]): Promise<Map<string, Known>> {
  const rows = await query<Known>(
    `select i.id, i.source_id, i.interaction_type, i.date_time, i.privacy_level, i.title, i.content, i.more, i.participants, i.user_ids,
       array(select entity_id from interaction_entities e where e.workspace_id = $1 and e.interaction_id = i.id order by position) as people
     from interactions i where i.workspace_id = $1 and i.source_id = any($2::text[]) order by i.id for update of i`,
    [caller.workspaceId, sourceIds],
  );
  return new Map(rows.map((row) => [row.source_id, row]));
}

function isSame({ id: _, ...before }: Known, row: ImportedRow): boolean {
  return isDeepStrictEqual(parsed(before), parsed(row));
}

function parsed({ content, user_ids, people, ...row }: ImportedRow): object {
  return { ...row, content: JSON.parse(content), users: user_ids.toSorted(), people: people.toSorted() };
}

function statusOf({ content }: ImportedRow): unknown {
  return (JSON.parse(content) as { status?: unknown }).status;
}

async function store(writing: WriteContext, stored: Stored[]): Promise<void> {
  const { query, caller } = writing;
  const { workspaceId, userId } = caller;
  const changed = stored.filter(({ before }) => before);
  await tellLog(writing, stored);
  await query("delete from interaction_entities where workspace_id = $1 and interaction_id = any($2::uuid[])", [
    workspaceId,
    printUuids(changed.map(({ id }) => id)),
  ]);
  const made = stored
    .filter(({ before }) => !before)
    .map((row) => ({ ...row, created_at: madeAt(row.id), created_by: userId }));
  const own: Record<string, SqlType> = { id: "uuid", created_at: "timestamptz", created_by: "uuid", source_id: "text" };
  const sets = createRowSets(writing);
  sets.insert("interactions", { ...own, ...COLUMNS }, made);
  const rows = changed.map((row) => ({ ...row }));
  sets.update("interactions", COLUMNS, rows);
  sets.insert("interaction_entities", ENTITY_COLUMNS, stored.flatMap(entitiesOf));
  sets.insert("interaction_uncounted", WAITING_COLUMNS, made.flatMap(entitiesOf));
  await sets.written();
  const recounted = [...new Set(changed.flatMap(({ people, before }) => [...people, ...(before?.people ?? [])]))];
  if (recounted.length > 0) await recount(writing, recounted);
}

/** Keeps what is replaced, and adds an entry for each, so that an undo takes the import back. */
async function tellLog({ query, caller, log }: WriteContext, stored: Stored[]): Promise<void> {
  const replaced = stored.flatMap(({ id, before }) => (before ? [id] : []));
  const rowText = replaced.length > 0 ? await keepWhole(query, caller.workspaceId, replaced) : undefined;
  for (const { id, before } of stored)
    if (before && rowText)
      log.push({ type: "interaction.updated", recordId: id, body: {}, more: moreText({ gone: { rowText } }) });
    else log.push({ type: "interaction.created", recordId: id, body: {} });
}

function entitiesOf({ id, people, date_time, interaction_type, user_ids }: Stored): Record<string, unknown>[] {
  return people.map((entity_id, position) => ({
    interaction_id: id,
    entity_id,
    entity_kind: "person",
    position,
    date_time,
    interaction_type,
    user_ids,
  }));
}
