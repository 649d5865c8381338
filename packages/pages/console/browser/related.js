import { html, nothing } from "lit-html";
import { linkTo, queryOf, recordLink } from "./address.js";
import { request } from "./api.js";
import { sources } from "./fields.js";
import { changed } from "./state.js";
import { recordName } from "./value-text.js";

// Records that are linked to one: the people of a company, the deals of both.

/** @typedef {import("./fields.js").Source} Source */
/** @typedef {{ source: Source, query: string, items: any[], isWhole: boolean }} Related */

/** Records of a list that are named. */
const LIMIT = 10;

/** @type {Related[]} */
let shown = [];
/** Id of the record that they are linked to. */
let linked = "";

/** Reads the records that are linked to one. @param {Source} source of the record @param {string} id */
export async function readRelated({ path }, id) {
  if (linked !== id) shown = [];
  linked = id;
  const field = { "/v1/people": "people", "/v1/companies": "companies" }[path];
  const lists = field ? (await sources()).filter((one) => names(one, field)) : [];
  const found = await Promise.all(lists.map((list) => read(list, `filter[${field}][in][id]`, id)));
  if (linked === id) shown = found.filter(({ items }) => items.length > 0);
  changed();
}

/** Whether records of a list name others in a field. @param {Source} source @param {string} field */
function names({ groupId, path }, field) {
  return groupId !== null || (path === "/v1/people" && field === "companies");
}

/** @param {Source} source @param {string} filter @param {string} id @returns {Promise<Related>} */
async function read(source, filter, id) {
  const query = queryOf([[filter, id]]);
  const { items, pagination } = await request(`${source.path}?${query}&limit=${LIMIT}`);
  return { source, query, items, isWhole: !pagination.nextLink };
}

/** The linked records, list by list; nothing without any. */
export function related() {
  return shown.map(
    ({ source, query, items, isWhole }) => html`<section>
      <h2>${source.title}</h2>
      <ul>${items.map((item) => html`<li><a class="any" href=${recordLink(`${source.path}/${item.id}`)}>${recordName(item)}</a></li>`)}</ul>
      ${isWhole ? nothing : html`<p><a href=${linkTo("records", source.parts, query)}>All ${source.title} of this record</a></p>`}
    </section>`,
  );
}
