import type { TSchema } from "../../base/contract/schema.ts";
import { brief, EXAMPLES, type Own } from "./brief-schema.ts";
import type { Schema } from "./schemas.ts";

/**
 * The argument `records` of a bulk tool as it is listed. Members that have to be there have a schema. All others stand
 * in words, because six schemas of whole records would be a third of the list.
 * docs/guides/assistants.md#the-list-of-tools
 * @param clears whether null clears a value
 */
export function bulkRecords(schema: TSchema, clears: boolean): Schema {
  const { items = {}, maxItems } = schema as Own;
  const { properties = {}, required = [] } = items;
  const needed = required.map((name) => [name, brief(properties[name] ?? {}, clears)]);
  return {
    type: "array",
    items: { type: "object", ...(needed.length > 0 && { properties: Object.fromEntries(needed), required }) },
    maxItems,
    description: inWords(items, clears),
  };
}

/** The same argument of a tool that takes the records of another tool. Its words are not paid for twice. */
export function recordsOf(other: string, schema: TSchema): Schema {
  const { maxItems } = schema as Own;
  return { type: "array", items: { type: "object" }, maxItems, description: `As in ${other}; id too` };
}

/** The form of a value as a line: `{firstName, birthday: YYYY-MM-DD, groups: [{id}]}`. A name alone is a text. */
function inWords(schema: Own, clears: boolean): string {
  const { documentedAs, items, properties, exactlyOneOf } = schema;
  if (documentedAs !== undefined) return EXAMPLES[documentedAs] ?? "";
  if (items) return `[${inWords(items, clears)}]`;
  if (!properties) return valueInWords(schema, clears);
  const members = Object.entries(properties).map(([name, member]) => {
    const words = inWords(member, clears);
    return words === "" ? name : `${name}: ${words}`;
  });
  return `{${members.join(exactlyOneOf ? " or " : ", ")}}`;
}

function valueInWords({ enum: values, type = [], format = "" }: Own, clears: boolean): string {
  const types = [type].flat();
  const orNull = clears && types.includes("null") ? " or null" : "";
  if (values) return `${values.filter((value) => value !== null).join(" | ")}${orNull}`;
  if (format.startsWith("date")) return `YYYY-MM-DD${orNull}`;
  if (types.includes("number")) return `number${orNull}`;
  return orNull === "" ? "" : `text${orNull}`;
}
