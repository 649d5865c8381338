import { html } from "lit-html";
import { goTo, linkTo, recordLink } from "./address.js";
import { undoable } from "./changing.js";
import { nameField } from "./columns.js";
import { foretold, namesOf } from "./foretold.js";
import { fold, folded } from "./parts.js";
import { tryFirst } from "./trial.js";
import { recordName } from "./value-text.js";

// A new record of a list, which gets its other values on its own page.
// docs/guides/console.md#new-records-and-deletion

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */

const OPENED = "new record";

/** The form for a new record. @param {Source} source @param {Field[]} fields */
export function newRecord(source, fields) {
  const named = nameField(fields);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    void createFirst(source, { [named?.name ?? "name"]: String(new FormData(form).get("name")) }, () => form.reset());
  };
  const form = html`<form @submit=${submit}>
    <div class="buttons">
      <label>${named?.label ?? "Name"} <input name="name" required maxlength="1000" autocomplete="off" /></label>
      <button>Preview</button>
    </div>
  </form>`;
  return folded(titleOf(source), form, OPENED);
}

/** @param {Source} source */
function titleOf({ entity, groupId }) {
  return groupId === null ? `New ${entity}` : `New object of ${entity}`;
}

/** @param {Source} source @param {object} body @param {() => void} clear */
function createFirst(source, body, clear) {
  let id = "";
  return tryFirst({
    title: titleOf(source),
    verb: "Create",
    path: async () => source.path,
    body,
    async foresee({ data, changes }) {
      // A company with a name that is known is the one that has it. docs/guides/companies.md#creating-by-name
      const isNew = changes.some(({ type }) => type.endsWith(".created"));
      const names = await namesOf(changes, new Map([[data.id, recordName(data)]]));
      return {
        summary: isNew ? `${recordName(data)} would be created.` : `${recordName(data)} is there already.`,
        details: isNew
          ? foretold(changes, names)
          : html`<p><a href=${recordLink(`${source.path}/${data.id}`)}>Open it</a></p>`,
        isNothing: !isNew,
      };
    },
    note(data, requestId) {
      id = data.id;
      clear();
      fold(OPENED);
      const back = async () => goTo(linkTo("records", source.parts));
      return { ...undoable(`${recordName(data)} is created.`, requestId, back), isKept: true };
    },
    after: async () => goTo(recordLink(`${source.path}/${id}`)),
  });
}
