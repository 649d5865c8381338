import type { Query } from "../database/query.ts";
import type { RecordType } from "../resources/record-type.ts";
import type { Uuid } from "../values/ids.ts";

/** PostgreSQL would plan one look-up for all keys of a batch as a walk through the whole table. */
const KEYS_PER_LOOKUP = 40;

/**
 * The records of a workspace that have any of these keys of texts (`textKey`), each with all of its keys, in the order of their
 * creation. One statement.
 */
export function rowsWithKeys(
  query: Query,
  workspaceId: Uuid,
  { searchTable }: RecordType,
  keys: string[],
): Promise<{ id: Uuid; keys: string[] }[]> {
  return query(
    `select p.id, p.text_keys as keys
     from (select array_agg(key) as keys from unnest($2::uuid[]) with ordinality u(key, n) group by n / ${KEYS_PER_LOOKUP}) k
     cross join lateral (select id, text_keys from ${searchTable} where workspace_id = $1 and text_keys && k.keys offset 0) p
     order by p.id`,
    [workspaceId, keys],
  );
}
