import { html, nothing } from "lit-html";
import { send } from "./api.js";
import { counted } from "./event-text.js";
import { valueIn } from "./fields.js";
import { foretold, namesOf } from "./foretold.js";
import { attempt, state } from "./state.js";
import { tryFirst } from "./trial.js";
import { undo } from "./undoing.js";
import { recordName } from "./value-text.js";
import { changeList } from "./values.js";

// Writes of one record: previewed with the values before and after, sent for the version that was shown, and undone.
// docs/guides/console.md#changing-values

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{ path: string, record: any, etag: string | null }} Kept a record as the page has read it */
/**
 * @typedef {object} Change
 * @property {string} title of the dialog
 * @property {string} verb
 * @property {"POST" | "PATCH"} method
 * @property {object} body
 * @property {() => Promise<Kept>} read the record that is changed, as it is before
 * @property {string} [below] what follows its path
 * @property {Field[]} fields of the record
 * @property {string[]} [merged] ids of records that are merged into it
 * @property {() => string} done called when it was written, for the words of it
 * @property {() => Promise<unknown>} after shows the change in the view
 */

/** Reads a record with its version. @param {string} path @returns {Promise<Kept>} */
export async function readRecord(path) {
  const answer = await send(path);
  const { data } = await answer.json();
  // A merged record answers as its survivor.
  return { path: path.replace(/[^/]+$/, data.id), record: data, etag: answer.headers.get("etag") };
}

/** Previews a change of a record, and asks. @param {Change} change */
export function changeFirst({ title, verb, method, body, read, below = "", fields, merged = [], done, after }) {
  /** @type {Kept} */
  let kept;
  return tryFirst({
    title,
    verb,
    method,
    body,
    async path() {
      kept = await read();
      return kept.path + below;
    },
    version: () => kept.etag,
    async foresee({ data, changes: events }) {
      const { record } = kept;
      const changes = events.map((event) => (merged.includes(event.data.id) ? asMerge(event) : event));
      const values = differences(record, data, fields);
      const names = await namesOf(changes, new Map([[record.id, recordName(record)]]));
      const isNothing = values.length === 0 && changes.length === 0;
      return {
        summary: isNothing
          ? "Nothing would change."
          : `${counted(values.length, "field")} of ${recordName(record)} would change.`,
        details: html`${changeList(values, `preview of ${record.id}`)}
          ${changes.length > 0 ? html`<h3>${counted(changes.length, "event")} would be sent</h3>` : nothing}
          ${foretold(changes, names)}`,
        isNothing,
      };
    },
    note(data, requestId, etag) {
      // The next change can begin before the page has read the record again.
      Object.assign(kept, { record: data, etag });
      return undoable(done(), requestId, after);
    },
    after,
  });
}

/**
 * The event of a merged record, which is that of a deletion. Nothing goes into the trash.
 * @param {import("./trial.js").Event} event
 */
function asMerge({ type, data }) {
  return { type: type.replace(/\.deleted$/, ".merged"), data };
}

/**
 * A notice with the way back.
 * @param {string} text @param {string} requestId @param {() => Promise<unknown>} after shows the undo in the view
 * @returns {import("./state.js").Notice}
 */
export function undoable(text, requestId, after) {
  const undone = async () => {
    state.notice = null;
    await attempt(after);
  };
  return { text, undo: () => undo(requestId, "this change", undone) };
}

/**
 * The fields in which two states of a record differ.
 * @param {any} before @param {any} after @param {Field[]} fields
 */
function differences(before, after, fields) {
  return fields.flatMap((field) => {
    const values = { before: valueIn(before, field), after: valueIn(after, field) };
    const isSame = JSON.stringify(values.before) === JSON.stringify(values.after);
    return isSame ? [] : [{ path: pathText(field), ...values }];
  });
}

/** The path of a field, with its group also for objects. @param {Field} field */
function pathText({ path, groupId, label }) {
  return groupId === null ? path : ["customFieldValues", groupId, label];
}
