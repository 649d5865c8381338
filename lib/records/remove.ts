import { createBinder } from "../database/binder.ts";
import { resolveAliases } from "../resources/aliases.ts";
import { RECORD_KINDS, type RecordType } from "../resources/record-type.ts";
import { type Scope, within } from "../resources/scope.ts";
import { type RecordKind, toId, type Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";

/**
 * Deletes records by their own uuids or those of records that were merged into them. Memberships, values and links go with
 * them, and so do the entries of custom values that name them. Gives each uuid that was asked for → that of the record that was
 * deleted; what was not there is missing. The transaction is the caller's.
 */
export async function deleteRecords(
  writing: Writing,
  resource: RecordType,
  scope: Scope,
  asked: Uuid[],
): Promise<Map<Uuid, Uuid>> {
  const { query, caller } = writing;
  const survivors = await resolveAliases(query, caller.workspaceId, resource.kind, asked);
  const uuids = [...new Set(asked.map((uuid) => survivors.get(uuid) ?? uuid))];
  const bind = createBinder();
  const workspace = bind(caller.workspaceId);
  const wanted = `workspace_id = ${workspace} and id = any(${bind(uuids, "uuid[]")})${within(scope, bind)}`;
  const deleted = await query<{ id: Uuid }>(
    `delete from ${resource.table} where workspace_id = ${workspace} and id in
       (select id from ${resource.table} r where ${wanted} order by id for update)
     returning id`,
    bind.values,
  );
  const gone = deleted.map(({ id }) => id);
  // This comes after the delete. The delete has waited for writes that name one of the records, and later ones do not find it.
  if (gone.length > 0) for (const kind of RECORD_KINDS) await removeMentions(writing, kind, resource.kind, gone);
  const isGone = new Set(gone);
  return new Map(
    asked.flatMap((uuid): [Uuid, Uuid][] => {
      const target = survivors.get(uuid) ?? uuid;
      return isGone.has(target) ? [[uuid, target]] : [];
    }),
  );
}

/** Takes deleted records out of the custom values of one kind of record. The rows for filters tell where they are named. */
async function removeMentions(
  { query, caller }: Writing,
  kind: RecordKind,
  deletedKind: RecordKind,
  uuids: Uuid[],
): Promise<void> {
  const ids = uuids.map((uuid) => toId(deletedKind, uuid));
  await query(
    `with outdated as (
       delete from ${kind}_values where workspace_id = $1 and item = any($2::uuid[]) returning ${kind}_id as record_id, group_id
     )
     update ${kind}_groups m set "values" = (
       select coalesce(jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then value - $3::text[] else value end), '{}')
       from jsonb_each(m."values")
       where case jsonb_typeof(value) when 'array' then value - $3::text[] <> '[]' else true end
     )
     where m.workspace_id = $1 and (m.${kind}_id, m.group_id) in (select record_id, group_id from outdated)`,
    [caller.workspaceId, uuids, ids],
  );
}
