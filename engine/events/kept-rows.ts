import { newUuid, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { periodOf } from "./periods.ts";

// Rows that a deletion takes away stand in `log_texts` as JSON, where an undo finds them. PostgreSQL copies them by
// itself, because a person may have thousands of long interactions. docs/decisions/0023-history.md#deleted-rows

/** Maximum number of interactions that one text holds. */
const INTERACTIONS_PER_TEXT = 100;

/** The period of the log at this moment. On Citus the coordinator alone knows it, so it is a value of statements. */
async function presentPeriod(query: Query): Promise<number> {
  const [row] = await query<{ period: number }>(
    `select ${periodOf("pg_sequence_last_value('change_log_seq'::regclass)")} as period`,
    [],
  );
  return row?.period ?? 0;
}

/**
 * Keeps the rows of notes or tasks that are about to be deleted. Each is a text of its own, which is found by the uuid
 * of the thing and the id that this gives. Two statements.
 */
export async function keepRows(
  query: Query,
  workspaceId: Uuid,
  table: "notes" | "tasks",
  uuids: readonly Uuid[],
): Promise<Uuid> {
  const textId = newUuid();
  await query(
    `insert into log_texts (workspace_id, record_id, id, period, entry_id, text)
     select t.workspace_id, t.id, $3, $4, $3, (to_jsonb(t) - 'words')::text from ${table} t
     where t.workspace_id = $1 and t.id = any($2::uuid[])`,
    [workspaceId, printUuids(uuids), textId, await presentPeriod(query)],
  );
  return textId;
}

/**
 * Keeps the interactions with a record, and their places among those of the record, in texts of that record. Gives the
 * ids of the texts. Three statements, and one when there is no interaction.
 */
export async function keepInteractions(query: Query, workspaceId: Uuid, recordId: Uuid): Promise<Uuid[]> {
  const [found] = await query<{ count: number }>(
    "select count(*)::int as count from interaction_entities where workspace_id = $1 and entity_id = $2",
    [workspaceId, recordId],
  );
  const textIds = Array.from({ length: Math.ceil((found?.count ?? 0) / INTERACTIONS_PER_TEXT) }, () => newUuid());
  if (textIds.length > 0)
    await query(KEEP_INTERACTIONS, [workspaceId, recordId, printUuids(textIds), await presentPeriod(query)]);
  return textIds;
}

const KEEP_INTERACTIONS = `
insert into log_texts (workspace_id, record_id, id, period, entry_id, text)
select n.workspace_id, $2, ($3::uuid[])[n.chunk], $4, ($3::uuid[])[n.chunk], json_agg(n.kept)::text
from (
  select e.workspace_id, json_build_object('tie', to_json(e), 'row', to_json(i)) as kept,
    ((row_number() over (order by e.interaction_id) - 1) / ${INTERACTIONS_PER_TEXT} + 1)::int as chunk
  from interaction_entities e join interactions i on i.workspace_id = e.workspace_id and i.id = e.interaction_id
  where e.workspace_id = $1 and e.entity_id = $2) n
group by n.workspace_id, n.chunk`;

/**
 * Keeps interactions, each with all its places in a text of its own, which is found by the uuid of the interaction and
 * the id that this gives. Two statements.
 */
export async function keepWhole(query: Query, workspaceId: Uuid, uuids: readonly Uuid[]): Promise<Uuid> {
  const textId = newUuid();
  await query(KEEP_WHOLE, [workspaceId, printUuids(uuids), textId, await presentPeriod(query)]);
  return textId;
}

const KEEP_WHOLE = `
insert into log_texts (workspace_id, record_id, id, period, entry_id, text)
select e.workspace_id, e.interaction_id, $3, $4, $3, json_agg(json_build_object('tie', to_json(e), 'row', to_json(i)))::text
from interaction_entities e join interactions i on i.workspace_id = e.workspace_id and i.id = e.interaction_id
where e.workspace_id = $1 and e.interaction_id = any($2::uuid[])
group by e.workspace_id, e.interaction_id`;

/**
 * Keeps the places of the interactions with a record that is about to be merged, and whether the survivor had each of
 * them before, in a text of that record. Gives the id of the text; undefined when there are none.
 */
export async function keepInteractionTies(
  query: Query,
  workspaceId: Uuid,
  recordId: Uuid,
  survivor: Uuid,
): Promise<Uuid | undefined> {
  const textId = newUuid();
  const kept = await query(KEEP_TIES, [workspaceId, recordId, survivor, textId, await presentPeriod(query)]);
  return kept.length > 0 ? textId : undefined;
}

const KEEP_TIES = `
insert into log_texts (workspace_id, record_id, id, period, entry_id, text)
select e.workspace_id, $2, $4, $5, $4, json_agg(json_build_object('tie', to_json(e), 'isShared', s.entity_id is not null))::text
from interaction_entities e left join interaction_entities s
  on s.workspace_id = e.workspace_id and s.interaction_id = e.interaction_id and s.entity_id = $3
where e.workspace_id = $1 and e.entity_id = $2
group by e.workspace_id returning 1`;

/** The texts of things or records with these ids, by id; those of a row by `keyOf`. One statement. */
export async function readKept(
  query: Query,
  workspaceId: Uuid,
  wanted: readonly { recordId: Uuid; textId: Uuid }[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const rows = await query<{ recordId: Uuid; id: Uuid; text: string }>(
    `select t.record_id as "recordId", t.id, t.text from unnest($2::uuid[], $3::uuid[]) w (record_id, id)
     join log_texts t on t.workspace_id = $1 and t.record_id = w.record_id and t.id = w.id`,
    [workspaceId, printUuids(wanted.map(({ recordId }) => recordId)), printUuids(wanted.map(({ textId }) => textId))],
  );
  return new Map(rows.map(({ recordId, id, text }) => [keyOf(recordId, id), text]));
}

/** The key of a text in the result of `readKept`. */
export function keyOf(recordId: Uuid, textId: Uuid): string {
  return `${recordId} ${textId}`;
}
