import type { ServiceSchema } from "moleculer";
import { type Catalog, presentUser, type User } from "../../lib/catalog.ts";
import { notFound } from "../../lib/errors.ts";
import { uuidOf } from "../../lib/ids.ts";
import { closed, idSchema, userSchema } from "../../lib/schema.ts";
import { type ActionContext, callerOf } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { type PageParams, pageOf, pageParams } from "../../mixins/page.ts";
import { storeOf } from "../../mixins/store.ts";

/** Users of a workspace, as the API reads them; they are managed by the command line. API document, "User". */
export default function usersService(context: ServiceContext): ServiceSchema {
  const { catalogs } = storeOf(context.database);
  return {
    name: "users",
    mixins: [databaseMixin(context, "users")],
    actions: {
      list: {
        summary: "List users",
        description: "The users of the workspace, in order of creation.",
        params: closed(pageParams),
        returns: { list: userSchema },
        handler: async (ctx: ActionContext<PageParams>) => {
          const catalog = await catalogs.current(callerOf(ctx).workspaceId);
          return pageOf(
            [...catalog.users.values()].filter((user) => !user.removed),
            ctx.params,
            presentUser,
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
          return JSON.stringify(presentUser(present(await catalogs.current(workspaceId), userId)));
        },
      },
      get: {
        summary: "Get a user",
        description: "A user who was removed from the workspace is not found.",
        params: closed({ userId: idSchema("user") }),
        returns: { data: userSchema },
        handler: async (ctx: ActionContext<{ userId: string }>) => {
          const { userId } = ctx.params;
          return JSON.stringify(
            presentUser(
              present(await catalogs.current(callerOf(ctx).workspaceId), uuidOf("user", userId) ?? "", userId),
            ),
          );
        },
      },
    },
  };
}

function present(catalog: Catalog, uuid: string, id = uuid): User {
  const user = catalog.users.get(uuid);
  if (!user || user.removed) throw notFound("user", id);
  return user;
}
