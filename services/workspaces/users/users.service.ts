import type { ServiceSchema } from "moleculer";
import { notFound } from "../../../base/contract/errors.ts";
import { closed, idSchema, userSchema } from "../../../base/contract/schema.ts";
import { byId, toId } from "../../../base/values/ids.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageOf, pageParams } from "../../../mixins/page.ts";
import type { Definitions, User } from "../../../model/definitions/definitions.ts";
import { presentUser } from "../../../model/definitions/users.ts";

/** The users of a workspace, as the API reads them. The command line manages them. docs/guides/access.md#users */
export default function usersService(context: ServiceContext): ServiceSchema {
  const { definitionsCache } = storeOf(context.database);
  return {
    name: "users",
    actions: {
      list: {
        summary: "List users",
        description: "The users of the workspace, in order of creation.",
        params: closed(pageParams),
        returns: { list: userSchema },
        handler: async (ctx: ActionContext<PageParams>) => {
          const definitions = await definitionsCache.current(callerOf(ctx).workspaceId);
          return pageOf(
            [...definitions.users.values()].filter((user) => !user.removed),
            ctx.params,
            (user) => JSON.stringify(presentUser(user)),
          );
        },
      },
      me: {
        summary: "Get the user behind the API key",
        description: "Every key belongs to one user, and may do what this user may.",
        params: closed({}),
        returns: { data: userSchema },
        handler: async (ctx: ActionContext<unknown>) => {
          const { workspaceId, userId } = callerOf(ctx);
          return JSON.stringify(presentUser(userOf(await definitionsCache.current(workspaceId), toId("user", userId))));
        },
      },
      get: {
        summary: "Get a user",
        description: "A user who was removed from the workspace is not found.",
        params: closed({ userId: idSchema("user") }),
        returns: { data: userSchema },
        handler: async (ctx: ActionContext<{ userId: string }>) => {
          const { userId } = ctx.params;
          return JSON.stringify(presentUser(userOf(await definitionsCache.current(callerOf(ctx).workspaceId), userId)));
        },
      },
    },
  };
}

/** @throws ApiError 404 when the workspace has no such user, or has removed them; it names the id as it was sent */
function userOf(definitions: Definitions, id: string): User {
  const user = byId(definitions.users, "user", id);
  if (!user || user.removed) throw notFound("user", id);
  return user;
}
