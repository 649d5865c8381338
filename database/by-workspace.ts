import pLimit from "p-limit";
import type { Uuid } from "../base/values/ids.ts";

/** Number of statements of one call that run at once, so that they leave connections to others. */
const AT_ONCE = 3;

/**
 * Groups things by workspace, runs the statement once for each group, and returns the rows of all groups, in no order.
 * No statement is about two workspaces, because their rows may be on different machines.
 * docs/guides/citus.md#what-crosses-no-workspace
 */
export async function byWorkspace<Thing extends { workspaceId: Uuid }, Row>(
  things: readonly Thing[],
  statement: (workspaceId: Uuid, things: Thing[]) => Promise<Row[]>,
): Promise<Row[]> {
  const groups = [...Map.groupBy(things, ({ workspaceId }) => workspaceId)];
  const [first] = groups;
  if (first && groups.length === 1) return statement(...first);
  const limit = pLimit(AT_ONCE);
  return (await Promise.all(groups.map((group) => limit(() => statement(...group))))).flat();
}
