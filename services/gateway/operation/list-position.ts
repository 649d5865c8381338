import type { Caller } from "../../../base/contract/caller.ts";
import { custom, type Issue, tooBig } from "../../../base/contract/issues.ts";
import { CURSOR_LENGTH_MAX } from "../../../config/limits.ts";
import type { Condition } from "../../../engine/filters/condition.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { canonical } from "./canonical.ts";

/**
 * Values that a cursor belongs to: the list that a request asks for, in whatever order it names its parameters, their
 * values and the keys of its body. Many clients sort parameters, or shuffle them. docs/guides/lists.md#cursors
 * @param listPath of the route table
 */
export function bindingOf(
  { properties }: ParamsSchema,
  { workspaceId }: Caller,
  listPath: string,
  { limit: _, filter, ...more }: Record<string, unknown>,
): string {
  const others = Object.fromEntries(Object.entries(more).filter(([name]) => !properties[name]?.apartFromCursor));
  const conditions = ((filter ?? []) as Condition[]).map(({ field, operator, values, ids, emails }) =>
    canonical([field, operator, values.toSorted(), ids.toSorted(), emails.toSorted()]),
  );
  return canonical([workspaceId, listPath, others, conditions.sort()]);
}

/** The position after which a page begins. A cursor that does not belong to the list is an issue. */
export function openCursor(cursor: string, binding: string, seal: CursorSeal, issues: Issue[]): string | undefined {
  const position = cursor.length > CURSOR_LENGTH_MAX ? null : seal.open(cursor, binding);
  if (cursor.length > CURSOR_LENGTH_MAX) issues.push(tooBig(["cursor"], "string", CURSOR_LENGTH_MAX));
  else if (position === null)
    issues.push(
      custom(["cursor"], "This cursor was not made for this list. Use the cursor of nextLink with the same parameters"),
    );
  return position ?? undefined;
}
