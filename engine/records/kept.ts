import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Gone, Moved } from "../../model/log.ts";
import { keepInteractions, keepInteractionTies } from "../events/kept-rows.ts";
import type { WriteContext } from "./draft.ts";
import { ABOUT_COLUMNS, lockInteractions } from "./gone-with.ts";
import { incomingColumns } from "./incoming-links.ts";
import type { NamingColumn } from "./tables-with.ts";
import { aliasesOf, tiesTo } from "./ties.ts";

// The log keeps of a record that is deleted or merged what stands beside its row, so that it can come back.
// docs/decisions/0023-history.md

/** The columns in which anything names records of a kind. */
export function namingColumns(kind: RecordKind): NamingColumn[] {
  return [...incomingColumns(kind), ...ABOUT_COLUMNS, [`${kind}_aliases`, `${kind}_id`]];
}

/**
 * The things beside the rows of locked records that are about to be deleted, by record. One statement for each list
 * that names some of them.
 * @param tables the tables of `namingColumns` that name one of them
 */
export async function keepDeleted(
  writing: WriteContext,
  kind: RecordKind,
  uuids: Uuid[],
  tables: ReadonlySet<string>,
): Promise<Map<Uuid, Gone>> {
  const { query, caller } = writing;
  const hasInteractions = tables.has("interaction_entities");
  if (hasInteractions) await lockInteractions(query, caller.workspaceId, uuids);
  const [beside, texts] = await Promise.all([
    tiesAndAliases(writing, kind, uuids, tables),
    hasInteractions ? Promise.all(uuids.map((uuid) => keepInteractions(query, caller.workspaceId, uuid))) : [],
  ]);
  return new Map(
    uuids.map((uuid, i) => {
      const interactionTexts = texts[i] ?? [];
      return [uuid, { ...beside.get(uuid), ...(interactionTexts.length > 0 && { interactionTexts }) }];
    }),
  );
}

/**
 * The same of locked records that are about to be merged into a survivor, with what moves to it.
 * @param tables as for `keepDeleted`
 */
export async function keepMerged(
  writing: WriteContext,
  kind: RecordKind,
  { survivor, merged }: { survivor: Uuid; merged: Uuid[] },
  tables: ReadonlySet<string>,
): Promise<Map<Uuid, Gone>> {
  const { query, caller } = writing;
  const [beside, moved, texts] = await Promise.all([
    tiesAndAliases(writing, kind, merged, tables, survivor),
    movedFrom(query, caller.workspaceId, merged, tables),
    tables.has("interaction_entities")
      ? Promise.all(merged.map((uuid) => keepInteractionTies(query, caller.workspaceId, uuid, survivor)))
      : [],
  ]);
  return new Map(
    merged.map((uuid, i) => {
      const interactionText = texts[i];
      const of: Moved = { ...moved.get(uuid), ...(interactionText && { interactionText }) };
      return [uuid, { ...beside.get(uuid), ...(Object.keys(of).length > 0 && { moved: of }) }];
    }),
  );
}

async function tiesAndAliases(
  { query, caller: { workspaceId } }: WriteContext,
  kind: RecordKind,
  uuids: Uuid[],
  tables: ReadonlySet<string>,
  survivor?: Uuid,
): Promise<Map<Uuid, Gone>> {
  const [ties, aliases] = await Promise.all([
    tiesTo(query, workspaceId, kind, uuids, tables, survivor),
    tables.has(`${kind}_aliases`) ? aliasesOf(query, workspaceId, kind, uuids) : new Map<Uuid, Uuid[]>(),
  ]);
  return new Map(
    uuids.map((uuid) => {
      const [tiesOfOne, aliasesOfOne] = [ties.get(uuid), aliases.get(uuid)];
      return [uuid, { ...(tiesOfOne && { ties: tiesOfOne }), ...(aliasesOfOne && { aliases: aliasesOfOne }) }];
    }),
  );
}

const MOVED = ["notes", "tasks", "enrichments"] as const;

/** The rows about these records that a merge moves, by record. One statement, and none without any. */
async function movedFrom(
  query: Query,
  workspaceId: Uuid,
  uuids: Uuid[],
  tables: ReadonlySet<string>,
): Promise<Map<Uuid, Moved>> {
  const moved = new Map<Uuid, Moved>();
  const parts = MOVED.filter((table) => tables.has(table)).map(
    (table) =>
      `select '${table}' as "table", id, entity_id as "entityId" from ${table} where workspace_id = $1 and entity_id = any($2::uuid[])`,
  );
  if (parts.length === 0) return moved;
  const rows = await query<{ table: (typeof MOVED)[number]; id: Uuid; entityId: Uuid }>(parts.join(" union all "), [
    workspaceId,
    printUuids(uuids),
  ]);
  for (const { table, id, entityId } of rows) {
    const ofOne = moved.get(entityId) ?? {};
    ofOne[table] = [...(ofOne[table] ?? []), id];
    moved.set(entityId, ofOne);
  }
  return moved;
}
