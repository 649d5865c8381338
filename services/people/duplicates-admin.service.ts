import type { ServiceSchema } from "moleculer";
import { closed, oneOf, type Static, Type } from "../../base/contract/schema.ts";
import { uuidOf } from "../../base/values/ids.ts";
import { PAGE_LIMIT_MAX } from "../../config/limits.ts";
import { listPairs, type ShownPair } from "../../engine/duplicates/list.ts";
import { countPaired, settlePairs } from "../../engine/duplicates/settle.ts";
import { KINDS } from "../../engine/duplicates/traits.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";

const listParams = closed({ kind: oneOf(KINDS), after: Type.Optional(Type.String()) });
const countParams = closed({ kind: oneOf(KINDS), first: Type.String(), last: Type.String() });

/** Pairs for the command line, as of this moment. No route leads here. docs/guides/duplicates.md#at-the-command-line */
export default function duplicatesAdminService({ database }: ServiceContext): ServiceSchema {
  const { queryPlanned } = database;
  return {
    name: "duplicates-admin",
    actions: {
      /** A page of pairs, best first, and the position of the next one. The first page is of this moment. */
      list: {
        params: listParams,
        async handler(
          ctx: ActionContext<Static<typeof listParams>>,
        ): Promise<{ items: ShownPair[]; next: string | null }> {
          const { workspaceId } = callerOf(ctx);
          const { kind, after } = ctx.params;
          if (after === undefined) await settlePairs(database, workspaceId);
          return listPairs(queryPlanned, workspaceId, { kind, after, limit: PAGE_LIMIT_MAX });
        },
      },
      /** The number of records made by this run, between two ids, that look like others. */
      count: {
        params: countParams,
        async handler(ctx: ActionContext<Static<typeof countParams>>): Promise<{ records: number }> {
          const { workspaceId, requestId } = callerOf(ctx);
          const { kind, ...bounds } = ctx.params;
          const [first, last] = [uuidOf(kind, bounds.first), uuidOf(kind, bounds.last)];
          if (first === null || last === null || requestId === undefined) return { records: 0 };
          await settlePairs(database, workspaceId);
          return { records: await countPaired(queryPlanned, workspaceId, { kind, first, last, requestId }) };
        },
      },
    },
  };
}
