import { html } from "lit-html";
import { learnAccess } from "./access.js";
import { nextPath, request } from "./api.js";
import { chooseRequest, oneRequest } from "./one-request.js";
import { focusOn } from "./parts.js";
import { drawPlots, PLOTS } from "./plots.js";
import { isError, requestTable } from "./request-table.js";
import { attempt, changed } from "./state.js";

// The last requests, and plots of them. docs/guides/request-log.md

/**
 * @typedef {{ requestId: string, createdAt: string, userId: string, method: string, route: string | null, tool: string
 * | null, status: number, errorCode: string | null, durationMs: number, idempotencyKeyHash: string | null,
 * rateLimitRemaining: number | null, dryRun: boolean }} LoggedRequest
 */

/** Pages that are read when the view is opened, and requests that are kept. */
const PAGES = 5;
const KEPT_MAX = 1000;
const SHOWN_MAX = 50;
/** Interval at which the page loads new requests. Each load is a request itself. */
const EVERY_MS = 10_000;

/** @type {LoggedRequest[] | null} */
let known = null;
let onlyErrors = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

async function readAll() {
  /** @type {LoggedRequest[]} */
  const found = [];
  let next = /** @type {string | null} */ ("/v1/request-logs?limit=100");
  for (let read = 0; next !== null && read < PAGES; read += 1) {
    const data = await request(next);
    found.push(...data.items);
    next = nextPath(data);
  }
  known = found;
}

/** Loads new requests, which can overlap with the known ones: a gateway reports its requests a second late. */
async function readNew() {
  if (!known || document.hidden) return;
  const { items } = await request("/v1/request-logs?limit=100");
  const ids = new Set(known.map(({ requestId }) => requestId));
  const fresh = items.filter((/** @type {LoggedRequest} */ { requestId }) => !ids.has(requestId));
  known = [...fresh, ...known].sort((a, b) => (a.requestId < b.requestId ? 1 : -1)).slice(0, KEPT_MAX);
  changed();
}

export const requests = {
  title: "Requests",
  /** @param {string[]} parts the id of a request that is shown above the others */
  async open([requestId]) {
    await Promise.all([readAll(), learnAccess(), chooseRequest(requestId)]);
    if (requestId) focusOn("#one-request");
    clearInterval(timer);
    timer = setInterval(() => void attempt(readNew), EVERY_MS);
  },
  close() {
    clearInterval(timer);
  },
  view() {
    if (!known) return html`<p class="soft">Loading…</p>`;
    const all = known;
    // The plots are drawn into their places once these are in the page.
    queueMicrotask(() => drawPlots(all));
    const rows = all.filter((one) => !onlyErrors || isError(one)).slice(0, SHOWN_MAX);
    return html`<p>The last ${all.length} requests. Admins of the workspace see those of all users. New ones come every ${EVERY_MS / 1000} seconds.</p>
      ${oneRequest(readNew)}
      <div class="plots">${PLOTS.map(plot)}</div>
      <h2>The latest</h2>
      <div class="buttons">
        <label class="check"><input type="checkbox" .checked=${onlyErrors} @change=${toggle} /> Only errors</label>
        <button @click=${() => attempt(readNew)}>Refresh</button>
      </div>
      ${requestTable("Requests", rows, readNew)}`;
  },
};

/** @param {import("./plots.js").Plot} plot */
function plot({ id, title }) {
  return html`<figure><figcaption id="${id}-title">${title}</figcaption>
    <div class="plot" id=${id} role="img" aria-labelledby="${id}-title ${id}-text"></div>
    <p class="soft" id="${id}-text"></p></figure>`;
}

/** @param {Event} event */
function toggle({ target }) {
  onlyErrors = /** @type {HTMLInputElement} */ (target).checked;
  changed();
}
