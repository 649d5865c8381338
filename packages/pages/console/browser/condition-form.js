import { html, nothing } from "lit-html";
import { conditionOn, takesValue } from "./filter.js";
import { choice } from "./parts.js";
import { changed } from "./state.js";

// The form in which a filter is put together.

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./filter.js").Condition} Condition */

/** The conditions, and how they are combined. @param {import("./filter.js").Question} draft @param {Field[]} fields */
export function conditionForm(draft, fields) {
  const { conditions, combinator } = draft;
  const add = () => {
    const [first] = fields;
    if (first) conditions.push(conditionOn(first));
    changed();
  };
  const combine = (/** @type {string} */ value) => {
    draft.combinator = value;
    changed();
  };
  return html`<fieldset><legend>Filter</legend>
    ${conditions.map((condition, index) => row(conditions, condition, index, fields))}
    <div class="buttons">
      <button type="button" @click=${add}>Add a condition</button>
      ${
        conditions.length > 1
          ? choice(
              "Must hold",
              [
                ["and", "all"],
                ["or", "any"],
              ],
              combinator,
              combine,
            )
          : nothing
      }
      <button class="main">Find</button>
    </div>
  </fieldset>`;
}

/** @param {Condition[]} conditions @param {Condition} condition @param {number} index @param {Field[]} fields */
function row(conditions, condition, index, fields) {
  const field = fields.find(({ name }) => name === condition.field);
  const change = (/** @type {Partial<Condition>} */ part) => {
    Object.assign(condition, part);
    changed();
  };
  const remove = () => {
    conditions.splice(index, 1);
    changed();
  };
  const chooseField = (/** @type {string} */ name) => {
    const other = fields.find((one) => one.name === name);
    if (other) change(conditionOn(other));
  };
  // An address may name a field that is gone.
  const known = fields.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]));
  return html`<div class="condition" role="group" aria-label="Condition ${index + 1}">
    ${choice("Field", field ? known : [[condition.field, condition.field], ...known], condition.field, chooseField)}
    ${choice("Operator", field?.operators ?? [condition.operator], condition.operator, (operator) => change({ operator }))}
    ${takesValue(condition.operator) ? valueInput(field, condition, change) : nothing}
    <button type="button" aria-label="Remove condition ${index + 1}" @click=${remove}>Remove</button>
  </div>`;
}

/** Placeholder of the input by kind of field. @type {Record<string, string>} */
const HINTS = { id: "ids, with commas between them", email: "e-mail addresses, with commas between them" };

/**
 * @param {Field | undefined} field @param {Condition} condition @param {(part: Partial<Condition>) => void} change
 */
function valueInput(field, { value }, change) {
  const { kind = "TEXT", options, by = "value" } = field ?? {};
  if (options) return choice("Value", options, value, (chosen) => change({ value: chosen }));
  const write = (/** @type {Event} */ { target }) => change({ value: /** @type {HTMLInputElement} */ (target).value });
  return html`<label>Value
    <input type=${["DATE", "DAY"].includes(kind) ? "date" : "text"} inputmode=${kind === "NUMBER" ? "decimal" : nothing}
      placeholder=${HINTS[by] ?? nothing} .value=${value} @input=${write} /></label>`;
}
