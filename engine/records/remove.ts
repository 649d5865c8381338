import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import type { Writing } from "./draft.ts";
import { goneWith } from "./gone-with.ts";
import { deletedEvent } from "./record-events.ts";
import { type RecordRow, readerOf, rowOfTexts, statementOf } from "./select.ts";
import { removeTies } from "./ties.ts";

/**
 * Deletes records by their own uuids or those of records that were merged into them, and tells of them and of the notes and
 * reminders about them in events. Memberships, values and links go with them, and so do the entries of custom values that name
 * them. Gives each uuid that was asked for → that of the record that was deleted; what was not there is missing. The transaction is
 * the caller's.
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
    asked.filter((uuid) => !gone.has(uuid)),
  );
  const further = [...new Set(survivors.values())].filter((uuid) => !gone.has(uuid));
  for (const [uuid, row] of await lock(writing, resource, scope, further)) gone.set(uuid, row);
  if (gone.size > 0) await remove(writing, resource, gone);
  return new Map(
    asked.flatMap((uuid): [Uuid, Uuid][] => {
      const target = survivors.get(uuid) ?? uuid;
      return gone.has(target) ? [[uuid, target]] : [];
    }),
  );
}

async function remove(writing: Writing, resource: RecordType, gone: Map<Uuid, RecordRow>): Promise<void> {
  const uuids = [...gone.keys()];
  const [withThem] = await Promise.all([
    goneWith(writing, resource.kind, gone),
    removeTies(writing, resource.kind, uuids),
  ]);
  writing.events.push(...[...gone.values()].map((row) => deletedEvent(resource, writing.catalog, row)), ...withThem);
  await writing.query(`delete from ${resource.table} where workspace_id = $1 and id = any($2::uuid[])`, [
    writing.caller.workspaceId,
    printUuids(uuids),
  ]);
}

/**
 * Locks records in the order of their ids, and gives the rows of those that are there. The lock waits for writes that name one of
 * them; later ones wait for it, and then do not find the record.
 */
async function lock(
  { query, caller }: Writing,
  resource: RecordType,
  scope: Scope,
  uuids: Uuid[],
): Promise<Map<Uuid, RecordRow>> {
  if (uuids.length === 0) return new Map();
  const bind = createBinder();
  bind(caller.workspaceId);
  const wanted = `and r.id = any(${bind(printUuids(uuids), "uuid[]")})${within(scope, bind)}`;
  const locking = statementOf(readerOf(resource).select, `${wanted} order by r.id for update of r`);
  const rows = await query<TextRow>(locking, bind.values, "texts");
  const read = await mapInSlices(rows, (texts) => rowOfTexts(resource, texts));
  return new Map(read.map((row) => [row.uuid, row]));
}
