import { html, nothing } from "lit-html";
import { nextPath, request } from "./api.js";
import { knownGroups } from "./groups.js";
import { focusOn, table, time } from "./parts.js";
import { attempt, changed } from "./state.js";
import { changeList } from "./values.js";

// The history of one record, below the list that it stands in. docs/guides/console.md#the-history-of-a-record

/** @typedef {{ id: string, fullName?: string }} Named */
/**
 * @typedef {{ at: string, action: string, user: Named | null, key: { id: string, name: string | null } | null, source:
 * string, requestId: string | null, changes: import("./values.js").Change[], records?: Named[], recordId?: string }}
 *   Entry
 */

/** @type {{ name: string, entries: Entry[] | null, next: string | null, isPart: boolean } | null} */
let shown = null;
/** Element that had the focus before. @type {Element | null} */
let opener = null;

/**
 * Opens the history of a record.
 * @param {string} name of the record @param {string} path of the record
 * @param {{ isPart?: boolean }} [options] isPart: it belongs to the page of the record, and is not closed
 */
export async function openHistory(name, path, { isPart = false } = {}) {
  opener = document.activeElement;
  shown = { name, entries: null, next: null, isPart };
  const mine = shown;
  if (!isPart) focusOn("#history");
  try {
    await knownGroups();
    await read(mine, `${path}/history`);
  } catch (error) {
    if (shown === mine) shown = null;
    throw error;
  }
}

/** Closes the history that is open. */
export function closeHistory() {
  shown = null;
  opener = null;
}

/** @param {NonNullable<typeof shown>} mine @param {string} path */
async function read(mine, path) {
  const data = await request(path);
  mine.entries = [...(mine.entries ?? []), ...data.items];
  mine.next = nextPath(data);
  changed();
}

/** The open history; nothing without one. */
export function history() {
  if (!shown) return nothing;
  const { name, entries, isPart } = shown;
  return html`<section class="history" aria-labelledby="history">
    <h2 id="history" tabindex="-1">History of ${name}</h2>
    <p role="status" class="soft" tabindex="-1">${entries ? countText(shown) : "Loading…"}</p>
    ${
      entries
        ? table(
            `History of ${name}`,
            ["When", "Action", "User and key", "Source", "Request", "Changes"],
            entries.map(row),
            "The server keeps no change of this record.",
          )
        : nothing
    }
    <div class="buttons">
      ${shown.next ? html`<button @click=${more}>More</button>` : nothing}
      ${isPart ? nothing : html`<button @click=${close}>Close the history</button>`}
    </div>
  </section>`;
}

/** @param {NonNullable<typeof shown>} one */
function countText({ entries, next }) {
  const count = entries?.length ?? 0;
  return `${count} ${count === 1 ? "entry" : "entries"}${next ? ", and more" : ""}, newest first`;
}

async function more() {
  const mine = shown;
  if (!mine?.next) return;
  const { next } = mine;
  await attempt(() => read(mine, next));
  // The button is gone with the last page.
  if (!mine.next) focusOn(".history [role=status]");
}

function close() {
  const last = opener;
  closeHistory();
  changed();
  if (last instanceof HTMLElement) last.focus();
}

/** @param {Entry} entry @param {number} index */
function row({ at, action, user, key, source, requestId, changes, records, recordId }, index) {
  return [
    time(at),
    html`${action}${recordId ? html` <code>${recordId}</code>` : nothing}`,
    html`${user?.fullName ?? user?.id ?? "—"}${key ? html`<div class="soft">${key.name ?? "unnamed key"}</div>` : nothing}`,
    source,
    requestId ? html`<a class="id" href="#requests/${requestId}"><code>${requestId}</code></a>` : "—",
    html`${records ? html`<p>Merged: ${records.map(({ id, fullName }) => fullName ?? id).join(", ")}</p>` : nothing}
      ${changeList(changes, `history ${requestId} ${at} ${index}`)}`,
  ];
}
