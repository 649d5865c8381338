import { html, nothing } from "lit-html";
import { learnAccess } from "./access.js";
import { goTo, linkTo, queryOf } from "./address.js";
import { boardCard } from "./board-card.js";
import { columnsOf, more, readCards } from "./board-columns.js";
import { counted } from "./event-text.js";
import { fieldsOf, objectSources } from "./fields.js";
import { choice, focusOn } from "./parts.js";
import { sortChoice } from "./sorting.js";
import { attempt, changed, state } from "./state.js";
import { numberText } from "./value-text.js";

// Objects of a type in columns by one of their single selects. docs/guides/console.md#the-board

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */
/** @typedef {import("./board-columns.js").Column} Column */

/** @type {{ source: Source, fields: Field[] }[] | null} object types that have a single select */
let known = null;
/**
 * @type {(import("./board-columns.js").Layout & { fields: Field[], columns: Column[] | null, total: { count: number,
 * sum: string | null } }) | null}
 */
let shown = null;

/** Address of the board that is being opened. */
let asked = "";

/** @param {Field[]} fields */
const stagesOf = (fields) => fields.filter(({ isStage }) => isStage);
/** @param {Field[]} fields */
const sumsOf = (fields) => fields.filter(({ isSummed }) => isSummed);

/** @param {string[]} parts @param {string} query */
async function open(parts, query) {
  const mine = `${parts.join("/")}?${query}`;
  asked = mine;
  const all = await Promise.all(
    (await objectSources()).map(async (source) => ({ source, fields: await fieldsOf(source) })),
  );
  known = all.filter(({ fields }) => stagesOf(fields).length > 0);
  const chosen = known.find(({ source }) => source.parts.join("/") === parts.join("/")) ?? known[0];
  if (!chosen || asked !== mine) return;
  const sent = new URLSearchParams(query);
  const { source, fields } = chosen;
  const named = (/** @type {Field[]} */ among, /** @type {string} */ name) =>
    among.find((one) => one.name === sent.get(name));
  const by = named(stagesOf(fields), "by") ?? stagesOf(fields)[0];
  if (!by) return;
  const sum = sent.has("sum") ? named(sumsOf(fields), "sum") : sumsOf(fields)[0];
  shown = { source, fields, by, sum, sort: sent.get("sort") ?? "", columns: null, total: { count: 0, sum: null } };
  changed();
  await reload();
}

/** Reads the columns anew, after a card has moved. The old ones stay until the new ones are there. */
async function reload() {
  const mine = shown;
  if (!mine) return;
  const { columns, total } = await columnsOf(mine);
  await readCards(mine, columns);
  if (shown === mine) Object.assign(mine, { columns, total });
}

export const board = {
  title: "Board",
  /** @param {string[]} parts @param {string} query */
  async open(parts, query) {
    await Promise.all([open(parts, query), learnAccess()]);
  },
  view() {
    if (known?.length === 0)
      return html`<p>A board shows the objects of a type in columns by a field with options. You can see no type with
        such a field. <a href="/docs/guides/custom-fields">How to define fields</a></p>`;
    if (!shown) return state.failure ? nothing : html`<p class="soft">Loading…</p>`;
    return html`${choices(shown)}${shown.columns ? columnList(shown, shown.columns) : html`<p class="soft">Loading…</p>`}`;
  },
};

/** @param {NonNullable<typeof shown>} one */
function choices({ source, fields, by, sum, sort }) {
  const go = (/** @type {{ by?: string, sum?: string, sort?: string }} */ change) => {
    const query = { by: by.name, sum: sum?.name ?? "", sort, ...change };
    goTo(
      linkTo(
        "board",
        source.parts,
        queryOf(Object.entries(query).filter(([name, value]) => value !== "" || name === "sum")),
      ),
    );
  };
  const optionsOf = (/** @type {Field[]} */ among) =>
    among.map(({ name, label }) => /** @type {[string, string]} */ ([name, label]));
  return html`<div class="buttons">
    ${choice(
      "Objects",
      (known ?? []).map((one) => [one.source.path, one.source.title]),
      source.path,
      (path) => goTo(linkTo("board", known?.find((one) => one.source.path === path)?.source.parts)),
    )}
    ${choice("Columns", optionsOf(stagesOf(fields)), by.name, (name) => go({ by: name }))}
    ${choice("Sum of", [["", "nothing"], ...optionsOf(sumsOf(fields))], sum?.name ?? "", (name) => go({ sum: name }))}
    ${sortChoice(fields, sort, (chosen) => go({ sort: chosen }))}
  </div>`;
}

/** @param {NonNullable<typeof shown>} one @param {Column[]} columns */
function columnList(one, columns) {
  const { source, total } = one;
  return html`<h2 aria-live="polite">${numbersOf(one, total)}</h2>
    <div class="board" role="region" aria-label="Columns of ${source.title}" tabindex="0">
      ${columns.map((column, index) => columnView(one, columns, column, index))}
    </div>`;
}

/** @param {NonNullable<typeof shown>} one @param {{ count: number, sum: string | null }} numbers */
function numbersOf({ sum }, { count, sum: value }) {
  const records = counted(count, "record");
  return sum && value !== null ? `${records}, ${sum.label} ${numberText(value, sum.config)}` : records;
}

/** @param {NonNullable<typeof shown>} one @param {Column[]} columns @param {Column} column @param {number} index */
function columnView(one, columns, column, index) {
  const { value, items, next } = column;
  const readMore = async () => {
    if (next) await attempt(() => more(column, next));
    // The button is gone with the last page.
    if (!column.next) focusOn(`#column-${index}`);
  };
  const title = value ?? `Without ${one.by.label}`;
  return html`<section aria-labelledby="column-${index}">
    <h3 id="column-${index}" tabindex="-1">${title}</h3>
    <p class="soft">${numbersOf(one, column)}</p>
    <ul>${items?.map((item) => boardCard({ layout: one, fields: one.fields, columns, column, after: reload }, item))}</ul>
    ${next ? html`<button aria-label="More of ${title}" @click=${readMore}>More</button>` : nothing}
  </section>`;
}
