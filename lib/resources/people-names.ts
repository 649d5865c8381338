import type { Sent } from "../fields/field.ts";

/**
 * The three names of a person from what was sent. gaps 4, "Names". Derived names are not held to the limits of sent ones.
 * On create: all given are kept; only fullName is split at its last space; parts are joined by one space.
 * On update: parts without fullName make it anew from the resulting two; fullName alone is split; with a part, what is
 * given is stored and the other part stays.
 */
export function deriveNames(sent: Sent, current: Sent | null): Sent {
  const has = (name: string) => Object.hasOwn(sent, name);
  const parts = has("firstName") || has("lastName");
  if (has("fullName")) return parts ? sent : { ...sent, ...split(String(sent.fullName)) };
  if (!parts) return sent;
  const { firstName, lastName } = { firstName: "", lastName: "", ...current, ...sent };
  return { ...sent, fullName: [firstName, lastName].filter((part) => part !== "").join(" ") };
}

/** At the last space; one word is the first name. */
function split(fullName: string): { firstName: string; lastName: string } {
  const at = fullName.lastIndexOf(" ");
  return at < 0
    ? { firstName: fullName, lastName: "" }
    : { firstName: fullName.slice(0, at), lastName: fullName.slice(at + 1) };
}
