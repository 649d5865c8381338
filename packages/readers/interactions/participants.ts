import type { CountryCode } from "libphonenumber-js/min";
import type { Participant } from "./interaction.ts";
import { e164 } from "./phone-numbers.ts";

/**
 * Key that two participants share who are the same: the e-mail address without letter case, or the telephone number in
 * E.164, behind the type and a colon. Null for an address without @ and for a text that is no telephone number: these
 * match no record.
 * docs/guides/import-interactions.md#who-took-part
 */
export function participantKey({ type, value }: Participant, country?: CountryCode): string | null {
  const comparable = type === "phone" ? e164(value, country) : emailAddress(value);
  return comparable === null ? null : `${type}:${comparable}`;
}

/**
 * Each participant once: the first one for each key, with a name if any of them has one. Participants without a key all
 * stay.
 */
export function eachOnce(participants: readonly Participant[], country?: CountryCode): Participant[] {
  const byKey = new Map<string, Participant>();
  for (const participant of participants) {
    const key = participantKey(participant, country) ?? `${participant.type} as written:${participant.value}`;
    const before = byKey.get(key);
    if (before?.name === undefined || before.name === "")
      byKey.set(key, { ...before, ...participant, ...(before && { value: before.value }) });
  }
  return [...byKey.values()];
}

function emailAddress(value: string): string | null {
  const address = value.trim();
  return address.includes("@") ? comparableEmail(address) : null;
}

/** Lower-case letters that Unicode's simple case folding counts as forms of another one. */
const OTHER_FORMS = /\u0345|[\u00b5\u017f\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1c80-\u1c88\u1e9b]/g;

/** The form in which an address is compared, as `comparableEmail` of the server has it: a test compares the two. */
function comparableEmail(address: string): string {
  const lower = address.normalize("NFC").toLowerCase();
  return lower.replaceAll(OTHER_FORMS, (form) => form.toUpperCase().toLowerCase()).normalize("NFC");
}
