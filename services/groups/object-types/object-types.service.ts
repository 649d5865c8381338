import type { ServiceSchema } from "moleculer";
import { closed, idSchema, Type } from "../../../base/contract/schema.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageOf, pageParams } from "../../../mixins/page.ts";

const objectTypeSchema = closed({ name: Type.String() }, { title: "ObjectType" });

/**
 * The object types of a group. objectFields and workspace files make them: docs/guides/custom-fields.md#object-types.
 */
export default function objectTypesService(context: ServiceContext): ServiceSchema {
  const { definitionsCache } = storeOf(context.database);
  return {
    name: "object-types",
    actions: {
      list: {
        summary: "List the object types of a group",
        description:
          "In order of creation. Paths use each name as `{objectType}`, and as `{entityType}` of custom fields.",
        params: closed({ groupId: idSchema("group"), ...pageParams }),
        returns: { list: objectTypeSchema },
        handler: async (ctx: ActionContext<PageParams & { groupId: string }>) => {
          const caller = callerOf(ctx);
          const group = groupOf(await definitionsCache.current(caller.workspaceId), caller, ctx.params.groupId);
          return pageOf(group.objectTypes, ctx.params, ({ name }) => JSON.stringify({ name }));
        },
      },
    },
  };
}
