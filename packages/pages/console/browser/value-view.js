import { html, nothing } from "lit-html";
import { referenceLink } from "./address.js";
import { valueIn } from "./fields.js";
import { day } from "./parts.js";
import { numberText, textOf, wrapping } from "./value-text.js";

// Values of records as parts of a page: numbers in their format, references as links.

/** @typedef {import("./fields.js").Field} Field */

/** Characters of a text that stand in a list. */
const TEXT_MAX = 120;
/** Addresses that a value may lead to. */
const WEB = /^https?:\/\//i;

/**
 * The value of a field in a record; nothing for one that is not set.
 * @param {any} record @param {Field} field @param {{ most?: number }} [limits] most: entries of a list that are shown
 */
export function valueView(record, field, { most = Number.POSITIVE_INFINITY } = {}) {
  const value = valueIn(record, field);
  if (textOf(value) === "") return nothing;
  if (field.kind === "DAY") return day(value);
  if (field.kind === "NUMBER" && field.config)
    return html`<span title=${value}>${numberText(value, field.config)}</span>`;
  const wraps = wrapping(textOf(value));
  if (!Array.isArray(value)) return html`<span class="lines ${wraps}">${cut(textOf(value), most)}</span>`;
  const shown = value.slice(0, most).map((one, i) => html`${i > 0 ? ", " : nothing}${entryView(one, field)}`);
  const rest = value.length - most;
  return html`<span class=${wraps}>${shown}${rest > 0 ? html` <span class="soft">and ${rest} more</span>` : nothing}</span>`;
}

/** A text as it is, or its beginning where lists are short too. @param {string} text @param {number} most */
function cut(text, most) {
  return most === Number.POSITIVE_INFINITY || text.length <= TEXT_MAX
    ? text
    : `${text.slice(0, TEXT_MAX).toWellFormed()}…`;
}

/** @param {any} entry @param {Field} field */
function entryView(entry, { groupId }) {
  const text = textOf(entry);
  if (typeof entry === "object") {
    const link = referenceLink(entry, groupId);
    return link ? html`<a href=${link}>${text}</a>` : text;
  }
  return WEB.test(text) ? html`<a href=${text} rel="noopener noreferrer">${text}</a>` : text;
}
