import { html, nothing } from "lit-html";
import { canWrite, learnAccess } from "./access.js";
import { readRecord } from "./changing.js";
import { deleteFirst } from "./deleting.js";
import { editButton, editForm, isEdited, stopEditing } from "./editing.js";
import { fieldsOf, objectSources, sourceNamed, sources } from "./fields.js";
import { findObject } from "./finding.js";
import { groupName } from "./groups.js";
import { closeHistory, history, openHistory } from "./history.js";
import { copied, json, time } from "./parts.js";
import { readRecordParts, recordParts } from "./record-parts.js";
import { lastList } from "./records.js";
import { readRelated, related } from "./related.js";
import { changed, state } from "./state.js";
import { recordName } from "./value-text.js";
import { valueView } from "./value-view.js";

// The page of one record: its values, which can be edited in their places, and what is about it.
// docs/guides/console.md#the-page-of-a-record

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */

/** @type {{ source: Source, fields: Field[], kept: import("./changing.js").Kept } | null} */
let shown = null;
/** Path of the record that the address names. */
let asked = "";

/**
 * The page of a record in one of the lists.
 * @param {"people" | "companies" | "objects"} list
 */
export function recordPage(list) {
  return {
    tab: /** @type {const} */ ("records"),
    title: () => (shown ? recordName(shown.kept.record) : "Record"),
    /** @param {string[]} parts */
    async open(parts) {
      shown = null;
      asked = `${list}/${parts.join("/")}`;
      stopEditing();
      if (list === "objects" && parts.length < 3) return findObject(parts);
      const id = parts.at(-1) ?? "";
      const named = list === "objects" ? parts.slice(0, -1) : [list];
      await open(asked, id, named);
    },
    close: closeHistory,
    view,
  };
}

/** @param {string} mine address @param {string} id @param {string[]} named the list, as addresses name it */
async function open(mine, id, named) {
  const all = named.length > 1 ? await objectSources() : await sources();
  const source = sourceNamed(all, named);
  const [fields, kept] = await Promise.all([fieldsOf(source), readRecord(`${source.path}/${id}`), learnAccess()]);
  if (asked !== mine) return;
  shown = { source, fields, kept };
  changed();
  await readAbout(shown);
}

/** @param {NonNullable<typeof shown>} one */
async function readAbout({ source, kept: { path, record } }) {
  await Promise.all([
    openHistory(recordName(record), path, { isPart: true }),
    readRecordParts(record.id),
    readRelated(source, record.id),
  ]);
}

/** Reads the record anew, after a change of it. */
async function reload() {
  const mine = shown;
  if (!mine) return;
  mine.kept = await readRecord(mine.kept.path);
  changed();
  if (shown === mine) await readAbout(mine);
}

function view() {
  const { link, title } = lastList();
  return html`<p><a href=${link}>← ${title}</a></p>
    ${shown ? sheet(shown) : state.failure ? nothing : html`<p class="soft">Loading…</p>`}`;
}

/** @param {NonNullable<typeof shown>} one */
function sheet(one) {
  const { record, path } = one.kept;
  return html`<div class="sheet">
      <div>${groupsOf(one).map(([title, fields]) => fieldList(one, title, fields))}</div>
      <div>${recordParts()}${related()}</div>
    </div>
    ${history()}
    ${canWrite() ? html`<p><button @click=${() => deleteFirst(one.kept, lastList().link)}>Delete</button></p>` : nothing}
    ${copied("Id", record.id)}
    ${copied("Address", location.origin + path)}
    ${json("JSON", record, record.id)}`;
}

/**
 * The fields by group: built-in ones, then those of each group that the record is in.
 * @param {NonNullable<typeof shown>} one
 * @returns {[title: string, fields: Field[]][]}
 */
function groupsOf({ source, fields, kept: { record } }) {
  const native = fields.filter(({ groupId }) => groupId === null);
  const ids = source.groupId === null ? Object.keys(record.customFieldValues) : [source.groupId];
  const custom = ids.map((id) => {
    const own = fields.filter(({ groupId }) => groupId === id);
    return /** @type {[string, Field[]]} */ ([`Fields of ${groupName(id) ?? id}`, own]);
  });
  return [["Fields", native], ...custom.filter(([, own]) => own.length > 0)];
}

/** @param {NonNullable<typeof shown>} one @param {string} title @param {Field[]} own */
function fieldList({ kept, fields }, title, own) {
  const rows = own.map((field) => {
    const index = fields.indexOf(field);
    const isOpen = canWrite() && isEdited(field);
    return html`<div><dt>${field.label}</dt>
      <dd>${isOpen ? editForm(kept, field, index, { fields, after: reload }) : shownValue(kept.record, field, index)}</dd></div>`;
  });
  return html`<section aria-label=${title}><h2>${title}</h2><dl class="fields">${rows}</dl></section>`;
}

/** @param {any} record @param {Field} field @param {number} index */
function shownValue(record, field, index) {
  const value = field.name === "createdAt" ? time(record.createdAt) : valueView(record, field);
  return html`<div>${value === nothing ? html`<span class="soft">—</span>` : value}</div>
    ${field.form !== null && canWrite() ? editButton(record, field, index) : nothing}`;
}
