import type { RecordType } from "../resources/record-type.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import type { Link, RecordRow } from "./select.ts";

/**
 * The row of a record as its plan leaves it, as `selectOf` would read it: what was written a moment ago in this very
 * transaction need not be asked for. `current` is the row before, null for a new record.
 */
export function rowAfter(
  { caller, catalog }: Writing,
  resource: RecordType,
  plan: Plan,
  current: RecordRow | null,
  linkTo: (link: PlannedLink) => Link,
): RecordRow {
  const row: RecordRow = {
    ...current,
    uuid: plan.uuid,
    createdBy: current?.createdBy ?? caller.userId,
    catalogVersion: catalog.version,
    memberships: plan.memberships ?? current?.memberships ?? null,
    ...plan.columns,
  };
  if (plan.scope.home) for (const name of Object.keys(resource.rowColumns ?? {})) row[name] = plan.scope.entity;
  for (const [name, links] of plan.links) row[name] = links.map(linkTo);
  return row;
}
