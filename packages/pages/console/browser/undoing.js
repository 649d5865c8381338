import { html, nothing } from "lit-html";
import { counted, kindText } from "./event-text.js";
import { foretold, nameOr, namesOf } from "./foretold.js";
import { tryFirst } from "./trial.js";
import { changeList } from "./values.js";

// The undo of the changes of a request. docs/guides/console.md#taking-changes-back

/** @typedef {{ id: string, entityType: string, reason: string, changes: import("./values.js").Change[] }} Skipped */

/** Reasons for which something is left as it is. @type {Record<string, string>} */
const REASONS = {
  changedSince: "has changed since",
  gone: "is gone, or the change is too old",
  nameTaken: "has a name that is taken",
  noAccess: "is not yours to change",
  notSupported: "is of a kind whose changes are not undone",
};

/**
 * Previews the undo of a request, and asks.
 * @param {string} requestId @param {string} title of the request @param {() => Promise<unknown>} after
 */
export function undo(requestId, title, after) {
  /** @type {import("./foretold.js").Names} */
  let names = new Map();
  return tryFirst({
    title: `Undo ${title}`,
    verb: "Undo",
    body: { requestId },
    path: async () => "/v1/undo",
    async foresee({ data, changes }) {
      names = await namesOf(changes);
      return {
        summary: summaryOf(data, "would be undone"),
        details: html`${foretold(changes, names)}${leftAlone(data.skipped, names)}`,
        isNothing: data.undone === 0,
      };
    },
    tell: async (data) => ({
      summary: summaryOf(data, "were undone"),
      details: leftAlone(data.skipped, names),
    }),
    after,
  });
}

/** @param {{ undone: number, skipped: Skipped[] }} result @param {string} verb */
function summaryOf({ undone, skipped }, verb) {
  if (undone === 0 && skipped.length === 0) return "This request has made no change that can be undone.";
  const left = skipped.length === 0 ? "" : ` ${counted(skipped.length, "thing")} left alone, in whole or in part.`;
  return `Changes of ${counted(undone, "record")} ${verb}.${left}`;
}

/** @param {Skipped[]} skipped @param {import("./foretold.js").Names} names */
function leftAlone(skipped, names) {
  if (skipped.length === 0) return nothing;
  return html`<h3>Left alone</h3>
    <ul>${skipped.map(
      ({
        id,
        entityType,
        reason,
        changes,
      }) => html`<li>${kindText(entityType)} ${nameOr(id, names)} ${REASONS[reason] ?? reason}
        ${changeList(changes, `left ${id} ${reason}`)}</li>`,
    )}</ul>`;
}
