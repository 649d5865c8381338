import type { ByOperator, Compiling } from "./compile.ts";
import { setConditions } from "./set-conditions.ts";

/** Rows that tie records to others: links, or memberships in groups. */
interface Ties {
  table: string;
  from: string;
  to: string;
  /** The uuids that count, to which those belong that conditions name; all when absent. */
  among?: string[];
}

/**
 * Conditions on what a record is tied to. `wanted` has a null for each value of a condition that names nothing: `in` passes over
 * it, and `all`, which compares sets, is met by no record then. docs/guides/filters.md#all
 */
export function linkedCondition(
  { bind }: Compiling,
  { table, from, to, among }: Ties,
  wanted: (string | null)[],
): ByOperator {
  return setConditions({
    rows: () => `from ${table} t where t.workspace_id = r.workspace_id and t.${from} = r.id`,
    counted: () => (among ? ` and t.${to} = any(${bind(among, "uuid[]")})` : ""),
    item: `t.${to}`,
    wanted,
    bind,
  });
}
