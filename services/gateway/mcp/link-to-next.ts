import type { Condition } from "../../../engine/filters/condition.ts";
import type { ParamsSchema } from "../action/schemas.ts";

/**
 * The link to the next page that the list of the REST API has: a tool answers what the list answers.
 * docs/guides/assistants.md#results
 * @param path of the route table
 * @param params those that the action was called with
 */
export function linkToNext(
  publicUrl: string,
  path: string,
  { properties }: ParamsSchema,
  params: Record<string, unknown>,
  cursor: string,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const name of Object.keys(properties)) {
    const value = params[name];
    if (value === undefined || name === "body" || name === "after" || path.includes(`{${name}}`)) continue;
    const pairs = name === "filter" ? (value as Condition[]).flatMap(conditionPairs) : valuePairs(name, value);
    for (const [key, text] of pairs) query.append(key, text);
  }
  query.append("cursor", cursor);
  return `${publicUrl}${filled}?${query}`;
}

type Pair = [name: string, value: string];

function valuePairs(name: string, value: unknown): Pair[] {
  // An empty list is sent as one empty value: docs/guides/interactions.md#lists.
  const values = Array.isArray(value) && value.length === 0 ? [""] : [value].flat();
  return values.map((one) => [name, String(one)]);
}

function conditionPairs({ field, operator, values, ids, emails }: Condition): Pair[] {
  const name = `filter[${field}][${operator}]`;
  const pairs: Pair[] = [
    ...values.map((value): Pair => [name, value]),
    ...ids.map((id): Pair => [`${name}[id]`, id]),
    ...emails.map((email): Pair => [`${name}[email]`, email]),
  ];
  return pairs.length > 0 ? pairs : [[name, ""]];
}
