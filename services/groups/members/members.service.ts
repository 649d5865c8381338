import type { ServiceSchema } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { notFound, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { closed, DRY_RUN, deletedSchema, idSchema, oneOf, type Static, Type } from "../../../base/contract/schema.ts";
import { byId } from "../../../base/values/ids.ts";
import { groupOf, keepAnAdmin } from "../../../engine/definitions/groups.access.ts";
import { removeRoles, setRoles } from "../../../engine/definitions/members.queries.ts";
import { type Change, storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageOf, pageParams } from "../../../mixins/page.ts";
import { needRoom, withMember } from "../../../model/definitions/bounds.ts";
import type { Definitions, Group, Role, User } from "../../../model/definitions/definitions.ts";
import { needRole, ROLES, roleIn } from "../../../model/definitions/roles.ts";
import { findUser, presentUser } from "../../../model/definitions/users.ts";

const role = oneOf(ROLES);
const memberSchema = closed(
  { id: idSchema("user"), fullName: Type.String(), email: Type.String(), role },
  { title: "GroupMember" },
);
const groupPath = { groupId: idSchema("group") };
const memberPath = { ...groupPath, userId: idSchema("user") };
const createBody = closed({ id: idSchema("user"), role }, { title: "GroupMemberCreate" });
const updateBody = closed({ role }, { title: "GroupMemberUpdate" });

/** The members of groups. docs/guides/access.md#members */
export default function membersService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  return {
    name: "members",
    actions: {
      list: {
        summary: "List the members of a group",
        description:
          "The members of a private group, or every user with their effective role for a public one; in order of the users.",
        params: closed({ ...groupPath, ...pageParams }),
        returns: { list: memberSchema },
        handler: async (ctx: ActionContext<PageParams & { groupId: string }>) => {
          const caller = callerOf(ctx);
          const definitions = await store.definitionsCache.current(caller.workspaceId);
          const group = groupOf(definitions, caller, ctx.params.groupId);
          const members = [...definitions.users.values()].filter((user) => !user.removed && roleIn(group, user.uuid));
          return pageOf(members, ctx.params, (user) => JSON.stringify(present(user, roleIn(group, user.uuid))));
        },
      },
      create: {
        summary: "Add a member to a group",
        description: "A member that is there already gets the new role.",
        params: closed({ ...groupPath, ...DRY_RUN, body: createBody }),
        returns: { data: memberSchema },
        handler: (ctx: ActionContext<{ groupId: string; body: Static<typeof createBody> }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, (change) =>
            addMember(change, caller, ctx.params.groupId, ctx.params.body),
          );
        },
      },
      update: {
        summary: "Change the role of a member",
        description: "The last admin of a private group stays one.",
        params: closed({ ...memberPath, ...DRY_RUN, body: updateBody }),
        returns: { data: memberSchema },
        handler: (ctx: ActionContext<{ groupId: string; userId: string; body: Static<typeof updateBody> }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, async (change) => {
            const { group, user } = memberOf(change.definitions, caller, ctx.params);
            needRole(group, caller, "admin");
            return assignRole(change, group, user, ctx.params.body.role);
          });
        },
      },
      remove: {
        summary: "Remove a member from a group",
        description: "In a public group the user has the role admin again.",
        params: closed({ ...memberPath, ...DRY_RUN }),
        returns: { data: deletedSchema("user") },
        handler: (ctx: ActionContext<{ groupId: string; userId: string }>) => {
          const caller = callerOf(ctx);
          return store.changeDefinitions(caller, async ({ write, definitions, log }) => {
            const { group, user } = memberOf(definitions, caller, ctx.params);
            needRole(group, caller, "admin");
            keepAnAdmin(group, user.uuid, null, []);
            await removeRoles(write, definitions.workspaceId, group.uuid, [user.uuid]);
            log.push({ type: "member.changed", recordId: user.uuid, body: {} });
            return JSON.stringify({ id: user.id });
          });
        },
      },
    },
  };
}

async function addMember(
  change: Change,
  caller: Caller,
  groupId: string,
  body: Static<typeof createBody>,
): Promise<string> {
  const group = groupOf(change.definitions, caller, groupId);
  needRole(group, caller, "admin");
  const user = findUser(change.definitions, { id: body.id });
  if (!user) throw unprocessable([custom(["id"], `There is no user with the id ${body.id}`)]);
  return assignRole(change, group, user, body.role);
}

async function assignRole(
  { write, definitions, log }: Change,
  group: Group,
  user: User,
  roleAfter: Role,
): Promise<string> {
  keepAnAdmin(group, user.uuid, roleAfter, ["role"]);
  needRoom(definitions, withMember(definitions, group, user.uuid, roleAfter), []);
  await setRoles(write, definitions.workspaceId, group.uuid, [{ uuid: user.uuid, role: roleAfter }]);
  log.push({ type: "member.changed", recordId: user.uuid, body: {} });
  return JSON.stringify(present(user, roleAfter));
}

/**
 * The member that a path names. In a public group every user is one. docs/guides/access.md#members
 * @throws ApiError 404 when the group cannot be seen, or the user is not in it
 */
function memberOf(
  definitions: Definitions,
  caller: Caller,
  { groupId, userId }: { groupId: string; userId: string },
): { group: Group; user: User } {
  const group = groupOf(definitions, caller, groupId);
  const user = byId(definitions.users, "user", userId);
  if (!user || user.removed || !roleIn(group, user.uuid)) throw notFound("member of the group", userId);
  return { group, user };
}

function present(user: User, roleThere: Role | null) {
  return { ...presentUser(user), role: roleThere };
}
