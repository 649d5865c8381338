import type { ImportedCalendar, ImportedEmail, ImportedWhatsapp } from "./interaction.ts";

/** Reasons for leaving out an item that has no fault. docs/guides/import-interactions.md#the-answer */
export const LEFT_OUT = [
  "drafts",
  "spam",
  "trash",
  "copies",
  "cancelled",
  "withoutOthers",
  "outsideWindow",
  "furtherInstances",
  "systemMessages",
  "unmapped",
  "unmatched",
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** Outcome for one email, event, message or line. */
export type Outcome =
  /** `isCut`: a text was longer than an interaction may have, and its end is left out. */
  | { interaction: ImportedEmail | ImportedCalendar | ImportedWhatsapp; isCut?: boolean }
  /** The value of a line of JSON, whatever it is. */
  | { json: unknown }
  /** The reason in plain words; `path` is the member that is at fault, if it is a single one: `from.value`. */
  | { refused: string; path?: string }
  | { leftOut: LeftOut };

/** One thing that was read. `place` is its line, or its number among the mails or events of the file, from 1. */
export type Read = Outcome & { place: number };
