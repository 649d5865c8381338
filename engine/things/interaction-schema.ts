import {
  closed,
  idSchema,
  nullable,
  oneOf,
  plainText,
  reference,
  Type,
  timestampSchema,
} from "../../base/contract/schema.ts";
import { ACTIVITY_TYPE_LENGTH_MAX, ACTIVITY_TYPES } from "../../base/values/activity-types.ts";
import { CALL_STATUSES, PRIVACY_LEVELS } from "../interactions/imported.ts";

export const IMPORTED_TYPES = ["email", "calendar", "whatsapp", "call"] as const;

/** Length of an id of an interaction. docs/guides/interactions.md#ids */
const ID_LENGTH_MAX = 512;

const title = plainText(255, { example: "Coffee with Ada" });
const content = plainText(100_000, { example: "She knows somebody at the Royal Society." });
const dateTime = Type.String({ maxLength: 24, format: "timestamp", example: "2026-01-15T10:00:00.000Z" });
const activityType = Type.String({ maxLength: ACTIVITY_TYPE_LENGTH_MAX, activityType: true, example: "coffee" });
const entity = reference("contact");

/** Body of a POST. docs/guides/interactions.md#logging */
export const interactionCreateBody = closed(
  {
    entity,
    dateTime,
    title,
    content,
    type: Type.Optional(
      Type.String({ maxLength: ACTIVITY_TYPE_LENGTH_MAX, activityType: true, deprecated: true, example: "coffee" }),
    ),
    activityType: Type.Optional(activityType),
  },
  { title: "InteractionCreate", eitherMember: ["type", "activityType"] },
);

/**
 * Body of a PATCH. The entity does not change: it says which record the interaction belongs to.
 * docs/guides/interactions.md#changing
 */
export const interactionUpdateBody = closed(
  {
    entity,
    dateTime: Type.Optional(dateTime),
    title: Type.Optional(title),
    content: Type.Optional(content),
    activityType: Type.Optional(activityType),
  },
  { title: "InteractionUpdate" },
);

export interface Logged {
  entity: { id: string };
  dateTime: string;
  title: string;
  content: string;
  type?: string;
  activityType?: string;
}

/** The id of an interaction in a path. Imported ones have that of their source. docs/guides/interactions.md#ids */
export const interactionPath = {
  interactionId: Type.String({
    minLength: 1,
    maxLength: ID_LENGTH_MAX,
    plainText: false,
    description: "The id that the list shows",
  }),
};

/** The parameter that names the person or company of the interaction in the path. */
export const interactionEntityQuery = { "entity.id": idSchema("contact") };

const participant = Type.Object(
  {
    type: oneOf(["user", "person", "company", "email", "phone"]),
    value: Type.String(),
    name: Type.Optional(Type.String()),
    picture: Type.Optional(Type.String()),
    userId: Type.Optional(idSchema("user")),
  },
  { title: "Participant" },
);

const text = Type.Optional(nullable(Type.String()));

/**
 * Content of an imported interaction, by its type. Members that the caller may not see are left out.
 * docs/guides/interactions.md#privacy
 */
const importedContent = Type.Object(
  {
    subject: text,
    snippet: text,
    body: text,
    title: text,
    description: text,
    location: text,
    startTime: text,
    endTime: text,
    text,
    status: Type.Optional(oneOf(CALL_STATUSES)),
    duration: Type.Optional(nullable(Type.Number())),
    summary: text,
    transcript: Type.Optional(
      Type.Array(Type.Object({ speaker: Type.String(), text: Type.String() }, { title: "TranscriptSegment" })),
    ),
  },
  { title: "ImportedContent" },
);

/** An interaction as it is answered. docs/guides/interactions.md#fields */
export const interactionSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX, example: "lit_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70" }),
    interactionType: oneOf(["logged", ...IMPORTED_TYPES]),
    from: participant,
    to: participant,
    participants: Type.Optional(Type.Array(participant)),
    title: Type.Optional(nullable(Type.String({ example: "Coffee with Ada" }))),
    content: Type.Unsafe<string | object>({
      anyOf: [Type.String({ example: "She knows somebody at the Royal Society." }), importedContent],
    }),
    entity: Type.Object(
      { id: idSchema("contact"), entityType: oneOf(["person", "company"]), fullName: Type.String() },
      { title: "Contact" },
    ),
    dateTime: timestampSchema,
    privacyLevel: oneOf(PRIVACY_LEVELS),
    type: nullable(Type.String({ deprecated: true, example: ACTIVITY_TYPES[3] })),
    activityType: nullable(Type.String({ example: ACTIVITY_TYPES[3] })),
  },
  { title: "Interaction" },
);
