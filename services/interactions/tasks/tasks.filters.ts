import { oneOf, Type } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Binder } from "../../../database/binder.ts";
import type { Combinator, Condition } from "../../../engine/filters/condition.ts";
import {
  createdAtFilter,
  dateFilter,
  type RowFilters,
  rowConditions,
  rowFilterParams,
  timeFilter,
} from "../../../engine/filters/row-filters.ts";
import type { Store } from "../../../engine/store/store.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import type { PageParams } from "../../../mixins/page.ts";
import type { Narrowing } from "../../../mixins/resource-actions.ts";
import { findUser } from "../../../model/definitions/users.ts";
import { aboutRecords, type NamedRecords, nameEntities } from "./entities.ts";

/** Things that the ids in the conditions of a list stand for. */
interface Named {
  users: Map<string, Uuid>;
  records: NamedRecords;
}

const nobody: Named = { users: new Map(), records: new Map() };

/** Fields by which tasks are filtered. docs/guides/tasks.md#lists */
function taskFilters({ users, records }: Named): RowFilters {
  return {
    dueAt: dateFilter("due_at", ["eq", "not_eq", "gt", "lt"]),
    createdAt: createdAtFilter,
    assigneeUserId: {
      kind: "MULTIREF",
      operators: ["in", "not_in"],
      sql: (_, ids, bind) =>
        assignedTo(
          ids.flatMap((id) => users.get(id) ?? []),
          bind,
        ),
    },
    entity: {
      kind: "MULTIREF",
      operators: ["in", "not_in"],
      sql: (_, ids, bind) => aboutRecords(records, ids, bind),
    },
    completedAt: timeFilter("completed_at", ["empty", "not_empty", "gt", "lt"]),
  };
}

/** Parameters of the list of tasks. docs/guides/tasks.md#lists */
export const taskListParams = {
  ...rowFilterParams(taskFilters(nobody)),
  onlyAssignedToMe: Type.Optional(
    oneOf(["true", "false"], { default: "false", description: "Whether only tasks of the caller are listed" }),
  ),
};

interface Params {
  filter?: Condition[];
  combinator?: Combinator;
  onlyAssignedToMe?: "true" | "false";
}

/** The tasks that a list is asked for. */
export async function narrowTasks(
  { filter = [], combinator, onlyAssignedToMe }: Params,
  { store, ctx }: { store: Store; ctx: ActionContext<PageParams> },
): Promise<Narrowing> {
  const { workspaceId, userId } = callerOf(ctx);
  const named: Named = { users: new Map(), records: new Map() };
  const conditions = rowConditions(taskFilters(named), filter, combinator);
  const valuesOf = (field: string) => filter.flatMap((one) => (one.field === field ? one.values : []));
  await nameUsers(store, workspaceId, valuesOf("assigneeUserId"), named.users);
  await nameEntities(store.query, workspaceId, valuesOf("entity"), named.records);
  const isMine = onlyAssignedToMe === "true";
  return {
    where: (bind) => [...conditions(bind), ...(isMine ? [assignedTo([userId], bind)] : [])],
    planned: filter.length > 0 || isMine,
  };
}

function assignedTo(users: Uuid[], bind: Binder): string {
  return `t.assigned_user_ids && ${bind(users, "uuid[]")}`;
}

/** A user who was removed is no assignee any more. docs/guides/tasks.md#assignees */
async function nameUsers(store: Store, workspaceId: Uuid, ids: string[], users: Map<string, Uuid>): Promise<void> {
  if (ids.length === 0) return;
  const definitions = await store.definitionsCache.current(workspaceId);
  for (const id of ids) {
    const user = findUser(definitions, { id });
    if (user) users.set(id, user.uuid);
  }
}
