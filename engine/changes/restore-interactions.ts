import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { readKept } from "../events/kept-rows.ts";
import { recount } from "../interactions/counting.ts";
import type { WriteContext } from "../records/draft.ts";
import { deleteInteraction } from "../things/logged-interactions.ts";
import type { Deletion } from "./log-reads.ts";

/** An interaction as the log has kept it: its row, and one of its places among the interactions of a record. */
interface KeptInteraction {
  row: Record<string, unknown>;
  tie: Record<string, unknown> & { entity_id: Uuid; entity_kind: RecordKind };
}

/**
 * Brings back the interactions that went with records which are there again, and counts those of people anew. One that
 * was imported again meanwhile is with the record under its new id. The transaction is the caller's.
 */
export async function restoreInteractions(
  writing: WriteContext,
  kind: RecordKind,
  deletions: readonly Deletion[],
): Promise<void> {
  const wanted = deletions.flatMap(({ recordId, more }) =>
    (more.gone.interactionTexts ?? []).map((textId) => ({ recordId, textId })),
  );
  if (wanted.length === 0) return;
  const { query, caller } = writing;
  for (const one of wanted) {
    const [text = "[]"] = (await readKept(query, caller.workspaceId, [one])).values();
    await insertKept(query, caller.workspaceId, JSON.parse(text) as KeptInteraction[]);
  }
  const records = [...new Set(wanted.map(({ recordId }) => recordId))];
  if (kind === "person") await recount(writing, records);
}

/**
 * Brings back an interaction that was deleted or replaced by itself, with those of its records that are there. False
 * when none of them is, or nothing was kept. The transaction is the caller's.
 * @param isReplaced whether another version is in its place, which goes
 */
export async function restoreInteraction(
  writing: WriteContext,
  recordId: Uuid,
  textId: Uuid,
  isReplaced: boolean,
): Promise<boolean> {
  const { query, caller } = writing;
  const [text = "[]"] = (await readKept(query, caller.workspaceId, [{ recordId, textId }])).values();
  const kept = await withRecords(query, caller.workspaceId, JSON.parse(text) as KeptInteraction[]);
  if (isReplaced && kept.length > 0) await deleteInteraction({ ...writing, log: [] }, recordId);
  const people = kept.flatMap(({ tie }) => (tie.entity_kind === "person" ? [tie.entity_id] : []));
  const back = await insertKept(query, caller.workspaceId, kept);
  if (back > 0 && people.length > 0) await recount(writing, people);
  return back > 0;
}

/** The places of an interaction whose records are there. */
async function withRecords(
  query: Query,
  workspaceId: Uuid,
  kept: readonly KeptInteraction[],
): Promise<KeptInteraction[]> {
  const ids = printUuids(kept.map(({ tie }) => tie.entity_id));
  const found = await query<{ id: Uuid }>(
    `select id from people where workspace_id = $1 and id = any($2::uuid[])
     union all select id from companies where workspace_id = $1 and id = any($2::uuid[])`,
    [workspaceId, ids],
  );
  const there = new Set(found.map(({ id }) => id));
  return kept.filter(({ tie }) => there.has(tie.entity_id));
}

/** Inserts what is not there. Gives the number of places that were inserted. Two statements. */
async function insertKept(query: Query, workspaceId: Uuid, kept: readonly KeptInteraction[]): Promise<number> {
  const [first] = kept;
  if (!first) return 0;
  const names = (row: object) =>
    Object.keys(row)
      .map((name) => `"${name}"`)
      .join(", ");
  const [rows, ties] = [names(first.row), names(first.tie)];
  await query(
    `insert into interactions (${rows}) select ${rows} from json_populate_recordset(null::interactions, $2::json)
     where workspace_id = $1 on conflict do nothing`,
    [workspaceId, JSON.stringify(kept.map(({ row }) => row))],
  );
  const inserted = await query(
    `insert into interaction_entities (${ties})
     select ${ties} from json_populate_recordset(null::interaction_entities, $2::json) t
     where t.workspace_id = $1 and exists (select from interactions i where i.workspace_id = $1 and i.id = t.interaction_id)
     on conflict do nothing returning 1`,
    [workspaceId, JSON.stringify(kept.map(({ tie }) => tie))],
  );
  return inserted.length;
}
