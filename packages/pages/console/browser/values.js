import { html, nothing } from "lit-html";
import { groupName } from "./groups.js";
import { folded } from "./parts.js";
import { fieldText, textOf } from "./value-text.js";

// Changes of values as a list.

/** @typedef {{ path: string[], before: unknown, after: unknown, now?: unknown }} Change */

/** Characters of a value that are shown at once. */
const TEXT_MAX = 200;

/**
 * A list of changes: field, before and after, and the value now where it is another one.
 * @param {Change[]} changes @param {string} id of what they are about
 */
export function changeList(changes, id) {
  if (changes.length === 0) return nothing;
  return html`<ul class="changes">${changes.map((change, i) => changeItem(change, `${id} ${i}`))}</ul>`;
}

/** @param {Change} change @param {string} id */
function changeItem({ path, before, after, now }, id) {
  return html`<li><b title=${path.join(".")}>${fieldText(path, groupName)}</b>:
    ${shown(before, `${id} before`)} → ${shown(after, `${id} after`)}${now === undefined ? nothing : html`, now ${shown(now, `${id} now`)}`}</li>`;
}

/** @param {unknown} value @param {string} id */
function shown(value, id) {
  const text = textOf(value);
  if (text === "") return html`<span class="soft">—</span>`;
  if (text.length <= TEXT_MAX) return html`<span>${text}</span>`;
  const start = text.slice(0, TEXT_MAX).toWellFormed();
  return html`<span>${start}… ${folded(`All ${text.length} characters`, html`<pre class="text" tabindex="0">${text}</pre>`, id)}</span>`;
}
