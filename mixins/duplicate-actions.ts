import type { Page } from "../base/contract/page.ts";
import { closed, oneOf, Type } from "../base/contract/schema.ts";
import { jsonList } from "../base/values/json.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import { listPairs } from "../engine/duplicates/list.ts";
import type { Kind } from "../engine/duplicates/traits.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import type { Records } from "./records.ts";
import { dismissWork, twoSchema } from "./works/dismiss.ts";
import { actionOf } from "./works/work.ts";

const reason = Type.Object(
  {
    path: Type.Array(Type.String(), { description: "The field, as events name it", example: ["emails"] }),
    kind: oneOf(["same", "similar"]),
  },
  { title: "Reason" },
);

/** The actions of pairs of records that are likely one. docs/guides/duplicates.md */
export function duplicateActions(records: Records, kind: Kind) {
  const { resource, store } = records;
  const { table } = resource;
  const pair = Type.Object(
    {
      records: twoSchema(kind),
      score: Type.Number({ minimum: 0, maximum: 1, description: "How likely they are one", example: 0.95 }),
      reasons: Type.Array(reason, { minItems: 1 }),
    },
    { title: `Duplicate${resource.title}` },
  );
  return {
    duplicates: {
      summary: `List duplicate ${table}`,
      description: `Pairs of ${table} that are likely one, best first, as of some seconds ago. Dismissed pairs are left out.`,
      params: closed(pageParams),
      returns: { list: pair },
      handler(ctx: ActionContext<PageParams>): Promise<Page> {
        const caller = callerOf(ctx);
        const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params;
        return store.pageTurn(caller, { limit, table: "duplicate_pairs" }, async (query) => {
          const { items, next } = await listPairs(query, caller.workspaceId, { kind, limit, after });
          return { items: jsonList(items.map((item) => JSON.stringify(item))), next };
        });
      },
    },
    dismissDuplicate: actionOf(store, dismissWork(resource, kind)),
  };
}
