import type { ServiceSchema } from "moleculer";
import { closed } from "../../../base/contract/schema.ts";
import { storeOf } from "../../../engine/store/store.ts";
import {
  interactionEntityQuery,
  interactionPath,
  interactionSchema,
} from "../../../engine/things/interaction-schema.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { interactionWorks } from "../../../mixins/works/interactions.ts";
import { actionOf } from "../../../mixins/works/work.ts";
import { getInteraction, readInteractions } from "./interactions.read.ts";
import { fixedListParams, type ListParams, listParams } from "./interactions.schema.ts";

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
        params: closed({ ...interactionPath, ...interactionEntityQuery }),
        returns,
        handler: (ctx: ActionContext<One>) =>
          getInteraction(store, callerOf(ctx), ctx.params.interactionId, ctx.params["entity.id"]),
      },
      create: actionOf(store, interactionWorks.create),
      update: actionOf(store, interactionWorks.update),
      remove: actionOf(store, interactionWorks.remove),
    },
  };
}
