import { html, nothing } from "lit-html";
import { canWrite, learnAccess } from "./access.js";
import { goTo, linkTo, recordLink } from "./address.js";
import { nextPath, request } from "./api.js";
import { closeComparison, compare, comparison } from "./comparing.js";
import { counted } from "./event-text.js";
import { sources } from "./fields.js";
import { choice, focusOn, table } from "./parts.js";
import { attempt, changed, state } from "./state.js";
import { titleOf } from "./value-text.js";

// Pairs of people or companies that are likely one. docs/guides/console.md#duplicates

/** @typedef {import("./fields.js").Source} Source */
/** @typedef {{ id: string, fullName: string }} Named */
/**
 * @typedef {{ records: [Named, Named], score: number, reasons: { path: string[], kind: "same" | "similar" }[] }} Pair
 */

/** @type {Source[]} */
let lists = [];
/** @type {{ source: Source, pairs: Pair[], next: string | null } | null} */
let shown = null;
/** Name of the list that the address names. */
let asked = "";

/** @param {string} list */
async function open(list) {
  asked = list;
  shown = null;
  closeComparison();
  lists = (await sources()).filter(({ groupId }) => groupId === null);
  const source = lists.find(({ parts }) => parts[0] === list) ?? lists[0];
  if (!source || asked !== list) return;
  const read = await readPairs(source);
  if (asked === list) shown = read;
}

/** @param {Source} source @returns {Promise<NonNullable<typeof shown>>} */
async function readPairs(source) {
  const data = await request(`${source.path}/duplicates`);
  return { source, pairs: data.items, next: nextPath(data) };
}

/** Reads the pairs anew, after one is gone or back. */
async function reload() {
  const mine = shown;
  closeComparison();
  if (!mine) return;
  const read = await readPairs(mine.source);
  if (shown === mine) shown = read;
}

/** @param {string} next */
async function more(next) {
  const mine = shown;
  const data = await request(next);
  if (!mine) return;
  mine.pairs = [...mine.pairs, ...data.items];
  mine.next = nextPath(data);
  // The button is gone with the last page.
  if (!mine.next) focusOn("#pairs");
}

export const duplicates = {
  title: "Duplicates",
  /** @param {string[]} parts */
  async open([list = "people"]) {
    await Promise.all([open(list), learnAccess()]);
  },
  view() {
    return html`<p>Pairs that are likely one person or one company, the likeliest first. Compare two, and merge them, or
        say that they are not the same.</p>
      ${
        shown
          ? choice(
              "Records",
              lists.map(({ parts, title }) => [parts[0] ?? "", title]),
              shown.source.parts[0] ?? "",
              (list) => goTo(linkTo("duplicates", [list])),
            )
          : nothing
      }
      ${shown ? pairList(shown) : state.failure ? nothing : html`<p class="soft">Loading…</p>`}
      ${comparison()}`;
  },
};

/** @param {NonNullable<typeof shown>} one */
function pairList({ source, pairs, next }) {
  const rows = pairs.map((pair) => row(source, pair));
  return html`<p role="status" id="pairs" class="soft" tabindex="-1">${counted(pairs.length, "pair")}${next ? ", and more" : nothing}</p>
    ${table("Duplicates", ["Records", "Score", "Because of", "Actions"], rows, "No two records are likely one.")}
    ${next ? html`<button @click=${() => attempt(() => more(next))}>More</button>` : nothing}`;
}

/** @param {Source} source @param {Pair} pair */
function row(source, pair) {
  const { records, score, reasons } = pair;
  const names = records.map(({ fullName, id }) => fullName || id).join(" and ");
  const links = records.map(
    ({ id, fullName }) =>
      html`<div><a class="any" href=${recordLink(`${source.path}/${id}`)}>${fullName || id}</a></div>`,
  );
  const open = () => attempt(() => compare(source, pair.records, reload));
  return [
    links,
    html`<span class="whole">${Math.round(score * 100)} %</span>`,
    reasons.map(({ path, kind }) => html`<div>${titleOf(path.join("."))}: ${kind}</div>`),
    html`<div class="buttons">
      <button aria-label="Compare ${names}" @click=${open}>Compare</button>
      ${canWrite() ? html`<button aria-label="${names} are not the same" @click=${() => attempt(() => dismiss(source, pair))}>Not the same</button>` : nothing}
    </div>`,
  ];
}

/** Says that a pair is not the same, for all users of the workspace. @param {Source} source @param {Pair} pair */
async function dismiss(source, { records }) {
  await sendDismissal(source, records, true);
  const names = records.map(({ fullName, id }) => fullName || id).join(" and ");
  const takeBack = async () => {
    state.notice = null;
    await sendDismissal(source, records, false);
    await reload();
  };
  state.notice = { text: `${names} are not the same.`, undo: () => attempt(takeBack) };
  focusOn(".notice");
  await reload();
  changed();
}

/** @param {Source} source @param {Named[]} records @param {boolean} dismissed */
function sendDismissal({ path }, records, dismissed) {
  const body = { records: records.map(({ id }) => ({ id })), ...(!dismissed && { dismissed }) };
  return request(`${path}/duplicates/dismiss`, { method: "POST", body });
}
