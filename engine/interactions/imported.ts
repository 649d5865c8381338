import {
  IMPORTED_BOUNDS,
  type ImportedCalendar,
  type ImportedEmail,
  type ImportedWhatsapp,
} from "contact-workspace-readers/interaction";
import type { Issue, Path } from "../../base/contract/issues.ts";
import {
  byTag,
  closed,
  nullable,
  oneOf,
  plainText,
  type Static,
  type TSchema,
  Type,
} from "../../base/contract/schema.ts";
import { issuesOf } from "../../base/contract/validate.ts";

export const PRIVACY_LEVELS = ["full", "subjectOnly", "sensitive", "internal"] as const;
export const CALL_STATUSES = ["ongoing", "processing", "completed", "missed", "failed"] as const;

const bounds = IMPORTED_BOUNDS;
const timestamp = () => Type.String({ format: "timestamp" });
const seconds = () => Type.Number({ minimum: 0, maximum: bounds.seconds });

export const participantSchema = closed({
  type: oneOf(["email", "phone"]),
  value: plainText(bounds.participantValue, { minLength: 1 }),
  name: Type.Optional(plainText(bounds.participantName)),
});

const emailContent = closed({
  subject: plainText(bounds.subject),
  snippet: plainText(bounds.snippet),
  body: plainText(bounds.text),
});

const calendarContent = closed({
  title: plainText(bounds.title),
  description: plainText(bounds.text),
  location: plainText(bounds.location),
  startTime: timestamp(),
  endTime: timestamp(),
});

const whatsappContent = closed({ text: plainText(bounds.text) });

const callContent = closed({
  status: oneOf(CALL_STATUSES),
  duration: Type.Integer({ minimum: 0, maximum: bounds.seconds }),
  summary: Type.Optional(nullable(plainText(bounds.text))),
  transcript: Type.Optional(
    Type.Array(
      closed({
        speaker: plainText(bounds.speaker),
        text: plainText(bounds.segmentText),
        startTime: seconds(),
        endTime: seconds(),
      }),
      { maxItems: bounds.segments },
    ),
  ),
});

function imported<const Kind extends string, Content extends TSchema>(kind: Kind, content: Content) {
  return closed({
    id: plainText(bounds.id, { minLength: 1 }),
    interactionType: oneOf([kind]),
    dateTime: timestamp(),
    title: Type.Optional(plainText(bounds.title)),
    content,
    from: participantSchema,
    to: Type.Array(participantSchema, { minItems: 1, maxItems: bounds.recipients }),
    privacyLevel: Type.Optional(oneOf(PRIVACY_LEVELS)),
  });
}

const email = imported("email", emailContent);
const calendar = imported("calendar", calendarContent);
const whatsapp = imported("whatsapp", whatsappContent);
const call = imported("call", callContent);

/**
 * One interaction of another system, as an import takes it.
 * docs/guides/import-interactions.md#what-an-interaction-may-be
 */
export const importedInteractionSchema = byTag("interactionType", [email, calendar, whatsapp, call]);

export type ImportedCall = Static<typeof call>;
export type ImportedInteraction = ImportedEmail | ImportedCalendar | ImportedWhatsapp | ImportedCall;

/** Issues of a value as an imported interaction, none when it is one. `at` is put before every path. */
export function importedIssues(value: unknown, at: Path = []): Issue[] {
  return issuesOf(importedInteractionSchema, value, at);
}

/** True if a value is an imported interaction; `importedIssues` gives the reason if it is not. */
export function isImportedInteraction(value: unknown): value is ImportedInteraction {
  return importedIssues(value).length === 0;
}
