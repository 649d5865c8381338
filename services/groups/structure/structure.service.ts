import type { ServiceSchema } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { closed, idSchema, Type } from "../../../base/contract/schema.ts";
import { mapInSlices } from "../../../base/loop/in-slices.ts";
import { jsonList } from "../../../base/values/json.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import { fieldText } from "../../../engine/definitions/present-field.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import type { Definitions, Group } from "../../../model/definitions/definitions.ts";
import { roleIn, visibleGroups } from "../../../model/definitions/roles.ts";
import { presentUser } from "../../../model/definitions/users.ts";

const params = closed({
  groupId: Type.Optional(idSchema("group")),
});

/**
 * Structure of a workspace, in one answer. No route leads here: assistants ask for it. docs/guides/assistants.md#tools
 */
export default function structureService(context: ServiceContext): ServiceSchema {
  const { definitionsCache } = storeOf(context.database);
  return {
    name: "structure",
    actions: {
      get: {
        summary: "Get the structure of the workspace",
        description:
          "Its users, and the groups that the caller can see: with the caller's own role, the members, and each entity type with its custom fields and their options. With groupId only that group. In a public group users who are not among its members have the role admin.",
        params,
        returns: { data: Type.Object({}) },
        handler: async (ctx: ActionContext<{ groupId?: string }>) => {
          const caller = callerOf(ctx);
          const definitions = await definitionsCache.current(caller.workspaceId);
          const { groupId } = ctx.params;
          const groups =
            groupId === undefined ? visibleGroups(definitions, caller) : [groupOf(definitions, caller, groupId)];
          const users = [...definitions.users.values()].filter(({ removed }) => !removed).map(presentUser);
          // Thousands of fields and options take long to write down: the event loop serves others between groups.
          const texts = await mapInSlices(groups, (group) => textOf(group, definitions, caller));
          return `{"users":${JSON.stringify(users)},"groups":${jsonList(texts)}}`;
        },
      },
    },
  };
}

function textOf(group: Group, { users }: Definitions, caller: Caller): string {
  const { id, name, visibility } = group;
  const members = [...group.members].flatMap(([uuid, role]) => {
    const user = users.get(uuid);
    return user && !user.removed ? [{ id: user.id, role }] : [];
  });
  const own = JSON.stringify({ id, name, visibility, role: roleIn(group, caller.userId), members });
  return `${own.slice(0, -1)},"entityTypes":${typesOf(group)}}`;
}

/**
 * Parts that are the same for all users are written once for each version of the definitions: a group may have
 * thousands of options.
 */
const typeTexts = new WeakMap<Group, string>();

function typesOf(group: Group): string {
  const text = typeTexts.get(group) ?? jsonList(entityTypesOf(group));
  typeTexts.set(group, text);
  return text;
}

function entityTypesOf(group: Group): string[] {
  return [
    { key: "person" as const, name: "person" },
    { key: "company" as const, name: "company" },
    ...group.objectTypes.map(({ uuid, name }) => ({ key: uuid, name })),
  ].map(
    ({ key, name }) =>
      `{"name":${JSON.stringify(name)},"customFields":${jsonList((group.fields.get(key) ?? []).map(fieldText))}}`,
  );
}
