import type { ServiceSchema } from "moleculer";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import type { Page } from "../../../base/contract/page.ts";
import { closed, idSchema, oneOf, type Static, Type, timestampSchema } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { jsonList } from "../../../base/values/json.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { PAGE_LIMIT_DEFAULT } from "../../../config/limits.ts";
import { payload } from "../../../engine/feed/payload.ts";
import { printPosition, readPosition, typesKeyOf } from "../../../engine/feed/position.ts";
import { type EventSource, oldestTold, positionAt, readEvents, type Wanted } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { pageParams } from "../../../mixins/page.ts";
import { EVENT_TYPE_NAMES } from "../../../model/events.ts";

const changeSchema = Type.Object(
  {
    path: Type.Array(Type.String(), { description: "The attribute, from the root of the record" }),
    type: oneOf(["add", "remove", "set"]),
    value: Type.Optional(Type.Unknown({ description: "Absent when it was cleared, and for texts that are not told" })),
  },
  { title: "Change" },
);

/** An event as the feed answers it. docs/guides/events.md#the-event */
const eventSchema = Type.Object(
  {
    id: idSchema("event"),
    type: oneOf(EVENT_TYPE_NAMES),
    createdAt: timestampSchema,
    source: Type.String({ format: "uri", description: "URL of the feed" }),
    data: Type.Object({
      id: Type.String({ description: "The record, note or reminder" }),
      url: Type.String({ format: "uri" }),
      changes: Type.Optional(Type.Array(changeSchema)),
      details: Type.Optional(Type.Object({})),
    }),
  },
  { title: "FeedEvent" },
);

/** Parameters of the feed. docs/guides/event-feed.md#the-feed */
const feedParams = {
  // A cursor of the list carries the types that it was made for by itself, so that the stream can take it with any.
  types: Type.Optional(
    Type.Array(oneOf(EVENT_TYPE_NAMES), {
      apartFromCursor: true,
      description: "Only events of these types. Absent: all",
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: "timestamp-or-date",
      apartFromCursor: true,
      description: "Start of the first page. Ignored with a cursor",
    }),
  ),
  ...pageParams,
};

const feedSchema = Type.Object(feedParams);
type FeedParams = Static<typeof feedSchema>;

const DESCRIPTION = `Changes of records, notes and reminders in the order of their commit, oldest first. Each page has a cursor to continue from, even the last one.

With \`Accept: text/event-stream\` the answer stays open and sends events as they are committed. It begins after the id in \`Last-Event-ID\`, else at \`cursor\`, \`since\`, or now.`;

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
            return { items: jsonList(texts), next: hasMore ? cursor : null, cursor };
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
      return { after: position, types, since: oldestTold(), limit };
    }
    const time = Math.max(oldestTold(), (since !== undefined && instantOfTimeOrDate(since)) || 0);
    return { after: await positionAt(source.query, workspaceId, time), types, since: time, limit };
  }
}
