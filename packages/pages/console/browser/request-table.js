import { html, nothing } from "lit-html";
import { canWrite } from "./access.js";
import { table, time } from "./parts.js";
import { undo } from "./undoing.js";
import vocabulary from "./vocabulary.js";

// Requests of the log as a table, with a button to undo those that have written.

/** @typedef {import("./requests.js").LoggedRequest} LoggedRequest */

/** Tools of assistants that only read. */
const READING_TOOL = /^(get|list|search|find)_/;
/** Operations that make no change that could be undone. */
const WITHOUT_CHANGES = /^\/v1\/webhooks|\/(search|aggregate|dismiss)$/;

/** @param {LoggedRequest} one */
export const isError = ({ status, errorCode }) => status >= 400 || errorCode !== null;

/** Whether a request may have written something that can be undone. @param {LoggedRequest} one */
function isWrite({ method, route, tool }) {
  if (tool) return !READING_TOOL.test(tool);
  return method !== "GET" && method !== "HEAD" && route?.startsWith("/v1/") && !WITHOUT_CHANGES.test(route);
}

/**
 * @param {string} label @param {LoggedRequest[]} requests @param {() => Promise<unknown>} after called when one was
 *   undone
 */
export function requestTable(label, requests, after) {
  return table(
    label,
    ["When", "Request", "Status", "Time", "Request id", "Idempotency"],
    requests.map((one) => row(one, after)),
    "No request matches.",
  );
}

/** @param {LoggedRequest} one @param {() => Promise<unknown>} after */
function undoButton(one, after) {
  if (!canWrite() || !isWrite(one) || isError(one) || one.dryRun) return nothing;
  const { method, route, tool, requestId } = one;
  const title = tool ?? `${method} ${route}`;
  return html`<button aria-label="Undo ${title} ${requestId}" @click=${() => undo(requestId, title, after)}>Undo</button>`;
}

/** @param {LoggedRequest} one @param {() => Promise<unknown>} after */
function row(one, after) {
  const { createdAt, method, route, tool, status, errorCode, durationMs, requestId, idempotencyKeyHash, dryRun } = one;
  const anchor = errorCode && /** @type {Record<string, string>} */ (vocabulary.errorAnchors)[errorCode];
  return [
    time(createdAt),
    html`${method} <span class="any">${route ?? html`<span class="soft">nowhere</span>`}</span>${tool ? html` <b>${tool}</b>` : nothing}${dryRun ? html` <span class="mark">preview</span>` : nothing}`,
    html`<span class="status ${isError(one) ? "failed" : "succeeded"}">${status}</span>
      ${errorCode ? html`<a href="/docs/errors#${anchor}">${errorCode}</a>` : nothing}`,
    html`<span class="whole">${durationMs} ms</span>`,
    html`<code>${requestId}</code> ${undoButton(one, after)}`,
    idempotencyKeyHash
      ? html`<code title="SHA-256 of the Idempotency-Key">${idempotencyKeyHash.slice(0, 8)}…</code>`
      : nothing,
  ];
}
