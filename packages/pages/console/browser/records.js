import { html, nothing } from "lit-html";
import { canWrite, learnAccess } from "./access.js";
import { goTo, linkTo, recordLink } from "./address.js";
import { nextPath, request } from "./api.js";
import { cellOf, columnChoice, columnsOf, headingOf, nameField } from "./columns.js";
import { conditionForm } from "./condition-form.js";
import { newRecord } from "./creating.js";
import { counted } from "./event-text.js";
import { fieldsOf, sourceNamed, sources } from "./fields.js";
import { filterIn, questionOf, questionQuery } from "./filter.js";
import { closeHistory, history, openHistory } from "./history.js";
import { choice, copied, table } from "./parts.js";
import { sortChoice, sortedHeading } from "./sorting.js";
import { attempt, changed, state } from "./state.js";
import { recordName, wrapping } from "./value-text.js";

// People, companies and objects, with a filter that is put together here and shown as the address that it makes. The
// address of the view has the query of the list, so that a list can be linked to and returned to.

/** @typedef {import("./fields.js").Source} Source */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{ items: any[], next: string | null }} Page */

/** @type {Source[]} */
let known = [];
/**
 * The list that the address names, with the question as it is in the form. `filter` is what `count` is about.
 * @type {{ source: Source, fields: Field[], query: string, draft: import("./filter.js").Question, page: Page | null,
 * filter: string, count: number | null | undefined } | null}
 */
let shown = null;

/** The address of the list that was open last. */
let last = "#records";

/** A link to the list that was open last. */
export function lastList() {
  return { link: last, title: shown?.source.title ?? "Records" };
}

/** Opens a list. @param {string[]} parts @param {string} query */
async function open(parts, query) {
  last = linkTo("records", parts, query);
  if (known.length === 0) known = await sources();
  const source = sourceNamed(known, parts);
  const fields = await fieldsOf(source);
  if (last !== linkTo("records", parts, query)) return;
  const filter = filterIn(query);
  const isSame = shown?.source === source && shown.filter === filter;
  const mine = { source, fields, query, draft: questionOf(query), page: null, filter, count: null };
  // Another page or another order of the same records. They stay until the next ones are there.
  shown = isSame && shown ? { ...mine, page: shown.page, count: shown.count } : mine;
  await read(shown);
}

/** @param {NonNullable<typeof shown>} mine */
async function read(mine) {
  const { source, query, filter } = mine;
  const address = query === "" ? source.path : `${source.path}?${query}`;
  changed();
  const data = await request(address);
  mine.page = { items: data.items, next: nextPath(data) };
  changed();
  if (mine.count !== null && new URLSearchParams(query).has("cursor")) return;
  // A list can be shown without its count, which takes longer where there are many records.
  const counting = request(`${source.path}/aggregate${filter === "" ? "" : `?${filter}`}`);
  mine.count = await counting.then(({ total }) => total.count).catch(() => undefined);
}

/** Opens the list that the form asks for. @param {Partial<import("./filter.js").Question>} [change] */
function find(change = {}) {
  if (!shown) return;
  const { source, fields, draft } = shown;
  goTo(linkTo("records", source.parts, questionQuery({ ...draft, ...change }, fields)));
}

export const records = {
  title: "Records",
  /** @param {string[]} parts @param {string} query */
  async open(parts, query) {
    await Promise.all([open(parts.length === 0 ? ["people"] : parts, query), learnAccess()]);
  },
  close: closeHistory,
  view() {
    if (!shown) return html`<p class="soft">Loading…</p>`;
    const { source, fields, draft, page } = shown;
    const columns = columnsOf(source, fields, page?.items ?? []);
    return html`<form @submit=${submit}>
        <div class="buttons">
          ${choice(
            "Records",
            known.map(({ path, title }) => [path, title]),
            source.path,
            (path) => goTo(linkTo("records", known.find((one) => one.path === path)?.parts)),
          )}
          ${sortChoice(fields, draft.sort, (sort) => find({ sort }))}
        </div>
        ${conditionForm(draft, fields)}
      </form>
      <div class="tools">
        ${columnChoice(source, fields, columns)} ${canWrite() ? newRecord(source, fields) : nothing}
      </div>
      ${page ? found(shown, page, columns) : state.failure ? nothing : html`<p class="soft">Loading…</p>`}
      ${history()}
      ${asRequest(shown)}`;
  },
};

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  find();
}

/** The request that the form makes. @param {NonNullable<typeof shown>} one */
function asRequest({ source, draft, fields }) {
  const query = questionQuery(draft, fields);
  const address = `${location.origin}${source.path}${query === "" ? "" : `?${query}`}`;
  return html`${copied("Address", address)}
    ${copied("Command", `curl -sg '${address.replaceAll("'", "%27")}' -H "Authorization: Bearer $KEY"`)}`;
}

/** @param {NonNullable<typeof shown>} one @param {Page} page @param {Field[]} columns */
function found({ source, fields, draft, count }, { items, next }, columns) {
  const heading = (/** @type {string} */ title, /** @type {Field | undefined} */ field) =>
    sortedHeading(title, field, draft.sort, (sort) => find({ sort }));
  const rows = items.map((item) => [
    html`<a class=${wrapping(recordName(item))} href=${recordLink(`${source.path}/${item.id}`)}>${recordName(item)}</a>`,
    ...columns.map((field) => cellOf(item, field)),
    historyButton(source, item),
  ]);
  const headings = [
    heading("Name", nameField(fields)),
    ...columns.map((field) => heading(headingOf(field), field)),
    "Changes",
  ];
  return html`<h2 aria-live="polite">${countText(count, items.length)}</h2>
    <div class="wide">${table("Records", headings, rows, "No record matches.")}</div>
    ${next ? html`<p><a href=${linkTo("records", source.parts, next.slice(next.indexOf("?") + 1))}>Next page</a></p>` : nothing}`;
}

/** @param {number | null | undefined} count undefined when it is not known @param {number} shownCount */
function countText(count, shownCount) {
  if (count === null) return "Counting…";
  if (count === undefined) return `${counted(shownCount, "record")} on this page`;
  return count === shownCount ? counted(count, "record") : `${shownCount} of ${counted(count, "record")}`;
}

/** @param {Source} source @param {any} item */
function historyButton({ path }, item) {
  const title = recordName(item);
  const open = () => attempt(() => openHistory(title, `${path}/${item.id}`));
  return html`<button aria-label="History of ${title}" @click=${open}>History</button>`;
}
