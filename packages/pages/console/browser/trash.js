import { html, nothing } from "lit-html";
import { canWrite, learnAccess } from "./access.js";
import { nextPath, request } from "./api.js";
import { closeHistory, history, openHistory } from "./history.js";
import { focusOn, table, time } from "./parts.js";
import { pathOf, restore } from "./restoring.js";
import { attempt } from "./state.js";

// Deleted records, notes and tasks, and their return. docs/guides/console.md#taking-changes-back

/** @typedef {import("./restoring.js").Trashed} Trashed */

/** @type {[type: string, title: string][]} */
const TYPES = [
  ["person", "People"],
  ["company", "Companies"],
  ["object", "Objects"],
  ["note", "Notes"],
  ["task", "Tasks"],
];

/** Types that are shown; all when none is chosen. @type {Set<string>} */
const chosen = new Set();
/** @type {{ items: Trashed[], next: string | null } | null} */
let page = null;

async function refresh() {
  const types = [...chosen].map((type) => `type=${type}`);
  const data = await request(types.length > 0 ? `/v1/trash?${types.join("&")}` : "/v1/trash");
  page = { items: data.items, next: nextPath(data) };
}

/** @param {string} next */
async function more(next) {
  const data = await request(next);
  page = { items: [...(page?.items ?? []), ...data.items], next: nextPath(data) };
  // The button is gone with the last page.
  if (!page.next) focusOn("#trash-count");
}

export const trash = {
  title: "Trash",
  async open() {
    await Promise.all([learnAccess(), refresh()]);
  },
  close: closeHistory,
  view() {
    return html`<p>Deleted records, notes and tasks that can be restored. All users see deleted people and companies. The rest is listed for users who could see it before.</p>
      <fieldset><legend>Types</legend>
        <div class="buttons">${TYPES.map(typeBox)}<button @click=${() => attempt(refresh)}>Refresh</button></div>
      </fieldset>
      ${page ? list(page) : html`<p class="soft">Loading…</p>`}
      ${history()}`;
  },
};

/** @param {[type: string, title: string]} type */
function typeBox([type, title]) {
  const toggle = (/** @type {Event} */ { target }) => {
    if (/** @type {HTMLInputElement} */ (target).checked) chosen.add(type);
    else chosen.delete(type);
    void attempt(refresh);
  };
  return html`<label class="check"><input type="checkbox" .checked=${chosen.has(type)} @change=${toggle} /> ${title}</label>`;
}

/** @param {NonNullable<typeof page>} shown */
function list({ items, next }) {
  const names = new Map(items.map(({ id, fullName }) => [id, fullName]));
  const rows = items.map((entry) => row(entry, names));
  return html`<p role="status" id="trash-count" class="soft" tabindex="-1">${items.length} ${items.length === 1 ? "entry" : "entries"}${next ? ", and more" : ""}, newest first</p>
    ${table("Trash", ["Name", "Type", "Deleted", "By", "Went with", "Actions"], rows, "Nothing that can be restored.")}
    ${next ? html`<button @click=${() => attempt(() => more(next))}>More</button>` : nothing}`;
}

/** @param {Trashed} entry @param {Map<string, string>} names */
function row(entry, names) {
  const { id, entityType, fullName, deletedAt, deletedBy, via } = entry;
  const name = fullName || id;
  return [
    fullName ? html`<span class="any">${fullName}</span>` : html`<span class="soft">without a name</span>`,
    entityType,
    time(deletedAt),
    deletedBy ? (deletedBy.fullName ?? deletedBy.id) : "—",
    via
      ? html`${via.entityType} <span class="any">${names.get(via.id) || html`<code>${via.id}</code>`}</span>`
      : nothing,
    html`<div class="buttons">
      <button aria-label="History of ${name}" @click=${() => attempt(async () => openHistory(name, await pathOf(entry)))}>History</button>
      ${canWrite() ? html`<button aria-label="Restore ${name}" @click=${() => restore(entry, names, refresh)}>Restore</button>` : nothing}
    </div>`,
  ];
}
