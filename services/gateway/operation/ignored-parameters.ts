import { ISSUES_MAX, type Issue, unrecognizedKeys } from "../../../base/contract/issues.ts";
import { isNamed } from "../../../base/contract/query-string.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import type { Operation } from "./operation.ts";

/** Names that the header holds at most, and characters of it and of one name. Proxies refuse long headers. */
const NAMES_MAX = 20;
const HEADER_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 100;
/** Marks parameters that the header leaves out. */
const MORE = "...";

/**
 * Characters that a name may have in the header as they are: those of a token (RFC 9110, 5.6.2) but the percent sign,
 * and brackets.
 */
const PLAIN = /^[\w!#$&'*+\-.^`|~[\]]$/;

/**
 * The unknown parameters of the query of a list, as they were written, each once, in the order of the request. Empty
 * for other operations. docs/guides/conventions.md#query-parameters
 */
export function ignoredParameters(
  { properties }: ParamsSchema,
  { route, path, query }: Pick<Operation, "route" | "path" | "query">,
): string[] {
  if (route.kind !== "list" || query.length === 0) return [];
  const isList = (name: string) => properties[name]?.type === "array" || properties[name]?.isBracketed === true;
  const known = parametersIn(properties, path);
  const isKnown = (sent: string) =>
    known.some((name) => isNamed(sent, name, isList(name)) || (name === "filter" && sent.startsWith("filter[")));
  return [...new Set(query.map(({ name }) => name))].filter((name) => name !== "" && !isKnown(name));
}

/** Headers of the answer to a list about its query: unknown parameters, or that the server would have refused them. */
export function headersOfQuery(schema: ParamsSchema, operation: Operation): Record<string, string> {
  if (operation.route.kind !== "list") return {};
  if (operation.isStrict) return { "Preference-Applied": "handling=strict" };
  const names = ignoredParameters(schema, operation);
  return names.length === 0 ? {} : { "Ignored-Parameters": ignoredHeader(names) };
}

/** The value of the header `Ignored-Parameters`. It holds nothing that could end the header or an entry of it. */
function ignoredHeader(names: string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names.slice(0, NAMES_MAX)) {
    const text = encoded(name);
    length += text.length;
    if (length > HEADER_LENGTH_MAX) break;
    shown.push(text);
  }
  if (shown.length < names.length) shown.push(MORE);
  return shown.join(", ");
}

/** The 422 of these parameters, for a request that wants them to be refused. */
export function unknownParameters({ properties }: ParamsSchema, path: Operation["path"], names: string[]): Issue {
  const taken = parametersIn(properties, path);
  const { message, ...issue } = unrecognizedKeys([], names.slice(0, ISSUES_MAX), taken);
  const written = taken.map((name) => (name === "filter" ? "filter[<field>][<operator>]" : name)).join(", ");
  const hint = "filter" in properties ? ". A text is looked for by filter[<field>][like]" : "";
  return {
    ...issue,
    message: `${message.replace(" in object", " in the query")}. There are: ${written}${hint}`,
  } as Issue;
}

/** The names of the parameters that an operation takes in its query. */
function parametersIn(properties: ParamsSchema["properties"], path: Operation["path"]): string[] {
  return Object.keys(properties)
    .filter((name) => name !== "body" && properties[name]?.header === undefined && !Object.hasOwn(path, name))
    .map((name) => (name === "after" ? "cursor" : name));
}

function encoded(name: string): string {
  let text = "";
  for (const character of name.toWellFormed()) {
    const next = PLAIN.test(character) ? character : percentEncoded(character);
    if (text.length + next.length > NAME_LENGTH_MAX) return `${text}${MORE}`;
    text += next;
  }
  return text;
}

/** `encodeURIComponent` leaves parentheses as they are. */
function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
