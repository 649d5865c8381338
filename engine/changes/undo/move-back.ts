import type { RecordKind, Uuid } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import { readKept } from "../../events/kept-rows.ts";
import { recount } from "../../interactions/counting.ts";
import type { WriteContext } from "../../records/draft.ts";
import type { Deletion } from "../log-reads.ts";

const TABLES = ["notes", "tasks", "enrichments"] as const;

/** A place of an interaction among those of a merged record, and whether the survivor had it too. */
interface KeptTie {
  tie: Record<string, unknown>;
  isShared: boolean;
}

/**
 * Moves notes, tasks, enrichments and interactions that a merge has moved to the survivor back to the merged records,
 * as far as they are about the survivor still, and counts the interactions of people anew.
 */
export async function moveBack(
  writing: WriteContext,
  kind: RecordKind,
  survivor: Uuid,
  merges: readonly Deletion[],
): Promise<void> {
  const { query, caller } = writing;
  const counted: Uuid[] = [];
  for (const { recordId, more } of merges) {
    const { moved = {} } = more.gone;
    for (const table of TABLES) {
      const ids = moved[table] ?? [];
      if (ids.length > 0)
        await query(
          `update ${table} set entity_id = $3 where workspace_id = $1 and id = any($4::uuid[]) and entity_id = $2`,
          [caller.workspaceId, survivor, recordId, printUuids(ids)],
        );
    }
    if (moved.interactionText && (await moveInteractionsBack(writing, survivor, recordId, moved.interactionText)))
      counted.push(recordId);
  }
  if (kind === "person" && counted.length > 0) await recount(writing, [survivor, ...counted]);
}

async function moveInteractionsBack(
  { query, caller: { workspaceId } }: WriteContext,
  survivor: Uuid,
  recordId: Uuid,
  textId: Uuid,
): Promise<boolean> {
  const [text = "[]"] = (await readKept(query, workspaceId, [{ recordId, textId }])).values();
  const kept = JSON.parse(text) as KeptTie[];
  const [first] = kept;
  if (!first) return false;
  const names = Object.keys(first.tie)
    .map((name) => `"${name}"`)
    .join(", ");
  await query(
    `insert into interaction_entities (${names})
     select ${names} from json_populate_recordset(null::interaction_entities, $2::json) t
     where t.workspace_id = $1 and exists (
       select from interaction_entities s where s.workspace_id = $1 and s.interaction_id = t.interaction_id and s.entity_id = $3)
     on conflict do nothing`,
    [workspaceId, JSON.stringify(kept.map(({ tie }) => tie)), survivor],
  );
  const own = kept.flatMap(({ tie, isShared }) => (isShared ? [] : [String(tie.interaction_id) as Uuid]));
  await query(
    "delete from interaction_entities where workspace_id = $1 and entity_id = $2 and interaction_id = any($3::uuid[])",
    [workspaceId, survivor, printUuids(own)],
  );
  return true;
}
