import { html, nothing } from "lit-html";
import { request } from "./api.js";
import { deedText, isReturn, kindText } from "./event-text.js";
import { groupName, knownGroups } from "./groups.js";
import { folded } from "./parts.js";

// Events of a preview in words, with the names of the records.

/** @typedef {import("./trial.js").Event} Event */
/** @typedef {Map<string, string>} Names id → name */

/** Events that are listed at once. */
const SHOWN_MAX = 30;
/** Most records that are read for their names. */
const READ_MAX = 10;
/** Types of events about things that are there before the write, and whose address answers with a name. */
const NAMED = /^(person|company|object|note|task|reminder)\.(?!created)/;

/** The name of a record, or its id. @param {string} id @param {Names} names */
export function nameOr(id, names) {
  const name = names.get(id);
  return name ? html`<b>${name}</b>` : html`<code>${id}</code>`;
}

/**
 * The names of the records that events are about: from the events, from the trash, and of a few others from their
 * present state.
 * @param {Event[]} events @param {Names} [known]
 * @returns {Promise<Names>}
 */
export async function namesOf(events, known = new Map()) {
  const names = new Map(known);
  for (const { data } of events) if (nameIn(data.details ?? {})) names.set(data.id, nameIn(data.details));
  const unknown = events.filter(({ data }) => !names.has(data.id));
  if (unknown.some(isReturn))
    for (const { id, fullName } of (await request("/v1/trash?limit=100")).items)
      if (!names.has(id)) names.set(id, fullName);
  const there = unknown.filter(({ type }) => NAMED.test(type));
  const paths = new Map(there.map(({ data }) => [data.id, new URL(data.url).pathname]));
  const read = [...paths].slice(0, READ_MAX).map(async ([id, path]) => names.set(id, nameIn(await request(path))));
  // A name is of no great use: the id stands in its place.
  await Promise.allSettled([...read, knownGroups()]);
  return names;
}

/** @param {any} record */
function nameIn({ fullName, name, title, content }) {
  return fullName || name || title || content?.split("\n", 1)[0].slice(0, 100);
}

/** The events as a list. @param {Event[]} events @param {Names} names */
export function foretold(events, names) {
  if (events.length === 0) return nothing;
  const item = (/** @type {Event} */ event) =>
    html`<li>${kindText(event.type.split(".", 1)[0] ?? "")} ${nameOr(event.data.id, names)} ${deedText(event, groupName)}</li>`;
  const rest = events.slice(SHOWN_MAX);
  return html`<ul>${events.slice(0, SHOWN_MAX).map(item)}</ul>
    ${rest.length > 0 ? folded(`${rest.length} more`, html`<ul>${rest.map(item)}</ul>`, "events of a preview") : nothing}`;
}
