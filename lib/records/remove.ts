import { createBinder } from "../database/binder.ts";
import { printUuids } from "../database/uuid-list.ts";
import { resolveAliases } from "../resources/aliases.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type Scope, within } from "../resources/scope.ts";
import type { Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";
import { removeTies } from "./ties.ts";

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
  const gone = await lock(writing, resource, scope, asked);
  const survivors = await resolveAliases(
    writing.query,
    writing.caller.workspaceId,
    resource.kind,
    asked.filter((uuid) => !gone.includes(uuid)),
  );
  gone.push(
    ...(await lock(writing, resource, scope, [...new Set(survivors.values())])).filter((uuid) => !gone.includes(uuid)),
  );
  if (gone.length > 0) {
    await removeTies(writing, resource.kind, gone);
    await writing.query(`delete from ${resource.table} where workspace_id = $1 and id = any($2::uuid[])`, [
      writing.caller.workspaceId,
      printUuids(gone),
    ]);
  }
  const isGone = new Set(gone);
  return new Map(
    asked.flatMap((uuid): [Uuid, Uuid][] => {
      const target = survivors.get(uuid) ?? uuid;
      return isGone.has(target) ? [[uuid, target]] : [];
    }),
  );
}

/**
 * Locks records in the order of their ids, and gives the uuids of those that are there. The lock waits for writes that name one of
 * them; later ones wait for it, and then do not find the record.
 */
async function lock({ query, caller }: Writing, { table }: RecordType, scope: Scope, uuids: Uuid[]): Promise<Uuid[]> {
  if (uuids.length === 0) return [];
  const bind = createBinder();
  const wanted = `workspace_id = ${bind(caller.workspaceId)} and id = any(${bind(printUuids(uuids), "uuid[]")})${within(scope, bind)}`;
  const rows = await query<{ id: Uuid }>(
    `select id from ${table} r where ${wanted} order by id for update`,
    bind.values,
  );
  return rows.map(({ id }) => id);
}
