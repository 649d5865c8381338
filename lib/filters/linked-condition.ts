import type { ByOperator, Compiling } from "./compile.ts";
import { setConditions } from "./set-conditions.ts";

/** Rows that tie records to others: links, or memberships in groups. */
interface Ties {
  table: string;
  from: string;
  to: string;
  /** The ones that count; all when absent. */
  among?: string[];
}

/**
 * Conditions on what a record is tied to. `wanted` may hold nulls for what names nothing: `in` ignores them, `all`
 * compares sets, so one of them matches no record.
 */
export function linkedCondition(
  { bind }: Compiling,
  { table, from, to, among }: Ties,
  wanted: (string | null)[],
): ByOperator {
  const ties = () => {
    const counts = among ? ` and t.${to} = any(${bind(among, "uuid[]")})` : "";
    return `from ${table} t where t.workspace_id = r.workspace_id and t.${from} = r.id${counts}`;
  };
  return setConditions({ rows: ties, item: `t.${to}`, wanted, bind });
}
