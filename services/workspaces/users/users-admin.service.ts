import type { ServiceSchema } from "moleculer";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { closed, oneOf, plainText, type Static, Type } from "../../../base/contract/schema.ts";
import { EMAIL_LENGTH_MAX } from "../../../config/limits.ts";
import { keepAnAdmin } from "../../../engine/definitions/groups.access.ts";
import { type Change, storeOf } from "../../../engine/store/store.ts";
import type { ActionContext, ServiceContext } from "../../../mixins/context.ts";
import { needRoom } from "../../../model/definitions/bounds.ts";
import type { Definitions, User } from "../../../model/definitions/definitions.ts";
import { findUser, presentUser } from "../../../model/definitions/users.ts";
import { isEmail } from "../workspace-file/workspace-file.faults.ts";
import { workspaceBySlug } from "../workspaces/workspaces.queries.ts";
import { countUsableKeys, insertUsers, removeUser, updateUsers } from "./users.queries.ts";
import { noUser } from "./users.unknown.ts";

const listParams = closed({ workspace: Type.String() });
const userParams = closed({ workspace: Type.String(), email: Type.String() });
const addParams = closed({
  workspace: Type.String(),
  email: plainText(EMAIL_LENGTH_MAX),
  fullName: Type.Optional(plainText(1000)),
  role: Type.Optional(oneOf(["admin", "member"])),
});

/** Users, as the command line manages them. No route leads here. docs/guides/keys.md */
export default function usersAdminService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);

  async function change<Result>(
    ctx: ActionContext<{ workspace: string }>,
    work: (change: Change) => Promise<Result>,
  ): Promise<Result> {
    const workspace = await workspaceBySlug(store.query, ctx.params.workspace);
    return store.changeDefinitions({ workspaceId: workspace.id, ...ctx.meta.run }, work);
  }

  return {
    name: "users-admin",
    actions: {
      /** The users of a workspace in the order of their creation, without those who were removed. */
      list: {
        params: listParams,
        handler: async (ctx: ActionContext<Static<typeof listParams>>) => {
          const workspace = await workspaceBySlug(store.query, ctx.params.workspace);
          const { users } = await store.definitionsCache.current(workspace.id);
          return { users: [...users.values()].filter((user) => !user.removed).map(present) };
        },
      },
      /** A user by their address, with how many memberships and usable keys they have. */
      get: {
        params: userParams,
        handler: async (ctx: ActionContext<Static<typeof userParams>>) => {
          const workspace = await workspaceBySlug(store.query, ctx.params.workspace);
          const definitions = await store.definitionsCache.current(workspace.id);
          const user = userOf(definitions, ctx.params.email);
          const memberships = [...definitions.groups.values()].filter(({ members }) => members.has(user.uuid)).length;
          return { ...present(user), memberships, keys: await countUsableKeys(store.query, workspace.id, user.uuid) };
        },
      },
      /** Makes a user. When one has this address already, they get the name and the role that are given. */
      add: {
        params: addParams,
        handler: (ctx: ActionContext<Static<typeof addParams>>) => change(ctx, (inside) => addUser(inside, ctx.params)),
      },
      /** Removes a user: their keys stop working and their memberships end. As creator of records they stay. */
      remove: {
        params: userParams,
        handler: (ctx: ActionContext<Static<typeof userParams>>) =>
          change(ctx, (inside) => removeByEmail(inside, ctx.params.email)),
      },
    },
  };
}

async function addUser(
  { write, definitions, log, reload }: Change,
  { email, fullName, role }: Static<typeof addParams>,
) {
  if (!isEmail(email)) throw unprocessable([custom(["email"], `"${email}" is not an e-mail address`)]);
  const known = findUser(definitions, { email });
  if (known)
    await updateUsers(write, definitions.workspaceId, [
      { ...known, email, fullName: fullName ?? known.fullName, role: role ?? known.role },
    ]);
  else
    await insertUsers(write, definitions.workspaceId, [{ email, fullName: fullName ?? email, role: role ?? "member" }]);
  const after = await reload();
  needRoom(definitions, after, []);
  const user = userOf(after, email);
  log.push({ type: "user.changed", recordId: user.uuid, body: {} });
  return present(user);
}

async function removeByEmail({ write, definitions, log }: Change, email: string) {
  const user = userOf(definitions, email);
  for (const group of definitions.groups.values()) keepAnAdmin(group, user.uuid, null, [`group "${group.name}"`]);
  await removeUser(write, definitions.workspaceId, user.uuid);
  log.push({ type: "user.changed", recordId: user.uuid, body: {} });
  return present(user);
}

/** @throws ApiError 422 when the workspace has no user of this address */
function userOf(definitions: Definitions, email: string): User {
  const user = findUser(definitions, { email });
  if (!user) throw noUser(definitions, email, ["email"]);
  return user;
}

function present(user: User) {
  return { ...presentUser(user), role: user.role };
}
