import { html, nothing } from "lit-html";
import { canWrite } from "./access.js";
import { changeFirst, readRecord } from "./changing.js";
import { fieldsOf, valueIn } from "./fields.js";
import { focusOn, table } from "./parts.js";
import { changed } from "./state.js";
import { recordName, textOf } from "./value-text.js";
import { valueView } from "./value-view.js";

// Two records beside each other, and their merge. docs/guides/console.md#duplicates

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */
/** @typedef {import("./changing.js").Kept} Kept */

/** @type {{ fields: Field[], kept: Kept[], after: () => Promise<unknown> } | null} */
let shown = null;
/** Fields that differ for any two records, and say nothing. */
const SERVER_FIELDS = ["createdAt", "createdBy"];

/** Closes the comparison. */
export function closeComparison() {
  shown = null;
}

/**
 * Reads two records and shows them beside each other.
 * @param {Source} source @param {{ id: string }[]} records @param {() => Promise<unknown>} after called after a merge
 */
export async function compare(source, records, after) {
  const [fields, ...kept] = await Promise.all([
    fieldsOf(source),
    ...records.map(({ id }) => readRecord(`${source.path}/${id}`)),
  ]);
  shown = { fields, kept, after };
  focusOn("#comparison");
}

/** The open comparison; nothing without one. */
export function comparison() {
  if (!shown) return nothing;
  const { fields, kept } = shown;
  const names = kept.map(({ record }) => recordName(record));
  const filled = fields.filter((field) => kept.some(({ record }) => textOf(valueIn(record, field)) !== ""));
  // Differences come first, because they decide.
  const differing = filled.filter((field) => !isSame(field, kept) && !SERVER_FIELDS.includes(field.name));
  const rest = filled.filter((field) => !differing.includes(field));
  const close = () => {
    closeComparison();
    changed();
    focusOn("#pairs");
  };
  return html`<section aria-labelledby="comparison">
    <h2 id="comparison" tabindex="-1">${names.join(" and ")}</h2>
    ${table(
      "Comparison",
      ["Field", ...names.map((name, i) => `${i + 1}: ${name}`)],
      [...differing.map((field) => row(field, kept, true)), ...rest.map((field) => row(field, kept, false))],
    )}
    <div class="buttons">
      ${canWrite() ? kept.map((_, survivor) => mergeButton(survivor)) : nothing}
      <button @click=${close}>Close the comparison</button>
    </div>
  </section>`;
}

/** @param {Field} field @param {Kept[]} kept */
function isSame(field, kept) {
  const [first, ...others] = kept.map(({ record }) => JSON.stringify(valueIn(record, field)));
  return others.every((other) => other === first);
}

/** @param {Field} field @param {Kept[]} kept @param {boolean} differs */
function row(field, kept, differs) {
  const name = field.groupId === null ? field.label : field.title;
  return [
    html`${name}${differs ? html` <span class="mark">differs</span>` : nothing}`,
    ...kept.map(({ record }) => valueView(record, field)),
  ];
}

/** Merges the other record into one of the two. @param {number} survivor */
function mergeButton(survivor) {
  const { kept, fields, after } = /** @type {NonNullable<typeof shown>} */ (shown);
  const stays = /** @type {Kept} */ (kept[survivor]);
  const goes = /** @type {Kept} */ (kept[1 - survivor]);
  const [name, other] = [recordName(stays.record), recordName(goes.record)];
  const merge = () =>
    changeFirst({
      title: `Merge ${other} into ${name}`,
      verb: "Merge",
      method: "POST",
      body: { records: [{ id: goes.record.id }] },
      read: async () => stays,
      below: "/merge",
      fields,
      merged: [goes.record.id],
      done: () => `${other} is merged into ${name}.`,
      after,
    });
  return html`<button @click=${merge}>Merge into ${survivor + 1}: ${name}</button>`;
}
