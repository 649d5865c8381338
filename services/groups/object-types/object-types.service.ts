import type { ServiceSchema } from "moleculer";
import { type ActionContext, callerOf } from "../../../actions/caller.ts";
import { type PageParams, pageOf, pageParams } from "../../../actions/page.ts";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { closed, idSchema, Type } from "../../../lib/contract/schema.ts";
import { storeOf } from "../../../lib/store/store.ts";
import { groupOf } from "../groups/groups.access.ts";

const objectTypeSchema = closed({ name: Type.String() }, { title: "ObjectType" });

/** The object types of a group. objectFields and workspace files make them: docs/guides/custom-fields.md#object-types. */
export default function objectTypesService(context: ServiceContext): ServiceSchema {
  const { catalogs } = storeOf(context.database);
  return {
    name: "object-types",
    actions: {
      list: {
        summary: "List the object types of a group",
        description:
          "In order of creation. Each name stands in paths as `{objectType}`, and as `{entityType}` of custom fields.",
        params: closed({ groupId: idSchema("group"), ...pageParams }),
        returns: { list: objectTypeSchema },
        handler: async (ctx: ActionContext<PageParams & { groupId: string }>) => {
          const caller = callerOf(ctx);
          const group = groupOf(await catalogs.current(caller.workspaceId), caller, ctx.params.groupId);
          return pageOf(group.objectTypes, ctx.params, ({ name }) => JSON.stringify({ name }));
        },
      },
    },
  };
}
