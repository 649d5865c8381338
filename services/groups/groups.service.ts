import type { ServiceSchema } from "moleculer";
import { GROUP_NAME_LENGTH_MAX } from "../../config/limits.ts";
import type { Caller } from "../../lib/caller.ts";
import { type Group, needRole, visibleGroups } from "../../lib/catalog.ts";
import { closed, idSchema, oneOf, type Static, Type, trimmedName } from "../../lib/schema.ts";
import { type ActionContext, callerOf } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { type PageParams, pageOf, pageParams } from "../../mixins/page.ts";
import { type Change, storeOf } from "../../mixins/store.ts";
import { groupOf } from "./groups.access.ts";
import { insertGroup, setRole } from "./groups.queries.ts";

const visibility = oneOf(["public", "private"]);
const name = trimmedName(GROUP_NAME_LENGTH_MAX, { example: "Sales" });
const groupSchema = closed({ id: idSchema("group"), name: Type.String(), visibility }, { title: "Group" });
const createBody = closed({ name, visibility }, { title: "GroupCreate" });
const updateBody = closed(
  { name: Type.Optional(name), visibility: Type.Optional(visibility) },
  { title: "GroupUpdate" },
);

/** Groups: API document, "Group"; gaps 3 and 4, "Group". */
export default function groupsService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  return {
    name: "groups",
    mixins: [databaseMixin(context, "groups")],
    actions: {
      list: {
        summary: "List groups",
        description: "The groups that the caller can see, in order of creation.",
        params: closed({ ...pageParams, visibility: Type.Optional(visibility) }),
        returns: { list: groupSchema },
        handler: async (ctx: ActionContext<PageParams & { visibility?: string }>) => {
          const caller = callerOf(ctx);
          const groups = visibleGroups(await store.catalogs.current(caller.workspaceId), caller);
          const wanted = ctx.params.visibility;
          return pageOf(
            wanted === undefined ? groups : groups.filter((group) => group.visibility === wanted),
            ctx.params,
            present,
          );
        },
      },
      create: {
        summary: "Create a group",
        description: "The caller becomes its admin by a membership of their own.",
        params: closed({ body: createBody }),
        returns: { data: groupSchema },
        handler: (ctx: ActionContext<{ body: Static<typeof createBody> }>) => {
          const caller = callerOf(ctx);
          return store.change(caller, (change) => createGroup(change, caller, ctx.params.body));
        },
      },
      update: {
        summary: "Update a group",
        description: "Making a public group private gives the caller an admin membership.",
        params: closed({ groupId: idSchema("group"), body: updateBody }),
        returns: { data: groupSchema },
        handler: (ctx: ActionContext<{ groupId: string; body: Static<typeof updateBody> }>) => {
          const caller = callerOf(ctx);
          return store.change(caller, (change) => updateGroup(change, caller, ctx.params.groupId, ctx.params.body));
        },
      },
    },
  };
}

async function createGroup(
  { query, catalog }: Change,
  caller: Caller,
  body: Static<typeof createBody>,
): Promise<string> {
  const group = await insertGroup(query, catalog.workspaceId, { name: body.name.trim(), visibility: body.visibility });
  await setRole(query, catalog.workspaceId, group.uuid, caller.userId, "admin");
  return JSON.stringify(present(group));
}

async function updateGroup(
  { query, catalog }: Change,
  caller: Caller,
  groupId: string,
  body: Static<typeof updateBody>,
): Promise<string> {
  const group = groupOf(catalog, caller, groupId);
  needRole(group, caller, "admin");
  const after = { ...group, name: body.name?.trim() ?? group.name, visibility: body.visibility ?? group.visibility };
  await query("update groups set name = $3, visibility = $4 where workspace_id = $1 and id = $2", [
    catalog.workspaceId,
    group.uuid,
    after.name,
    after.visibility,
  ]);
  if (group.visibility === "public" && after.visibility === "private")
    await setRole(query, catalog.workspaceId, group.uuid, caller.userId, "admin");
  return JSON.stringify(present(after));
}

function present({ id, name, visibility }: Pick<Group, "id" | "name" | "visibility">) {
  return { id, name, visibility };
}
