import { fieldText } from "./value-text.js";

// Events as words: the kind of a thing, and what happens to it.

/** @typedef {import("./trial.js").Event} Event */

/** Words of kinds that are not words by themselves. @type {Record<string, string>} */
const KINDS = { customField: "custom field", key: "API key" };

/** A kind of thing in words. @param {string} kind */
export function kindText(kind) {
  return KINDS[kind] ?? kind;
}

/** A count in words: "1 record". @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/** Whether something comes back by a restore or an undo. @param {Event} event */
export function isReturn({ data }) {
  return data.details?.restored === true;
}

/**
 * The predicate of an event: "is created".
 * @param {Event} event @param {(groupId: string) => string | undefined} groupName
 */
export function deedText({ type, data }, groupName) {
  const verb = type.slice(type.indexOf(".") + 1);
  if (isReturn({ type, data })) return "comes back";
  if (verb === "created") return "is created";
  if (verb === "deleted") return type.startsWith("interaction") ? "is deleted" : "goes into the trash";
  if (verb === "merged") return "is merged";
  const fields = [...new Set((data.changes ?? []).map((/** @type {any} */ { path }) => fieldText(path, groupName)))];
  return fields.length > 0 ? `changes: ${fields.join(", ")}` : "changes";
}
