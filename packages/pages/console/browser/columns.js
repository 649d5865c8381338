import { html, nothing } from "lit-html";
import { valueIn } from "./fields.js";
import { folded } from "./parts.js";
import { changed } from "./state.js";
import { textOf } from "./value-text.js";
import { valueView } from "./value-view.js";

// Columns of a list of records: those that have values, or those that the user has chosen for this tab.

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */

/** Name under which the tab keeps the chosen columns: path of the source → names of fields. */
const STORED = "columns";
/** Most custom fields that have a column when none are chosen. */
const CUSTOM_MAX = 2;
/** Entries of a list that stand in a cell. */
const ENTRIES_MAX = 2;
/** Fields that stand in the first column. */
const NAMES = ["fullName", "name"];
/** Built-in fields that have a column when none are chosen, before the custom fields. */
const USUAL = ["jobTitle", "emails", "companies", "people", "industry"];

/** @returns {Record<string, string[]>} */
function stored() {
  return JSON.parse(sessionStorage.getItem(STORED) ?? "{}");
}

/** Forgets the chosen columns. */
export function forgetColumns() {
  sessionStorage.removeItem(STORED);
}

/** Remembers columns; undefined for the usual ones. @param {Source} source @param {string[] | undefined} names */
function choose({ path }, names) {
  sessionStorage.setItem(STORED, JSON.stringify({ ...stored(), [path]: names }));
  changed();
}

/** The field that names records of a source. @param {Field[]} fields */
export function nameField(fields) {
  return fields.find(({ name }) => NAMES.includes(name));
}

/**
 * The fields that have a column after the name.
 * @param {Source} source @param {Field[]} fields @param {any[]} items
 */
export function columnsOf(source, fields, items) {
  const offered = offeredFields(fields);
  const names = stored()[source.path];
  if (names) return offered.filter(({ name }) => names.includes(name));
  const filled = offered.filter((field) => items.some((item) => textOf(valueIn(item, field)) !== ""));
  const custom = filled.filter(({ groupId }) => groupId !== null).slice(0, CUSTOM_MAX);
  const created = filled.filter(({ name }) => name === "createdAt");
  return [...filled.filter(({ name }) => USUAL.includes(name)), ...custom, ...created];
}

/** @param {Field[]} fields */
function offeredFields(fields) {
  return fields.filter(({ name }) => !NAMES.includes(name));
}

/** The heading of a column. @param {Field} field */
export function headingOf({ groupId, label, title }) {
  return groupId === null ? label : title;
}

/** The cell of a column. @param {any} item @param {Field} field */
export function cellOf(item, field) {
  return valueView(item, field, { most: ENTRIES_MAX });
}

/** Check boxes that choose columns. @param {Source} source @param {Field[]} fields @param {Field[]} shown */
export function columnChoice(source, fields, shown) {
  const names = shown.map(({ name }) => name);
  const toggle =
    (/** @type {string} */ name) =>
    (/** @type {Event} */ { target }) =>
      choose(
        source,
        /** @type {HTMLInputElement} */ (target).checked ? [...names, name] : names.filter((one) => one !== name),
      );
  const boxes = offeredFields(fields).map(
    (field) => html`<label class="check"><input type="checkbox" .checked=${names.includes(field.name)}
      @change=${toggle(field.name)} /> ${headingOf(field)}</label>`,
  );
  const usual = html`<button type="button" @click=${() => choose(source, undefined)}>The usual columns</button>`;
  const content = html`<fieldset class="columns"><legend>Columns</legend>
    <div class="buttons">${boxes}${stored()[source.path] ? usual : nothing}</div>
  </fieldset>`;
  return folded("Columns", content, "columns");
}
