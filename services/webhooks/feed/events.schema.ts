import { idSchema, oneOf, type Static, Type, timestampSchema } from "../../../base/contract/schema.ts";
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
export const eventSchema = Type.Object(
  {
    id: idSchema("event"),
    type: oneOf(EVENT_TYPE_NAMES),
    createdAt: timestampSchema,
    source: Type.String({ format: "uri", description: "Where it comes from: the URL of the feed" }),
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
export const feedParams = {
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
      description: "Where the first page begins. With a cursor it says nothing",
    }),
  ),
  ...pageParams,
};

const feedSchema = Type.Object(feedParams);
export type FeedParams = Static<typeof feedSchema>;
