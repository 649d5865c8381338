import type { Issue } from "../../../base/contract/issues.ts";
import { closed, type TSchema, Type } from "../../../base/contract/schema.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import type { Sent } from "../../../model/fields/field.ts";
import { people } from "../../../model/resources/people.ts";

/** The fields of a person that an enrichment may fill: its own ones, and its companies. Groups and custom values are the users'. */
const FILLED = Object.entries(people.fields).filter(([, { write, storage }]) => {
  return write !== null && (storage.shape === "column" || storage.shape === "links");
});

/** Their names, in the order of the table of fields. */
export const FILLED_FIELDS: readonly string[] = FILLED.map(([name]) => name);

const schema = closed(Object.fromEntries(FILLED.map(([name, { write }]) => [name, Type.Optional(write as TSchema)])));

/**
 * Fields of a person in an answer of a provider, judged like a body that a client sends. Unknown and null members say
 * nothing.
 * docs/guides/enrichment.md#answers
 */
export function readAnswer(answer: unknown): { fields: Sent } | { issues: Issue[] } {
  const known = knownOf(schema, answer);
  const fields = isObject(known)
    ? Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
    : known;
  const issues = issuesOf(schema, fields);
  return issues.length > 0 ? { issues } : { fields: fields as Sent };
}

/** A value without the members that its schema does not know. Of alternatives it keeps the first: an id rather than a name. */
function knownOf({ items, properties, exactlyOneOf }: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => knownOf(items, item)) : value;
  if (!isObject(value) || !properties) return value;
  const alternatives = (exactlyOneOf ?? []) as string[];
  const kept = alternatives.find((name) => Object.hasOwn(value, name));
  const members = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) && (!alternatives.includes(name) || name === kept),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, knownOf(properties[name], member)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
