import type { ServiceSchema } from "moleculer";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import type { Page } from "../../../base/contract/page.ts";
import { closed } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { PAGE_LIMIT_DEFAULT } from "../../../config/limits.ts";
import { payload } from "../../../engine/feed/payload.ts";
import { printPosition, readPosition, typesKeyOf } from "../../../engine/feed/position.ts";
import { type EventSource, positionAt, readEvents, type Wanted } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { type ActionContext, callerOf } from "../../../mixins/caller.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { eventSchema, type FeedParams, feedParams } from "./events.schema.ts";

const DESCRIPTION = `What happened to records, notes and reminders, in the order in which it was committed, oldest first. Each page has a cursor to go on from, the last one too.

With \`Accept: text/event-stream\` the answer stays open and tells events as they are committed. It begins behind the id in \`Last-Event-ID\`, else at \`cursor\`, \`since\`, or now.`;

/** The feed of events. The gateway serves its stream. docs/guides/event-feed.md */
export default function eventsService({ database, env }: ServiceContext): ServiceSchema {
  const store = storeOf(database, "events");
  const source: EventSource = store;
  const feedUrl = `${env.publicUrl}/v1/events`;
  return {
    name: "events",
    actions: {
      list: {
        summary: "List events",
        description: DESCRIPTION,
        params: closed(feedParams),
        returns: { list: eventSchema, hasCursor: true },
        async handler(ctx: ActionContext<FeedParams>): Promise<Page> {
          const { workspaceId, userId } = callerOf(ctx);
          const wanted = await wantedBy(ctx.params, workspaceId);
          return store.pageTurn({ workspaceId }, { limit: wanted.limit, table: "events" }, async (query) => {
            const { events, through, hasMore } = await readEvents(
              { ...source, query },
              { workspaceId, userId },
              wanted,
            );
            const texts = events.map((event) => payload(event, feedUrl, env.publicUrl));
            const cursor = printPosition({ position: through, typesKey: typesKeyOf(ctx.params.types) });
            return { items: `[${texts.join(",")}]`, next: hasMore ? cursor : null, cursor };
          });
        },
      },
    },
  };

  /** @throws ApiError 422 for the cursor of a list of other types */
  async function wantedBy(
    { types, since, limit = PAGE_LIMIT_DEFAULT, after }: FeedParams,
    workspaceId: Uuid,
  ): Promise<Wanted> {
    if (after !== undefined) {
      const { position, typesKey } = readPosition(after);
      if (typesKey !== typesKeyOf(types))
        throw unprocessable([custom(["cursor"], "This cursor was made with other types. Send those of its page")]);
      return { after: position, types, limit };
    }
    if (since === undefined) return { after: 0, types, limit };
    const time = instantOfTimeOrDate(since) ?? 0;
    return { after: await positionAt(source.query, workspaceId, time), types, since: time, limit };
  }
}
