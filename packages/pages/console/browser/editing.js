import { html, nothing } from "lit-html";
import { changeFirst } from "./changing.js";
import { valueIn } from "./fields.js";
import { focusOn } from "./parts.js";
import { recordName, textOf } from "./value-text.js";

// Values of a record that are edited in their place. docs/guides/console.md#changing-values

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./changing.js").Kept} Kept */

/**
 * The field that is being edited, and its value when that began: what the user has written since stays when the record
 * is read again. @type {{ name: string, begun: any } | null}
 */
let edited = null;

const BREAK = /[\r\n]/;

/** Ends the editing without a write. */
export function stopEditing() {
  edited = null;
}

/** Whether a field is being edited. @param {Field} field */
export function isEdited({ name }) {
  return edited?.name === name;
}

/**
 * The button that opens the form of a field.
 * @param {any} record @param {Field} field @param {number} index of the field in the page
 */
export function editButton(record, field, index) {
  const open = () => {
    edited = { name: field.name, begun: valueIn(record, field) };
    focusOn(".edit :is(input, select, textarea)");
  };
  return html`<button id="edit-${index}" aria-label="Edit ${field.label}" @click=${open}>Edit</button>`;
}

/**
 * The form of a field, which is previewed before it is written.
 * @param {Kept} kept @param {Field} field @param {number} index of the field in the page
 * @param {{ fields: Field[], after: () => Promise<unknown> }} rest
 */
export function editForm(kept, field, index, { fields, after }) {
  const { record } = kept;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const value = sentValue(field, /** @type {HTMLFormElement} */ (event.target));
    void changeFirst({
      title: `Change ${field.label} of ${recordName(record)}`,
      verb: "Save",
      method: "PATCH",
      body: bodyFor(field, value),
      read: async () => kept,
      fields,
      done() {
        edited = null;
        return `${field.label} of ${recordName(record)} is changed.`;
      },
      after,
    });
  };
  const cancel = () => {
    edited = null;
    focusOn(`#edit-${index}`);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") cancel();
  };
  return html`<form class="edit" @submit=${submit} @keydown=${keys}>
    ${input(field, edited?.begun)}
    <div class="buttons">
      <button class="main">Preview</button>
      <button type="button" @click=${cancel}>Cancel</button>
    </div>
  </form>`;
}

/** @param {Field} field @param {any} value */
function input({ form, label, options = [] }, value) {
  switch (form) {
    case "choice":
      return html`<select name="value" aria-label=${label}>
        <option value="">—</option>
        ${options.map((option) => html`<option value=${option} .selected=${option === value}>${option}</option>`)}
      </select>`;
    case "choices":
      return html`<div class="buttons" role="group" aria-label=${label}>${options.map(
        (option) => html`<label class="check"><input type="checkbox" name="value" value=${option}
          .checked=${Boolean(value?.includes(option))} /> ${option}</label>`,
      )}</div>`;
    case "text":
      return area(label, value ?? "");
    case "lines":
      return list(label, value ?? []);
    default:
      // A field of one line would drop the others.
      if (BREAK.test(textOf(value))) return area(label, value);
      return html`<input name="value" type=${form === "date" ? "date" : "text"} inputmode=${form === "number" ? "decimal" : nothing}
        aria-label=${label} autocomplete="off" .value=${textOf(value)} />`;
  }
}

/** @param {string} label @param {string} text */
function area(label, text) {
  return html`<textarea name="value" rows="4" aria-label=${label} .value=${text}></textarea>`;
}

/**
 * A list with an entry in each line, or with a box for each entry where one has several lines.
 * @param {string} label @param {string[]} entries
 */
function list(label, entries) {
  if (entries.some((entry) => BREAK.test(entry)))
    return [...entries, ""].map((entry, i) => area(`${label} ${i + 1}`, entry));
  return html`${area(`${label}, one in each line`, entries.join("\n"))}<p class="soft">One in each line.</p>`;
}

/** The value of the form as the API takes it. @param {Field} field @param {HTMLFormElement} form */
function sentValue({ form: kind }, form) {
  const values = new FormData(form).getAll("value").map((value) => String(value).replaceAll("\r\n", "\n"));
  const [first = ""] = values;
  switch (kind) {
    case "choices":
      return values;
    case "lines":
      // With a box for each entry there are several.
      return (values.length > 1 ? values : first.split("\n"))
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "");
    case "line":
    case "text":
      return first;
    default:
      return first.trim() === "" ? null : first.trim();
  }
}

/** A body that sets one value. @param {Field} field @param {unknown} value @returns {object} */
export function bodyFor({ path }, value) {
  return /** @type {object} */ (path.reduceRight((inner, member) => ({ [member]: inner }), value));
}
