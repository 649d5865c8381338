import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { aliasesOf } from "../records/ties.ts";

/** A thing that is there, with the records that were merged into it. */
export interface Located {
  uuid: Uuid;
  aliases: readonly Uuid[];
}

/** The record of a scope that a uuid names, also as an alias; null when there is none. Two statements, or three. */
export async function locateRecord(
  query: Query,
  workspaceId: Uuid,
  resource: RecordType,
  scope: Scope,
  uuid: Uuid,
): Promise<Located | null> {
  const isThere = async (id: Uuid) => {
    const bind = createBinder();
    const sql = `select from ${resource.table} r where r.workspace_id = ${bind(workspaceId)} and r.id = ${bind(id)}${within(scope, bind)}`;
    return (await query(sql, bind.values)).length > 0;
  };
  const survivor = (await resolveAliases(query, workspaceId, resource.kind, [uuid])).get(uuid) ?? uuid;
  if (!(await isThere(survivor))) return null;
  const aliases = await aliasesOf(query, workspaceId, resource.kind, [survivor]);
  return { uuid: survivor, aliases: aliases.get(survivor) ?? [] };
}
