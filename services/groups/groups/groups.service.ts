import type { ServiceSchema } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { closed, DRY_RUN, idSchema, oneOf, type Static, Type, trimmedName } from "../../../base/contract/schema.ts";
import { GROUP_NAME_LENGTH_MAX } from "../../../config/limits.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import { insertGroup, updateGroup } from "../../../engine/definitions/groups.queries.ts";
import { setRoles } from "../../../engine/definitions/members.queries.ts";
import { type Change, storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageOf, pageParams } from "../../../mixins/page.ts";
import { needRoom, withMember } from "../../../model/definitions/bounds.ts";
import type { Group } from "../../../model/definitions/definitions.ts";
import { needRole, visibleGroups } from "../../../model/definitions/roles.ts";

const visibility = oneOf(["public", "private"]);
const name = trimmedName(GROUP_NAME_LENGTH_MAX, { example: "Sales" });
const groupSchema = closed({ id: idSchema("group"), name: Type.String(), visibility }, { title: "Group" });
const createBody = closed({ name, visibility }, { title: "GroupCreate" });
const updateBody = closed(
  { name: Type.Optional(name), visibility: Type.Optional(visibility) },
  { title: "GroupUpdate" },
);

/** The groups of a workspace. docs/guides/access.md#groups */
export default function groupsService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  return {
    name: "groups",
    actions: {
      list: {
        summary: "List groups",
        description: "The groups that the caller can see, in order of creation.",
        params: closed({
          ...pageParams,
          visibility: Type.Optional({ ...visibility, description: "Only such groups" }),
        }),
        returns: { list: groupSchema },
        handler: async (ctx: ActionContext<PageParams & { visibility?: string }>) => {
          const caller = callerOf(ctx);
          const groups = visibleGroups(await store.definitionsCache.current(caller.workspaceId), caller);
          const wanted = ctx.params.visibility;
          return pageOf(
            wanted === undefined ? groups : groups.filter((group) => group.visibility === wanted),
            ctx.params,
            (group) => JSON.stringify(present(group)),
          );
        },
      },
      create: {
        summary: "Create a group",
        description: "The caller becomes its admin by a membership of their own.",
        params: closed({ ...DRY_RUN, body: createBody }),
        returns: { data: groupSchema },
        handler: (ctx: ActionContext<{ body: Static<typeof createBody> }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, (change) => createGroup(change, caller, ctx.params.body));
        },
      },
      update: {
        summary: "Update a group",
        description: "Making a public group private gives the caller an admin membership.",
        params: closed({ groupId: idSchema("group"), ...DRY_RUN, body: updateBody }),
        returns: { data: groupSchema },
        handler: (ctx: ActionContext<{ groupId: string; body: Static<typeof updateBody> }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, (change) =>
            changeGroup(change, caller, ctx.params.groupId, ctx.params.body),
          );
        },
      },
    },
  };
}

async function createGroup(
  { write, definitions, log }: Change,
  caller: Caller,
  body: Static<typeof createBody>,
): Promise<string> {
  const group = await insertGroup(write, definitions.workspaceId, {
    name: body.name.trim(),
    visibility: body.visibility,
  });
  const nothing = { objectTypes: [], fields: new Map(), fieldsByUuid: new Map() };
  const empty: Group = { ...group, ...nothing, members: new Map() };
  needRoom(definitions, withMember(definitions, empty, caller.userId, "admin"), []);
  await setRoles(write, definitions.workspaceId, group.uuid, [{ uuid: caller.userId, role: "admin" }]);
  log.push({ type: "group.changed", recordId: group.uuid, body: {} });
  return JSON.stringify(present(group));
}

async function changeGroup(
  { write, definitions, log }: Change,
  caller: Caller,
  groupId: string,
  body: Static<typeof updateBody>,
): Promise<string> {
  const group = groupOf(definitions, caller, groupId);
  needRole(group, caller, "admin");
  const after = { ...group, name: body.name?.trim() ?? group.name, visibility: body.visibility ?? group.visibility };
  await updateGroup(write, definitions.workspaceId, after);
  log.push({ type: "group.changed", recordId: group.uuid, body: {} });
  if (group.visibility === "public" && after.visibility === "private") {
    needRoom(definitions, withMember(definitions, group, caller.userId, "admin"), []);
    await setRoles(write, definitions.workspaceId, group.uuid, [{ uuid: caller.userId, role: "admin" }]);
  }
  return JSON.stringify(present(after));
}

function present({ id, name, visibility }: Pick<Group, "id" | "name" | "visibility">) {
  return { id, name, visibility };
}
