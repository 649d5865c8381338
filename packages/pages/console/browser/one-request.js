import { html, nothing } from "lit-html";
import { canWrite } from "./access.js";
import { request } from "./api.js";
import { requestTable } from "./request-table.js";
import { changed } from "./state.js";
import { undo } from "./undoing.js";

// The request that the address names: #requests/ID. Histories link to it.

/** @type {{ requestId: string, found: import("./requests.js").LoggedRequest | null } | null} */
let shown = null;

/** Looks for a request in the log. @param {string | undefined} requestId undefined shows none */
export async function chooseRequest(requestId) {
  shown = null;
  if (!requestId) return;
  const { items } = await request(`/v1/request-logs?requestId=${encodeURIComponent(requestId)}`);
  shown = { requestId, found: items[0] ?? null };
  changed();
}

/** @param {() => Promise<unknown>} after called when it was undone */
export function oneRequest(after) {
  if (!shown) return nothing;
  const { requestId, found } = shown;
  return html`<section aria-labelledby="one-request">
    <h2 id="one-request" tabindex="-1">One request</h2>
    ${found ? requestTable("One request", [found], after) : missing(requestId, after)}
    <p><a href="#requests">Show only the latest requests</a></p>
  </section>`;
}

/**
 * A run of the command line has an id and is not in the log.
 * @param {string} requestId @param {() => Promise<unknown>} after
 */
function missing(requestId, after) {
  return html`<p>The log does not have the request <code>${requestId}</code>. Older requests are dropped, and runs of the
      command line are not in it. What it changed can still be undone.</p>
    ${canWrite() ? html`<p><button @click=${() => undo(requestId, "a request", after)}>Undo</button></p>` : nothing}`;
}
