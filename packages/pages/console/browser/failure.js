import { html, nothing } from "lit-html";
import vocabulary from "./vocabulary.js";

/** Most issues of a refusal that are listed. */
const ISSUES_MAX = 20;

/**
 * Why something did not work, in a place that screen readers announce. The place is there without a failure too.
 * @param {import("./api.js").Failure | null} failure
 */
export function failureNote(failure) {
  if (!failure) return html`<div role="alert"></div>`;
  const { code, issues, message, requestId } = failure;
  const anchor = code && /** @type {Record<string, string>} */ (vocabulary.errorAnchors)[code];
  return html`<div role="alert"><div class="failure">
    <p>${message}</p>
    ${
      issues?.length > 1
        ? html`<ul>${issues.slice(0, ISSUES_MAX).map((issue) => html`<li><code>${issue.path.join(".")}</code> ${issue.message}</li>`)}</ul>`
        : nothing
    }
    ${anchor ? html`<p><a href="/docs/errors#${anchor}">${code}</a> · request <code>${requestId}</code></p>` : nothing}
  </div></div>`;
}
