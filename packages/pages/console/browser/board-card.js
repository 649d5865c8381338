import { html, nothing } from "lit-html";
import { canWrite } from "./access.js";
import { recordLink } from "./address.js";
import { changeFirst, readRecord } from "./changing.js";
import { bodyFor } from "./editing.js";
import { fold, folded } from "./parts.js";
import { recordName } from "./value-text.js";
import { valueView } from "./value-view.js";

// A card of a board, which moves to another column by a change that is previewed first.

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./board-columns.js").Column} Column */
/**
 * @typedef {{ layout: import("./board-columns.js").Layout, fields: Field[], columns: Column[], column: Column,
 * after: () => Promise<unknown> }} Place
 */

/** Links of an object that its card names. */
const LINKS = ["companies", "people"];
/** Entries of a list on a card. */
const ENTRIES_MAX = 2;

/** @param {Place} place @param {any} item */
export function boardCard(place, item) {
  const { layout, fields } = place;
  const { source, sum } = layout;
  const links = fields.filter(({ name }) => LINKS.includes(name));
  const lines = [...(sum ? [sum] : []), ...links].map((field) => valueView(item, field, { most: ENTRIES_MAX }));
  return html`<li class="card">
    <p><a class="any" href=${recordLink(`${source.path}/${item.id}`)}>${recordName(item)}</a></p>
    ${lines.map((line) => (line === nothing ? nothing : html`<p class="soft">${line}</p>`))}
    ${canWrite() ? moveMenu(place, item) : nothing}
  </li>`;
}

/** @param {Place} place @param {any} item */
function moveMenu(place, item) {
  const { columns, column } = place;
  const others = columns.filter(({ value }) => value !== column.value);
  const buttons = others.map(
    ({ value }) => html`<button @click=${() => move(place, item, value)}>${titleOf(place, value)}</button>`,
  );
  // Its summary says which card moves, for readers who hear it alone.
  const summary = html`Move<span class="unseen"> ${recordName(item)}</span> to …`;
  return folded(summary, html`<div class="buttons">${buttons}</div>`, `move ${item.id}`);
}

/** @param {Place} place @param {string | null} value */
function titleOf({ layout: { by } }, value) {
  return value ?? `Without ${by.label}`;
}

/** @param {Place} place @param {any} item @param {string | null} value */
function move(place, item, value) {
  const { layout, fields, after } = place;
  const { source, by } = layout;
  const title = titleOf(place, value);
  return changeFirst({
    title: `Move ${recordName(item)} to ${title}`,
    verb: "Move",
    method: "PATCH",
    body: bodyFor(by, value),
    read: () => readRecord(`${source.path}/${item.id}`),
    fields,
    done() {
      fold(`move ${item.id}`);
      return `${recordName(item)} is in ${title}.`;
    },
    after,
  });
}
