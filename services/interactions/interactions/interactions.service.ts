import type { ServiceSchema } from "moleculer";
import { closed, DRY_RUN, Type } from "../../../base/contract/schema.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { createInteraction, removeInteraction, updateInteraction } from "./interactions.change.ts";
import { getInteraction, readInteractions } from "./interactions.read.ts";
import {
  createBody,
  entityQuery,
  fixedListParams,
  idPath,
  interactionSchema,
  type ListParams,
  type Logged,
  listParams,
  updateBody,
} from "./interactions.schema.ts";

/**
 * The deprecated lists have pages of this size, whatever is asked for. docs/guides/interactions.md#past-and-upcoming
 */
const FIXED_PAGE = 30;

type One = { interactionId: string; "entity.id": string };

/** Past and future interactions with people and companies. docs/guides/interactions.md */
export default function interactionsService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "interactions");
  const returns = { data: interactionSchema };
  const fixedList = (timeframe: "past" | "upcoming") => ({
    summary: `List ${timeframe} interactions`,
    description: `Those with one person or company, in pages of ${FIXED_PAGE}.`,
    params: closed(fixedListParams),
    returns: { list: interactionSchema },
    handler: (ctx: ActionContext<ListParams>) =>
      readInteractions(store, callerOf(ctx), { ...ctx.params, timeframe, limit: FIXED_PAGE }),
  });
  return {
    name: "interactions",
    actions: {
      list: {
        summary: "List interactions",
        description:
          "Past ones newest first, upcoming ones soonest first; with one person or company, or all of the workspace. Logged ones are always in the list.",
        params: closed(listParams),
        returns: { list: interactionSchema },
        handler: (ctx: ActionContext<ListParams>) => readInteractions(store, callerOf(ctx), ctx.params),
      },
      listPast: fixedList("past"),
      listUpcoming: fixedList("upcoming"),
      get: {
        summary: "Get an interaction",
        description: "Only this answer has the body of an email and the transcript of a call.",
        params: closed({ ...idPath, ...entityQuery }),
        returns,
        handler: (ctx: ActionContext<One>) =>
          getInteraction(store, callerOf(ctx), ctx.params.interactionId, ctx.params["entity.id"]),
      },
      create: {
        summary: "Log an interaction",
        description: "With a person or a company, by the caller.",
        params: closed({ ...DRY_RUN, body: createBody }),
        returns,
        handler: (ctx: ActionContext<{ body: Logged }>) =>
          store.write(callerOf(ctx), (writing) => createInteraction(writing, ctx.params.body)),
      },
      update: {
        summary: "Update an interaction",
        description: "A logged one. Missing fields keep their values.",
        params: closed({ ...idPath, ...DRY_RUN, body: updateBody }),
        returns,
        handler: (ctx: ActionContext<{ interactionId: string; body: Logged }>) =>
          store.write(callerOf(ctx), (writing) =>
            updateInteraction(writing, ctx.params.interactionId, ctx.params.body),
          ),
      },
      remove: {
        summary: "Delete an interaction",
        description: "A logged one.",
        params: closed({ ...idPath, ...entityQuery, ...DRY_RUN }),
        returns: { data: closed({ id: Type.String() }) },
        handler: (ctx: ActionContext<One>) =>
          store.write(callerOf(ctx), (writing) =>
            removeInteraction(writing, ctx.params.interactionId, ctx.params["entity.id"]),
          ),
      },
    },
  };
}
