import { custom, type Issue } from "../../../base/contract/issues.ts";
import { type Parameter, withoutListBracket } from "../../../base/contract/query-string.ts";
import type { Condition } from "../../../engine/filters/condition.ts";

const BY = ["id", "email"];

/**
 * The conditions of a query: `filter[<field>][<operator>]`, repeated for several values, `[id]` or `[email]` behind the
 * operator for references, and a bracket of a list at the very end. Everything before the operator is the name of the
 * field, whatever characters it has. Whether field and operator exist is judged by the service.
 * docs/guides/filters.md#writing-a-filter
 */
export function readFilter(query: Parameter[], issues: Issue[]): Condition[] {
  const conditions = new Map<string, Condition>();
  for (const { name, value } of query) {
    if (name !== "filter" && !name.startsWith("filter[")) continue;
    const parts = partsOf(withoutListBracket(name));
    if (!parts) {
      issues.push(custom(["filter"], `"${name.slice(0, 200)}" is not of the form filter[<field>][<operator>]`));
      continue;
    }
    const { field, operator, by } = parts;
    const key = JSON.stringify([field, operator]);
    const condition = conditions.get(key) ?? { field, operator, values: [], ids: [], emails: [] };
    conditions.set(key, condition);
    if (by === "id") condition.ids.push(value);
    else if (by === "email") condition.emails.push(value);
    else condition.values.push(value);
  }
  return [...conditions.values()];
}

interface Parts {
  field: string;
  operator: string;
  by: string | undefined;
}

function partsOf(name: string): Parts | undefined {
  if (!name.endsWith("]")) return undefined;
  const inner = name.slice("filter[".length, -1);
  const last = cutLast(inner);
  if (!last) return undefined;
  // No operator is called so: before it stands the operator, or what was taken for one.
  const before = BY.includes(last.behind) ? cutLast(last.before) : undefined;
  return before
    ? { field: before.before, operator: before.behind, by: last.behind }
    : { field: last.before, operator: last.behind, by: undefined };
}

/** `a][b` → a and b, at the last pair of brackets. */
function cutLast(text: string): { before: string; behind: string } | undefined {
  const at = text.lastIndexOf("][");
  return at < 0 ? undefined : { before: text.slice(0, at), behind: text.slice(at + 2) };
}
