import { html, nothing } from "lit-html";
import { all } from "./api.js";
import { table } from "./parts.js";
import { attempt, changed } from "./state.js";

// The groups of the workspace with their members, object types and custom fields.

/** @typedef {{ id: string, name: string, visibility: string }} Group */
/** @typedef {{ name: string, type: string, options?: { label: string, color: string }[], config?: object }} Field */

/** @type {Map<string, Promise<any[]>>} */
const lists = new Map();
/** Id of a group → its name. @type {Map<string, string>} */
const names = new Map();
/** @type {Group[] | null} */
let known = null;
/** @type {string | null} */
let chosen = null;
/**
 * @type {{ members: { fullName: string, email: string, role: string }[], types: { name: string, fields: Field[] }[] } |
 * null}
 */
let details = null;

/**
 * The entries of a list that seldom changes. They are asked for once. @param {string} path @returns {Promise<any[]>}
 */
function once(path) {
  const asked = lists.get(path) ?? all(path);
  lists.set(path, asked);
  asked.catch(() => lists.delete(path));
  return asked;
}

/** The groups that the user can see. @returns {Promise<Group[]>} */
export async function knownGroups() {
  const groups = await once("/v1/groups");
  for (const { id, name } of groups) names.set(id, name);
  return groups;
}

/** The name of a group that `knownGroups` has found. @param {string} id */
export function groupName(id) {
  return names.get(id);
}

/** The names of the object types of a group. @param {string} groupId @returns {Promise<string[]>} */
export async function objectTypes(groupId) {
  return (await once(`/v1/groups/${groupId}/object-types`)).map(({ name }) => name);
}

/**
 * The custom fields of an entity type. @param {string} groupId @param {string} entityType @returns {Promise<Field[]>}
 */
export function customFields(groupId, entityType) {
  return once(`/v1/groups/${groupId}/custom-fields/${encodeURIComponent(entityType)}`);
}

/** @param {string} groupId */
async function choose(groupId) {
  chosen = groupId;
  details = null;
  changed();
  const all = ["person", "company", ...(await objectTypes(groupId))];
  const types = await Promise.all(all.map(async (name) => ({ name, fields: await customFields(groupId, name) })));
  const members = await once(`/v1/groups/${groupId}/members`);
  // Meanwhile another group may have been chosen.
  if (chosen === groupId) details = { members, types };
}

export const groups = {
  title: "Groups and fields",
  async open() {
    known = await knownGroups();
    const [first] = known;
    if (first && chosen === null) await choose(first.id);
  },
  view() {
    if (!known) return html`<p class="soft">Loading…</p>`;
    if (known.length === 0)
      return html`<p>There is no group yet. People and companies need none; custom fields and deals belong to a group.
        <a href="/docs/guides/access#groups">How to create a group</a></p>`;
    const group = known.find(({ id }) => id === chosen);
    return html`<ul class="cards">${known.map(card)}</ul>
      ${group ? shown(group) : nothing}`;
  },
};

/** @param {Group} group */
function card({ id, name, visibility }) {
  return html`<li><button aria-pressed=${id === chosen ? "true" : "false"} @click=${() => attempt(() => choose(id))}>
    ${name} <span class="soft">${visibility}</span></button></li>`;
}

/** @param {Group} group */
function shown(group) {
  if (!details) return html`<p class="soft">Loading…</p>`;
  const members = details.members.map(({ fullName, email, role }) => [fullName, email, role]);
  return html`<h2>${group.name}</h2>
    <p><code>${group.id}</code></p>
    ${details.types.map(fieldsOf)}
    <h3>Members</h3>
    ${table(`Members of ${group.name}`, ["Name", "E-mail", "Role"], members)}`;
}

/** @param {{ name: string, fields: Field[] }} type */
function fieldsOf({ name, fields }) {
  const rows = fields.map(({ name: field, type, options, config }) => [
    field,
    type,
    options ? html`<ul class="options">${options.map(option)}</ul>` : config ? formatOf(config) : nothing,
  ]);
  return html`<h3>Fields of ${name}</h3>
    ${table(`Fields of ${name}`, ["Name", "Type", "Options or format"], rows, "No custom fields.")}`;
}

/** A number format in words: "currency EUR, decimals 2". @param {object} config */
function formatOf(config) {
  const parts = Object.entries(config).filter(([name, value]) => name !== "format" || !(value in config));
  return parts.map(([name, value]) => (name === "format" ? value : `${name} ${value}`)).join(", ");
}

/** @param {{ label: string, color: string }} option */
function option({ label, color }) {
  return html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill=${color}></circle></svg>${label}</li>`;
}
