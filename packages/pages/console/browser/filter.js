import { queryOf } from "./address.js";
import vocabulary from "./vocabulary.js";

// Conditions of a filter, and the query that they make. docs/guides/filters.md#writing-a-filter

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{ field: string, operator: string, value: string }} Condition */
/**
 * The filter and the order of a list.
 * @typedef {{ conditions: Condition[], combinator: string, sort: string }} Question
 */

/** Parameter of a condition that names references, and of any other. */
const NAMED = /^filter\[(.+)\]\[(all|in|not_in)\]\[(?:id|email)\]$/;
const PLAIN = /^filter\[(.+)\]\[([a-z_]+)\]$/;

/** Whether an operator takes a value. @param {string} operator */
export function takesValue(operator) {
  return !operator.endsWith("empty");
}

/** A condition on a field that leaves the rest to the user. @param {Field} field @returns {Condition} */
export function conditionOn({ name, operators, options }) {
  return { field: name, operator: operators[0] ?? "eq", value: options?.[0] ?? "" };
}

/**
 * Query that lists what the conditions leave, in the order of `sort`.
 * @param {Question} question @param {Field[]} fields
 */
export function questionQuery({ conditions, combinator, sort }, fields) {
  const pairs = conditionPairs(conditions, fields);
  if (conditions.length > 1 && combinator === "or") pairs.push(["combinator", "or"]);
  if (sort !== "") pairs.push(["sort", sort]);
  return queryOf(pairs);
}

/**
 * @param {Condition[]} conditions @param {Field[]} fields
 * @returns {[name: string, value: string][]}
 */
function conditionPairs(conditions, fields) {
  return conditions.flatMap(({ field, operator, value }) => {
    const { by = "value", options } = fields.find(({ name }) => name === field) ?? {};
    const name = `filter[${field}][${operator}]${by !== "value" && takesValue(operator) ? `[${by}]` : ""}`;
    if (!takesValue(operator)) return [[name, "true"]];
    // One option is chosen, and its label may have commas.
    const isList = !options && vocabulary.takesMany.includes(operator);
    return (isList ? listed(value) : [value]).map((one) => /** @type {[string, string]} */ ([name, one]));
  });
}

/** @param {string} value */
function listed(value) {
  return value.split(",").map((one) => one.trim());
}

/** Conditions and order in the query of an address. @param {string} query @returns {Question} */
export function questionOf(query) {
  const sent = new URLSearchParams(query);
  return {
    conditions: conditionsOf(sent),
    combinator: sent.get("combinator") === "or" ? "or" : "and",
    sort: sent.get("sort") ?? "",
  };
}

/** @param {URLSearchParams} sent @returns {Condition[]} */
function conditionsOf(sent) {
  const names = [...new Set(sent.keys())];
  return names.flatMap((name) => {
    const [, field, operator] = NAMED.exec(name) ?? PLAIN.exec(name) ?? [];
    if (field === undefined || operator === undefined) return [];
    return [{ field, operator, value: takesValue(operator) ? sent.getAll(name).join(", ") : "" }];
  });
}

/** The filter of a query, without order and place, as counts take it. @param {string} query */
export function filterIn(query) {
  const pairs = [...new URLSearchParams(query)];
  return queryOf(pairs.filter(([name]) => name.startsWith("filter[") || name === "combinator"));
}
