import type { RecordType } from "../../model/resources/record-type.ts";
import type { WriteContext } from "../records/draft.ts";

/** A name that a record cannot have, since another one has it. */
interface TakenName {
  field: string;
  name: string;
}

/**
 * For each of these rows the name of it that another record has by now, or that an earlier one of them has; undefined
 * for a free one. One statement, and none for records whose names need not be unique.
 */
export async function takenNames(
  { query, caller }: WriteContext,
  { table, columns }: RecordType,
  rows: readonly Record<string, unknown>[],
): Promise<(TakenName | undefined)[]> {
  const field = columns.find(({ storage }) => storage.unique);
  const unique = field?.storage.unique;
  if (!field || !unique || rows.length === 0) return rows.map(() => undefined);
  const keys = rows.map((row) => unique.key(row[field.name]));
  const owners = await query<{ key: string }>(
    `select '\\x' || encode(${unique.column}, 'hex') as key from ${table} where workspace_id = $1 and ${unique.column} = any($2::bytea[])`,
    [caller.workspaceId, keys],
  );
  const taken = new Set(owners.map(({ key }) => key));
  return keys.map((key, i) => {
    const isTaken = taken.has(key);
    taken.add(key);
    return isTaken ? { field: field.name, name: String(rows[i]?.[field.name]) } : undefined;
  });
}
