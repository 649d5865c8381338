/** Lengths in UTF-16 units, entries of lists, seconds. docs/guides/import-interactions.md#what-an-interaction-may-be */
export const IMPORTED_BOUNDS = {
  id: 512,
  title: 1000,
  /** An e-mail address or a telephone number. */
  participantValue: 320,
  participantName: 500,
  recipients: 500,
  subject: 1000,
  snippet: 1000,
  /** The body of a mail, the description of an event, the text of a message, the summary of a call. */
  text: 100_000,
  location: 1000,
  segments: 10_000,
  speaker: 500,
  segmentText: 10_000,
  /** The duration of a call and the times in its transcript: 31 days. */
  seconds: 31 * 24 * 60 * 60,
} as const;

/** Someone who took part in an interaction. */
export interface Participant {
  type: "email" | "phone";
  value: string;
  name?: string;
}

/** An interaction of this kind, with its times in ISO 8601. */
interface Imported<Kind extends string, Content> {
  id: string;
  interactionType: Kind;
  dateTime: string;
  title?: string;
  content: Content;
  from: Participant;
  to: Participant[];
  privacyLevel?: "full" | "subjectOnly" | "sensitive" | "internal";
}

export type ImportedEmail = Imported<"email", { subject: string; snippet: string; body: string }>;
export type ImportedCalendar = Imported<
  "calendar",
  { title: string; description: string; location: string; startTime: string; endTime: string }
>;
export type ImportedWhatsapp = Imported<"whatsapp", { text: string }>;
