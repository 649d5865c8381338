import type { CountryCode } from "libphonenumber-js/min";
import { IMPORTED_BOUNDS, type Participant } from "../interaction.ts";
import { e164 } from "../phone-numbers.ts";
import { fitted } from "../plain-text.ts";
import { nameOf } from "./line.ts";

/** The people of a chat by their normalized names in it. */
export type People = Map<string, Participant>;

/** No name in a chat is longer. */
const NAME_LENGTH_MAX = 1000;

/** Form of a name for comparing. */
export function nameKey(name: string): string {
  const shown = nameOf(name);
  return shown.length > NAME_LENGTH_MAX ? shown : shown.normalize("NFC");
}

/** Participant for a phone number as sender; null for a name. */
export function byNumber(name: string, country?: CountryCode): Participant | null {
  const number = e164(name, country);
  return number === null ? null : { type: "phone", value: number };
}

/**
 * Participant with a name in the chat and a telephone number or an e-mail address; null for a value that is neither.
 */
export function participantOf(name: string, value: string, country?: CountryCode): Participant | null {
  const known = { name: fitted(nameOf(name), IMPORTED_BOUNDS.participantName).text };
  const number = e164(value, country);
  if (number !== null) return { type: "phone", value: number, ...known };
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= IMPORTED_BOUNDS.participantValue;
  return isAddress ? { type: "email", value, ...known } : null;
}
