import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";

/** PostgreSQL would plan one look-up for all keys of a batch as a walk through the whole table. */
export const KEYS_PER_LOOKUP = 40;

/**
 * The records of a workspace that have any of these keys of texts (`textKey`), each with all of its keys, in the order
 * of their creation. One statement.
 * @param scope leaves out the records beyond it
 */
export function rowsWithKeys(
  query: Query,
  workspaceId: Uuid,
  resource: RecordType,
  keys: string[],
  scope?: Scope,
): Promise<{ id: Uuid; keys: string[] }[]> {
  const bind = createBinder();
  const [workspace, all] = [bind(workspaceId), bind(keys)];
  const inScope = scope ? within(scope, bind) : "";
  return query(
    `select p.id, p.text_keys as keys ${withKeys(resource, workspace, all, inScope)} order by p.id`,
    bind.values,
  );
}

/**
 * SQL for the ids of the records of a workspace that have any of these keys, from the places of both in the statement.
 */
export function idsWithKeys(resource: RecordType, workspace: string, keys: string): string {
  return `select p.id ${withKeys(resource, workspace, keys, "")}`;
}

function withKeys({ searchTable }: RecordType, workspace: string, keys: string, condition: string): string {
  return `from (select array_agg(key) as keys from unnest(${keys}::uuid[]) with ordinality u(key, n) group by n / ${KEYS_PER_LOOKUP}) k
    cross join lateral (select id, text_keys from ${searchTable} r
      where workspace_id = ${workspace} and text_keys && k.keys${condition} offset 0) p`;
}
