import { html, nothing } from "lit-html";
import { headingOf } from "./columns.js";
import { choice } from "./parts.js";

// The order of a list: by the heads of its columns, or by two choices, which a phone has too. docs/guides/sorting.md

/** @typedef {import("./fields.js").Field} Field */

/** @param {string} sort as the API takes it */
function parts(sort) {
  return { name: sort.replace(/^-/, ""), isDescending: sort.startsWith("-") };
}

/**
 * The head of a column, whose button sorts: ascending, descending, as created.
 * @param {string} title @param {Field | undefined} field @param {string} sort @param {(sort: string) => void} choose
 * @returns {import("./parts.js").Heading}
 */
export function sortedHeading(title, field, sort, choose) {
  if (!field?.isSorted) return title;
  const { name, isDescending } = parts(sort);
  const order = name !== field.name ? "none" : isDescending ? "descending" : "ascending";
  const next = { none: field.name, ascending: `-${field.name}`, descending: "" }[order];
  const mark = { none: "↕", ascending: "↑", descending: "↓" }[order];
  return {
    title,
    order,
    content: html`<button class="head" @click=${() => choose(next)}>${title} <span aria-hidden="true">${mark}</span></button>`,
  };
}

/** The same as two choices. @param {Field[]} fields @param {string} sort @param {(sort: string) => void} choose */
export function sortChoice(fields, sort, choose) {
  const { name, isDescending } = parts(sort);
  const sorted = fields
    .filter(({ isSorted }) => isSorted)
    .map((field) => /** @type {[string, string]} */ ([field.name, headingOf(field)]));
  const order = choice(
    "Order",
    [
      ["", "ascending"],
      ["-", "descending"],
    ],
    isDescending ? "-" : "",
    (sign) => choose(`${sign}${name}`),
  );
  return html`${choice("Sort by", [["", "order of creation"], ...sorted], name, (field) =>
    choose(field === "" ? "" : `${isDescending ? "-" : ""}${field}`),
  )}
    ${sort === "" ? nothing : order}`;
}
