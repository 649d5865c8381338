import type { Binder } from "../../database/binder.ts";
import { type ByOperator, setConditions } from "./set-conditions.ts";

/** Rows that tie records to others: links, or memberships in groups. */
interface Ties {
  table: string;
  from: string;
  to: string;
  /** Only ties to these uuids count, such as the groups that the caller sees, and conditions name no others; all count when absent. */
  among?: string[];
}

/**
 * Conditions on what a record is tied to. `wanted` has a null for each value of a condition that names nothing: `in` passes over
 * it, and `all`, which compares sets, is met by no record then. docs/guides/filters.md#all
 */
export function linkedCondition(bind: Binder, { table, from, to, among }: Ties, wanted: (string | null)[]): ByOperator {
  return setConditions({
    rows: () => `from ${table} t where t.workspace_id = r.workspace_id and t.${from} = r.id`,
    counted: () => (among ? ` and t.${to} = any(${bind(among, "uuid[]")})` : ""),
    item: `t.${to}`,
    wanted,
    bind,
  });
}
