import type { ServiceSchema } from "moleculer";
import type { Page } from "../../base/contract/page.ts";
import { closed, nullable, oneOf, Type, timestampSchema } from "../../base/contract/schema.ts";
import { jsonList } from "../../base/values/json.ts";
import { PAGE_LIMIT_DEFAULT } from "../../config/limits.ts";
import { TRASH_KINDS, type TrashKind } from "../../engine/changes/log-reads.ts";
import { readTrash } from "../../engine/changes/trash.ts";
import { storeOf } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";
import { type PageParams, pageParams } from "../../mixins/page.ts";
import { namedSchema } from "../../mixins/past-actions.ts";

const trashedSchema = Type.Object(
  {
    id: Type.String({ example: "per_0199e7a1-5f6e-7c3b-8a57-2f6f3c1d9b10" }),
    entityType: oneOf(TRASH_KINDS),
    fullName: Type.String({ example: "Ada Lovelace", description: "The title of a task, the beginning of a note" }),
    deletedAt: timestampSchema,
    deletedBy: nullable(namedSchema),
    requestId: nullable(Type.String({ format: "uuid" })),
    via: nullable(
      Type.Object(
        { id: Type.String(), entityType: oneOf(["person", "company", "object"]) },
        { title: "Via", description: "The record with which it went" },
      ),
    ),
  },
  { title: "Trashed" },
);

type ListParams = PageParams & { type?: TrashKind[] };

/** Deleted records, notes and tasks that can be restored. docs/guides/history-and-undo.md#the-trash */
export default function trashService({ database, env }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "trash",
    actions: {
      list: {
        summary: "List the trash",
        description:
          "What can be restored, the last deletion first. People and companies are listed for all users, objects for those who read their group, notes and tasks for those who saw them.",
        params: closed({
          type: Type.Optional(Type.Array(oneOf(TRASH_KINDS), { description: "Only things of these kinds" })),
          ...pageParams,
        }),
        returns: { list: trashedSchema },
        async handler(ctx: ActionContext<ListParams>): Promise<Page> {
          const caller = callerOf(ctx);
          const { limit = PAGE_LIMIT_DEFAULT, after, type: kinds = TRASH_KINDS } = ctx.params;
          const viewing = { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
          return store.pageTurn(caller, { limit, table: "change_log" }, async (query) => {
            const page = await readTrash(query, viewing, { kinds, limit, after, trashDays: env.trashDays });
            return { items: jsonList(page.items), next: page.next };
          });
        },
      },
    },
  };
}
