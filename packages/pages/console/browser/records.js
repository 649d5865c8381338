import { html, nothing } from "lit-html";
import { nextPath, request } from "./api.js";
import { addressOf, fieldsOf, sources, takesValue } from "./filter.js";
import { closeHistory, history, openHistory } from "./history.js";
import { choice, copied, day, json, table } from "./parts.js";
import { attempt, changed } from "./state.js";
import { textOf } from "./value-text.js";

// People, companies and objects, with a filter that is put together here and shown as the address that it makes.

/** @typedef {import("./filter.js").Source} Source */
/** @typedef {import("./filter.js").Field} Field */
/** @typedef {import("./filter.js").Condition} Condition */

/** @type {Source[]} */
let known = [];
/** @type {Source | undefined} */
let source;
/** @type {Field[]} */
let fields = [];
/** @type {Condition[]} */
let conditions = [];
let combinator = "and";
/** @type {{ items: any[], next: string | null, address: string } | null} */
let page = null;

/** @param {string} path */
async function choose(path) {
  source = known.find((one) => one.path === path) ?? known[0];
  if (!source) return;
  conditions = [];
  page = null;
  closeHistory();
  fields = await fieldsOf(source);
  await find();
}

async function find() {
  if (source) await read(addressOf(source, fields, conditions, combinator));
}

/** @param {string} address */
async function read(address) {
  const data = await request(address);
  page = { items: data.items, next: nextPath(data), address };
}

export const records = {
  title: "Records",
  async open() {
    known = await sources();
    if (!source) await choose("/v1/people");
  },
  close: closeHistory,
  view() {
    if (!source) return html`<p class="soft">Loading…</p>`;
    const address = addressOf(source, fields, conditions, combinator);
    return html`<form @submit=${submit}>
        ${choice(
          "Records",
          known.map(({ path, title }) => [path, title]),
          source.path,
          (path) => void attempt(() => choose(path)),
        )}
        <fieldset><legend>Filter</legend>
          ${conditions.map(row)}
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
        </fieldset>
      </form>
      ${copied("Address", location.origin + address)}
      ${copied("Command", `curl -sg '${location.origin}${address.replaceAll("'", "%27")}' -H "Authorization: Bearer $KEY"`)}
      ${page ? found(page) : nothing}
      ${history()}`;
  },
};

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  void attempt(find);
}

function add() {
  const [first] = fields;
  if (first)
    conditions.push({ field: first.name, operator: first.operators[0] ?? "eq", value: first.options?.[0] ?? "" });
  changed();
}

/** @param {string} value */
function combine(value) {
  combinator = value;
  changed();
}

/** @param {Condition} condition @param {number} index */
function row(condition, index) {
  const field = fields.find(({ name }) => name === condition.field);
  if (!field) return nothing;
  const change = (/** @type {Partial<Condition>} */ part) => {
    Object.assign(condition, part);
    changed();
  };
  return html`<div class="condition" role="group" aria-label="Condition ${index + 1}">
    ${choice(
      "Field",
      fields.map(({ name, title }) => [name, title]),
      field.name,
      (name) => {
        const other = fields.find((one) => one.name === name);
        change({ field: name, operator: other?.operators[0] ?? "eq", value: other?.options?.[0] ?? "" });
      },
    )}
    ${choice("Operator", field.operators, condition.operator, (operator) => change({ operator }))}
    ${takesValue(condition.operator) ? valueInput(field, condition, change) : nothing}
    <button type="button" aria-label="Remove condition ${index + 1}" @click=${() => {
      conditions.splice(index, 1);
      changed();
    }}>Remove</button>
  </div>`;
}

/** Placeholder of the input by kind of field. @type {Record<string, string>} */
const HINTS = { id: "ids, with commas between them", email: "e-mail addresses, with commas between them" };

/** @param {Field} field @param {Condition} condition @param {(part: Partial<Condition>) => void} change */
function valueInput({ kind, options, by = "value" }, condition, change) {
  if (options) return choice("Value", options, condition.value, (value) => change({ value }));
  return html`<label>Value
    <input type=${["DATE", "DAY"].includes(kind) ? "date" : "text"} inputmode=${kind === "NUMBER" ? "decimal" : nothing}
      placeholder=${HINTS[by] ?? nothing} .value=${condition.value}
      @input=${(/** @type {Event} */ { target }) => change({ value: /** @type {HTMLInputElement} */ (target).value })} /></label>`;
}

/** Most custom fields that have a column. */
const CUSTOM_COLUMNS = 2;

/** Native columns that a list may have, beside the name. @type {{ title: string, of(item: any): string }[]} */
const NATIVE_COLUMNS = [
  { title: "Job title", of: ({ jobTitle }) => jobTitle ?? "" },
  { title: "Email", of: ({ emails }) => emails?.[0] ?? "" },
  { title: "Companies", of: ({ companies }) => names(companies) },
  { title: "People", of: ({ people }) => names(people) },
  { title: "Industry", of: ({ industry }) => industry ?? "" },
];

/**
 * The columns between name and time: the native ones and the first custom fields that a record of the page has a value
 * in.
 * @param {any[]} items
 */
function columnsOf(items) {
  const custom = fields.filter(({ name }) => name.startsWith("customFieldValues."));
  const all = [...NATIVE_COLUMNS, ...custom.map(({ name, title }) => ({ title, of: customTextOf(name) }))];
  const filled = all.filter(({ of }) => items.some((item) => of(item) !== ""));
  const natives = filled.filter((column) => NATIVE_COLUMNS.includes(column));
  return [...natives, ...filled.filter((column) => !natives.includes(column)).slice(0, CUSTOM_COLUMNS)];
}

/** Gives the text of a custom value. @param {string} field as filters name it */
function customTextOf(field) {
  const path = field.slice("customFieldValues.".length);
  return (/** @type {any} */ { customFieldValues = {} }) => {
    const groupId = source?.groupId === null ? path.slice(0, path.indexOf(".")) : null;
    const values = groupId === null ? customFieldValues : customFieldValues[groupId];
    return textOf(values?.[groupId === null ? path : path.slice(groupId.length + 1)]);
  };
}

/** @param {{ fullName?: string, name?: string }[]} [entries] */
function names(entries = []) {
  return entries.map(({ fullName, name }) => fullName ?? name).join(", ");
}

/** @param {{ items: any[], next: string | null }} shown */
function found({ items, next }) {
  const columns = columnsOf(items);
  const rows = items.map((item) => [
    html`<span class="any">${item.fullName || item.name || html`<span class="soft">without a name</span>`}</span>`,
    ...columns.map(({ of }) => of(item)),
    day(item.createdAt),
    html`${json("JSON", item, item.id)}${historyButton(item)}`,
  ]);
  return html`<h2>${items.length} ${items.length === 1 ? "record" : "records"}${next ? " on this page" : ""}</h2>
    ${table("Records", ["Name", ...columns.map(({ title }) => title), "Created", "Record"], rows, "No record matches.")}
    ${next ? html`<button @click=${() => attempt(() => read(next))}>Next page</button>` : nothing}`;
}

/** @param {any} item */
function historyButton({ id, fullName, name }) {
  const title = fullName || name || id;
  const open = () => attempt(() => openHistory(title, `${source?.path}/${id}`));
  return html`<button aria-label="History of ${title}" @click=${open}>History</button>`;
}
