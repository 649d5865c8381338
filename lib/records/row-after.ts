import type { RecordType } from "../resources/record-type.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import type { Link, RecordRow } from "./select.ts";

/**
 * The row of a record after its plan was written, as `selectOf` would read it: what this very transaction has written need not
 * be read again. docs/decisions/0008-batches.md
 * @param current the row before, null for a new record
 * @param linkTo what `applyPlans` gave
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
  for (const [name, links] of plan.links) row[name] = links.map((link) => onlyLink(linkTo(link)));
  return row;
}

/** A link without what else was read of the record when it was found. */
function onlyLink({ uuid, label }: Link): Link {
  return { uuid, label };
}
