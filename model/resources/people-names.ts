import type { Sent } from "../fields/field.ts";

/**
 * Members that were sent for a person, with those of the three names that follow from them. `current` is the person
 * before an update, null on a create. Names that are derived are not held to the limits of those that are sent.
 *
 * - Parts without `fullName`: the full name is made anew of both parts, joined by one space. A part that was not sent
 * stays.
 * - `fullName` alone: it is split at its last space.
 * - `fullName` and a part: all is stored as sent. A part that was not sent stays, and is "" on a create.
 * - Nothing: all three stay, and are "" on a create.
 *
 * docs/guides/people.md#names
 */
export function deriveNames(sent: Sent, current: Sent | null): Sent {
  const has = (name: string) => Object.hasOwn(sent, name);
  const parts = has("firstName") || has("lastName");
  if (has("fullName")) return parts ? sent : { ...sent, ...split(String(sent.fullName)) };
  if (!parts) return sent;
  const { firstName, lastName } = { firstName: "", lastName: "", ...current, ...sent };
  return { ...sent, fullName: [firstName, lastName].filter((part) => part !== "").join(" ") };
}

/** The parts of a full name, which is split at its last space. One word is the first name. */
function split(fullName: string): { firstName: string; lastName: string } {
  const at = fullName.lastIndexOf(" ");
  return at < 0
    ? { firstName: fullName, lastName: "" }
    : { firstName: fullName.slice(0, at), lastName: fullName.slice(at + 1) };
}
