import { customFields, knownGroups, objectTypes } from "./groups.js";
import vocabulary from "./vocabulary.js";

// Fields by which records can be filtered, and the address that a filter makes. docs/guides/filters.md#writing-a-filter

/**
 * @typedef {{ name: string, title: string, kind: string, operators: readonly string[], options?: readonly string[],
 * by?: string }} Field
 */
/** @typedef {{ field: string, operator: string, value: string }} Condition */
/**
 * @typedef {{ path: string, title: string, entity: string, groupId: string | null }} Source what is listed: people,
 * companies, objects of a type
 */

/** Word that names references where a filter takes them, by kind of field. @type {Record<string, string>} */
const NAMED_BY = { CREATOR: "email", MULTIREF: "id" };

/** @returns {Promise<Source[]>} */
export async function sources() {
  const found = [
    { path: "/v1/people", title: "People", entity: "person", groupId: null },
    { path: "/v1/companies", title: "Companies", entity: "company", groupId: null },
  ];
  const types = await Promise.all(
    (await knownGroups()).map(async ({ id, name }) =>
      (await objectTypes(id)).map((type) => ({
        path: `/v1/groups/${id}/${encodeURIComponent(type)}`,
        title: `${type} of ${name}`,
        entity: type,
        groupId: id,
      })),
    ),
  );
  return [...found, ...types.flat()];
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
    by: NAMED_BY[field.kind] ?? "value",
  }));
  const groups = (await knownGroups()).filter(({ id }) => groupId === null || id === groupId);
  const custom = await Promise.all(
    groups.map(async ({ id, name }) =>
      (await customFields(id, entity)).map((field) => customField(field, groupId === null ? { id, name } : null)),
    ),
  );
  return [...native, ...custom.flat()];
}

/**
 * @param {import("./groups.js").Field} field
 * @param {{ id: string, name: string } | null} group null where the source is of one group
 * @returns {Field}
 */
function customField({ name, type, options }, group) {
  const { kind, operators, namedBy } = vocabulary.customFieldTypes[type];
  return {
    name: group ? `customFieldValues.${group.id}.${name}` : `customFieldValues.${name}`,
    title: group ? `${name} (${group.name})` : name,
    kind,
    operators,
    by: namedBy === "user" ? "email" : namedBy,
    ...(options && { options: options.map(({ label }) => label) }),
  };
}

/** Whether an operator takes a value. @param {string} operator */
export function takesValue(operator) {
  return !operator.endsWith("empty");
}

/**
 * Path and query that list what the conditions leave.
 * @param {Source} source @param {Field[]} fields @param {Condition[]} conditions @param {string} combinator
 */
export function addressOf({ path }, fields, conditions, combinator) {
  const pairs = conditions.flatMap(({ field, operator, value }) => {
    const by = fields.find(({ name }) => name === field)?.by ?? "value";
    const name = `filter[${field}][${operator}]${by !== "value" && takesValue(operator) ? `[${by}]` : ""}`;
    const values = !takesValue(operator) ? ["true"] : vocabulary.takesMany.includes(operator) ? listed(value) : [value];
    return values.map((one) => `${readable(name)}=${readable(one)}`);
  });
  if (conditions.length > 1 && combinator === "or") pairs.push("combinator=or");
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** @param {string} value */
function listed(value) {
  return value.split(",").map((one) => one.trim());
}

/** Encoded as far as an address needs it: brackets and dots stay, so that people can read it. @param {string} text */
function readable(text) {
  return encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%40", "@");
}
