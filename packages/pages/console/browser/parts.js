import { html, nothing } from "lit-html";
import { changed } from "./state.js";

/**
 * @typedef {string | { title: string, order: "none" | "ascending" | "descending", content: unknown }} Heading with an
 * order where the column sorts
 */

/** The head of a column. @param {Heading} heading */
function head(heading) {
  const { order, content } = typeof heading === "string" ? { order: nothing, content: heading } : heading;
  return html`<th role="columnheader" scope="col" aria-sort=${order}>${content}</th>`;
}

/**
 * A table, whose rows become lists of their cells on a phone. The roles are those of its elements: browsers forget them
 * when style sheets lay the elements out in another way.
 * @param {string} label
 * @param {Heading[]} headings
 * @param {unknown[][]} rows of cells
 * @param {string} [empty] what stands in the place of no rows
 */
export function table(label, headings, rows, empty = "Nothing here.") {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const titles = headings.map((heading) => (typeof heading === "string" ? heading : heading.title));
  const cell = (/** @type {unknown} */ content, /** @type {number} */ i) =>
    html`<td role="cell"><span class="name" aria-hidden="true">${titles[i]}</span><div>${content}</div></td>`;
  return html`<table role="table" aria-label=${label}>
    <thead role="rowgroup">
      <tr role="row">${headings.map(head)}</tr>
    </thead>
    <tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${cells.map(cell)}</tr>`)}</tbody>
  </table>`;
}

/** A moment in the time of the reader's clock. @param {string | null} iso */
export function time(iso) {
  if (!iso) return nothing;
  const text = new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return html`<time datetime=${iso} title=${iso}>${text}</time>`;
}

/**
 * Ids of what is open, so that it stays open where it moves, and another one at its place does not open. @type
 * {Set<string>}
 */
const opened = new Set();

/** Gives the focus to an element, once the page has been drawn. @param {string} selector */
export function focusOn(selector) {
  changed();
  queueMicrotask(() => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus());
}

/** A day in the reader's calendar. @param {string} iso */
export function day(iso) {
  return html`<time datetime=${iso} title=${iso}>${new Date(iso).toLocaleDateString(undefined, { dateStyle: "medium" })}</time>`;
}

/** Closes what was opened. @param {string} id */
export function fold(id) {
  opened.delete(id);
}

/**
 * Content that opens below its line.
 * @param {unknown} summary @param {unknown} content @param {string} id of what the content is about
 * @param {() => void} [onOpen] called when it is opened
 */
export function folded(summary, content, id, onOpen) {
  const note = (/** @type {Event} */ { target }) => {
    if (!(/** @type {HTMLDetailsElement} */ (target).open)) opened.delete(id);
    else if (!opened.has(id)) {
      opened.add(id);
      onOpen?.();
    }
    changed();
  };
  return html`<details ?open=${opened.has(id)} @toggle=${note}><summary>${summary}</summary>
    ${content}</details>`;
}

/**
 * Any value as JSON that opens below its line.
 * @param {string} summary @param {unknown} value @param {string} id of what the JSON is about
 * @param {() => void} [onOpen] called when the JSON is opened
 */
export function json(summary, value, id, onOpen) {
  return folded(summary, html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`, id, onOpen);
}

/**
 * A text that can be copied. Browsers have no clipboard for pages that come without TLS from another machine.
 * @param {string} label @param {string} text
 */
export function copied(label, text) {
  const copy = html`<button @click=${() => navigator.clipboard.writeText(text)} aria-label="Copy ${label}">Copy</button>`;
  return html`<div class="copied"><span>${label}</span><code tabindex="0">${text}</code>
    ${globalThis.isSecureContext ? copy : nothing}</div>`;
}

/**
 * A choice of a few words.
 * @param {string} label @param {readonly (string | [value: string, text: string])[]} options @param {string} value
 * @param {(value: string) => void} choose
 */
export function choice(label, options, value, choose) {
  const all = options.map((one) => (typeof one === "string" ? [one, one] : one));
  return html`<label>${label}
    <select @change=${(/** @type {Event} */ { target }) => choose(/** @type {HTMLSelectElement} */ (target).value)}>
      ${all.map(([word, text]) => html`<option value=${word} .selected=${word === value}>${text}</option>`)}
    </select></label>`;
}
