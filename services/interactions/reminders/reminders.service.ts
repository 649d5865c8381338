import type { ServiceSchema } from "moleculer";
import { idSchema, Type } from "../../../base/contract/schema.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import { type ActionContext, callerOf } from "../../../mixins/caller.ts";
import type { PageParams } from "../../../mixins/page.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import type { Narrowing } from "../../../mixins/row-page.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { reminders } from "../../../model/resources/reminders.ts";
import { aboutRecords, type NamedRecords, nameEntities } from "../tasks/entities.ts";
import { tellOfReminder } from "../tasks/task-events.ts";
import { judgeReminder } from "./reminders.judge.ts";

type ListParams = { "entity.id"?: string };

/** Tasks as the deprecated resource shows them, with rules of iCalendar. docs/guides/reminders.md */
export default function remindersService(context: ServiceContext): ServiceSchema {
  const { list, ...actions } = resourceActions(reminders, storeOf(context.database, "tasks"), {
    list: { params: { "entity.id": Type.Optional(idSchema("record")) }, narrow },
    judge: judgeReminder,
    tell: tellOfReminder,
  });
  return { name: "reminders", actions: { list: { ...list, summary: "List reminders" }, ...actions } };
}

/** The reminders that a list is asked for. docs/guides/reminders.md#lists */
async function narrow(
  { "entity.id": id }: ListParams,
  { store, ctx }: { store: Store; ctx: ActionContext<PageParams> },
): Promise<Narrowing> {
  if (id === undefined) return {};
  const named: NamedRecords = new Map();
  await nameEntities(store.query, callerOf(ctx).workspaceId, [id], named);
  return { where: (bind) => [aboutRecords(named, [id], bind)] };
}
