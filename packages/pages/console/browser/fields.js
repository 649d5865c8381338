import { Failure } from "./api.js";
import { customFields, knownGroups, objectTypes } from "./groups.js";
import { titleOf } from "./value-text.js";
import vocabulary from "./vocabulary.js";

// Kinds of records and their fields: how each is named, filtered, sorted, shown and edited.

/** @typedef {import("./vocabulary.js").Form} Form */
/**
 * @typedef {object} Field
 * @property {string} name as filters and `sort` name it
 * @property {string} title for lists in which fields of several groups stand
 * @property {string} label where its group is known
 * @property {string[]} path of its value in a record
 * @property {string | null} groupId of a custom field; null of a built-in one
 * @property {string} kind
 * @property {readonly string[]} operators
 * @property {readonly string[]} [options]
 * @property {object} [config] format of numbers
 * @property {string} by form of values in filters
 * @property {Form} form
 * @property {boolean} isSorted
 * @property {boolean} isSummed
 * @property {boolean} isStage whether it has one of its options, as columns of a board need it
 */
/**
 * @typedef {{ path: string, parts: string[], title: string, entity: string, groupId: string | null }} Source a list
 * of people, companies or objects of a type. `parts` name it in addresses of the console.
 */

/** Word that names references where a filter takes them, by kind of field. @type {Record<string, string>} */
const NAMED_BY = { CREATOR: "email", MULTIREF: "id" };

/** @type {Source[]} */
const OF_WORKSPACE = [
  { path: "/v1/people", parts: ["people"], title: "People", entity: "person", groupId: null },
  { path: "/v1/companies", parts: ["companies"], title: "Companies", entity: "company", groupId: null },
];

/** People, companies, and the objects of each type of each group. @returns {Promise<Source[]>} */
export async function sources() {
  return [...OF_WORKSPACE, ...(await objectSources())];
}

/**
 * The source that an address names.
 * @param {Source[]} among @param {string[]} named
 * @throws Failure when there is none
 */
export function sourceNamed(among, named) {
  const source = among.find(({ parts }) => parts.join("/") === named.join("/"));
  if (!source) throw new Failure("There are no records of this name, or you cannot see their group.");
  return source;
}

/** The object types of all groups that the user can see. @returns {Promise<Source[]>} */
export async function objectSources() {
  const types = (await knownGroups()).map(async ({ id, name }) =>
    (await objectTypes(id)).map((type) => ({
      path: `/v1/groups/${id}/${encodeURIComponent(type)}`,
      parts: [id, type],
      title: `${type} of ${name}`,
      entity: type,
      groupId: id,
    })),
  );
  return (await Promise.all(types)).flat();
}

/**
 * The fields of a source: its own, and the custom fields of the groups.
 * @param {Source} source
 * @returns {Promise<Field[]>}
 */
export async function fieldsOf({ path, entity, groupId }) {
  const own = path === "/v1/people" ? "people" : path === "/v1/companies" ? "companies" : "objects";
  const native = vocabulary.fields[own].map((field) => ({
    ...field,
    title: field.name,
    label: titleOf(field.name),
    path: field.name.split("."),
    groupId: null,
    by: NAMED_BY[field.kind] ?? "value",
    isStage: false,
  }));
  const groups = (await knownGroups()).filter(({ id }) => groupId === null || id === groupId);
  const custom = await Promise.all(
    groups.map(async (group) =>
      (await customFields(group.id, entity)).map((field) => customField(field, group, groupId === null)),
    ),
  );
  return [...native, ...custom.flat()];
}

/**
 * @param {import("./groups.js").Field} field @param {{ id: string, name: string }} group
 * @param {boolean} isNamed whether the source has fields of several groups
 * @returns {Field}
 */
function customField({ name, type, options, config }, group, isNamed) {
  const { namedBy, ...uses } = /** @type {(typeof vocabulary.customFieldTypes)[string]} */ (
    vocabulary.customFieldTypes[type]
  );
  return {
    ...uses,
    name: isNamed ? `customFieldValues.${group.id}.${name}` : `customFieldValues.${name}`,
    title: isNamed ? `${name} (${group.name})` : name,
    label: name,
    path: isNamed ? ["customFieldValues", group.id, name] : ["customFieldValues", name],
    groupId: group.id,
    by: namedBy === "user" ? "email" : namedBy,
    ...(options && { options: options.map(({ label }) => label) }),
    ...(config && { config }),
  };
}

/** The value of a field in a record. @param {any} record @param {Field} field */
export function valueIn(record, { path }) {
  return path.reduce((value, member) => value?.[member], record);
}
