import { html, nothing } from "lit-html";
import { nextPath, request } from "./api.js";
import { focusOn, time } from "./parts.js";
import { attempt, changed } from "./state.js";

// Notes, tasks and interactions of one record, each a list of its own.

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} title
 * @property {string} empty
 * @property {(recordId: string) => string} path
 * @property {(item: any) => unknown} item
 */
/** @typedef {{ items: any[] | null, next: string | null }} Found */

/** Entries of a list that are read at once. */
const LIMIT = 20;

/** @type {Part[]} */
const PARTS = [
  {
    id: "notes",
    title: "Notes",
    empty: "No notes.",
    path: (recordId) => `/v1/notes?entity.id=${recordId}&limit=${LIMIT}`,
    item: noteItem,
  },
  {
    id: "tasks",
    title: "Tasks",
    empty: "No tasks.",
    path: (recordId) => `/v1/tasks?filter[entity][in]=${recordId}&limit=${LIMIT}`,
    item: taskItem,
  },
  {
    id: "upcoming",
    title: "Upcoming interactions",
    empty: "No upcoming interactions.",
    path: (recordId) => `/v1/interactions?timeframe=upcoming&entity.id=${recordId}&limit=${LIMIT}`,
    item: interactionItem,
  },
  {
    id: "interactions",
    title: "Interactions",
    empty: "No interactions.",
    path: (recordId) => `/v1/interactions?entity.id=${recordId}&limit=${LIMIT}`,
    item: interactionItem,
  },
];

/** @type {Map<Part, Found>} */
let shown = new Map();

/** Reads what is about a record. @param {string} recordId */
export async function readRecordParts(recordId) {
  // An interaction is with a person or a company.
  const parts = PARTS.filter(({ item }) => item !== interactionItem || !recordId.startsWith("obj_"));
  const mine = new Map(parts.map((part) => [part, /** @type {Found} */ ({ items: null, next: null })]));
  shown = mine;
  changed();
  await Promise.all([...mine].map(([part, found]) => read(found, part.path(recordId))));
}

/** @param {Found} found @param {string} path */
async function read(found, path) {
  const data = await request(path);
  found.items = [...(found.items ?? []), ...data.items];
  found.next = nextPath(data);
  changed();
}

/** The lists. */
export function recordParts() {
  return [...shown].map(([part, found]) => partList(part, found));
}

/** @param {Part} part @param {Found} found */
function partList({ id, title, empty, item }, found) {
  const { items, next } = found;
  // Most records have nothing to come, which is not worth a heading.
  if (id === "upcoming" && !items?.length) return nothing;
  const more = async () => {
    if (next) await attempt(() => read(found, next));
    // The button is gone with the last page.
    if (!found.next) focusOn(`#${id}`);
  };
  return html`<section aria-labelledby=${id}>
    <h2 id=${id} tabindex="-1">${title}</h2>
    ${items === null ? html`<p class="soft">Loading…</p>` : items.length === 0 ? html`<p class="soft">${empty}</p>` : html`<ul class="entries">${items.map(item)}</ul>`}
    ${next ? html`<p><button aria-label="More ${title.toLowerCase()}" @click=${more}>More</button></p>` : nothing}
  </section>`;
}

/** @param {any} note */
function noteItem({ author, content, createdAt, parentNote, visibility }) {
  return html`<li><p class="soft">${author.fullName ?? "a removed user"}, ${time(createdAt)}${visibility === "private" ? ", private" : nothing}${
    parentNote ? ", a reply" : nothing
  }</p><p class="any lines">${content}</p></li>`;
}

/** @param {any} task */
function taskItem({ title, description, dueAt, dueTime, completedAt, assignedUsers }) {
  const users = assignedUsers.map((/** @type {any} */ { fullName }) => fullName).join(", ");
  return html`<li><p class="soft">${completedAt ? html`done ${time(completedAt)}` : html`due ${dueAt}${dueTime ? ` ${dueTime}` : nothing}`}${
    users === "" ? nothing : `, ${users}`
  }</p><p class="any">${title || html`<span class="soft">without a title</span>`}</p>
    ${description ? html`<p class="any lines soft">${description}</p>` : nothing}</li>`;
}

/** @param {any} interaction */
function interactionItem({ interactionType, activityType, dateTime, title, content, from, to }) {
  const text =
    typeof content === "string"
      ? content
      : (content?.snippet ?? content?.description ?? content?.text ?? content?.summary);
  const heading = title ?? content?.subject ?? content?.title;
  const people = [from, to].flatMap((one) => one?.name ?? []).join(" → ");
  return html`<li><p class="soft">${activityType ?? interactionType}, ${time(dateTime)}${people === "" ? nothing : `, ${people}`}</p>
    ${heading ? html`<p class="any">${heading}</p>` : nothing}
    ${text ? html`<p class="any lines soft">${text}</p>` : nothing}</li>`;
}
