import type { ServiceSchema } from "moleculer";
import { ApiError } from "../../../base/contract/errors.ts";
import { closed, idSchema, nullable, type Static, Type } from "../../../base/contract/schema.ts";
import { uuidOf } from "../../../base/values/ids.ts";
import { CREDITS_MAX } from "../../../config/limits.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type Credits, creditsOf, setRemaining } from "./credits.queries.ts";

const creditsSchema = Type.Object(
  {
    remaining: Type.Integer({ minimum: 0 }),
    used: Type.Integer({ minimum: 0 }),
    renewsAt: nullable(Type.String({ format: "date-time", description: "Null: credits do not renew by themselves" })),
  },
  { title: "Credits" },
);

const workspaceParams = closed({
  workspaceId: idSchema("workspace"),
  remaining: Type.Optional(Type.Integer({ minimum: 0, maximum: CREDITS_MAX })),
});

/** The credits that enrichments cost. docs/guides/enrichment.md#credits */
export default function creditsService({ database }: ServiceContext): ServiceSchema {
  const { query } = storeOf(database);
  return {
    name: "credits",
    actions: {
      get: {
        summary: "Get the credits",
        description: "Remaining and used credits for enrichments.",
        params: closed({}),
        returns: { data: creditsSchema },
        handler: async (ctx: ActionContext<unknown>): Promise<string> => {
          const { remaining, used } = await creditsOf(query, callerOf(ctx).workspaceId);
          return JSON.stringify({ remaining, used, renewsAt: null });
        },
      },
      /** The credits of a workspace, for the command line. `remaining` sets the number that is left. */
      ofWorkspace: {
        params: workspaceParams,
        handler: (ctx: ActionContext<Static<typeof workspaceParams>>): Promise<Credits> => {
          const { workspaceId, remaining } = ctx.params;
          const uuid = uuidOf("workspace", workspaceId);
          if (uuid === null)
            throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace with the id ${workspaceId}.`);
          return remaining === undefined
            ? creditsOf(query, uuid)
            : setRemaining(database.queryPlanned, uuid, remaining);
        },
      },
    },
  };
}
