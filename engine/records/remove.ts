import type { Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { Writing } from "./draft.ts";
import { goneWith } from "./gone-with.ts";
import { deletedEvent } from "./record-events.ts";
import type { RecordRow } from "./select.ts";
import { removeTies } from "./ties.ts";
import { lockRows } from "./write.ts";

/**
 * Deletes records by their own uuids or those of records that were merged into them. Gives each uuid that was asked for → that of
 * the record that was deleted; what was not there is missing. The transaction is the caller's.
 */
export async function deleteRecords(
  writing: Writing,
  resource: RecordType,
  scope: Scope,
  asked: Uuid[],
): Promise<Map<Uuid, Uuid>> {
  const rows = await lockRows(writing, resource, scope, asked, { isDeleted: true });
  await removeRows(writing, resource, [...new Set(rows.values())]);
  return new Map([...rows].map(([uuid, row]) => [uuid, row.uuid]));
}

/**
 * Deletes records whose rows were locked for that, and tells of them and of the notes and reminders about them in events.
 * Memberships, values and links go with them, and so do the entries of custom values that name them.
 */
export async function removeRows(writing: Writing, resource: RecordType, rows: RecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  const gone = new Map(rows.map((row) => [row.uuid, row]));
  const uuids = [...gone.keys()];
  const [withThem] = await Promise.all([
    goneWith(writing, resource.kind, gone),
    removeTies(writing, resource.kind, uuids),
  ]);
  writing.events.push(...rows.map((row) => deletedEvent(resource, writing.catalog, row)), ...withThem);
  await writing.query(`delete from ${resource.table} where workspace_id = $1 and id = any($2::uuid[])`, [
    writing.caller.workspaceId,
    printUuids(uuids),
  ]);
}
