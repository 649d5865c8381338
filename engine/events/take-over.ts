import type { Uuid } from "../../base/values/ids.ts";
import { type Database, run } from "../../database/database.ts";
import { lockKeyOf, TAKE_PLACE } from "./append.ts";

// While a new release is rolled out, processes of the release before write events into `outbox`. This file goes when a
// later release drops that table.

const WAITING = '/* background */ select workspace_id as "workspaceId" from outbox order by seq limit 1';

const TAKE_OVER = `/* background */
with taken as (
  delete from outbox where seq = any(array(
    select seq from outbox where workspace_id = $1 order by seq limit 500 for update skip locked))
  returning *
)
insert into change_log (workspace_id, id, type, record_id, source, body)
select o.workspace_id, o.id, o.type, o.record_id, 'api', o.body
from ${TAKE_PLACE} l, (select * from taken order by seq) o order by o.seq
returning 1`;

/**
 * Puts events of the outbox into the log of their workspace, and gives that workspace; null when there are none. Events
 * of a workspace that is gone are deleted with it.
 */
export async function takeOver(database: Pick<Database, "read" | "transaction">): Promise<Uuid | null> {
  const [first] = await database.read<{ workspaceId: Uuid }>(WAITING, []);
  if (!first) return null;
  const { workspaceId } = first;
  const taken = await database.transaction((trx) => run(trx, TAKE_OVER, [workspaceId, lockKeyOf(workspaceId)]));
  return taken.length > 0 ? workspaceId : null;
}
