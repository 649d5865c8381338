import { ApiError } from "./errors.ts";

/** A parameter of a query: name and value decoded, and both as they were sent. */
export interface Parameter {
  name: string;
  value: string;
  raw: string;
}

/**
 * The parameters of a raw query string in their order, one for each time that a name is given. The reader of
 * moleculer-web does not serve: it makes an object of a parameter that is repeated more than 20 times, and loses
 * `filter[__proto__]`.
 * docs/guides/conventions.md#query-parameters
 * @throws ApiError 400 for what cannot be decoded
 */
export function parseQuery(query: string): Parameter[] {
  if (query === "") return [];
  return query.split("&").flatMap((raw) => {
    if (raw === "") return [];
    const at = raw.indexOf("=");
    return { name: decode(at < 0 ? raw : raw.slice(0, at)), value: at < 0 ? "" : decode(raw.slice(at + 1)), raw };
  });
}

/**
 * The name of a parameter without a last bracket that is empty or digits, by which many clients say that it is a list:
 * `kinds[]`, `kinds[0]`. docs/guides/filters.md#array-notation
 */
export function withoutListBracket(name: string): string {
  return name.replace(/\[\d*\]$/, "");
}

/**
 * The values that a query has for a parameter, in their order. A member is named `entity.id` or `entity[id]`; a list
 * may have its bracket. docs/guides/filters.md#array-notation
 */
export function valuesOf(query: Parameter[], name: string, isList = false): string[] {
  return query.filter((parameter) => isNamed(parameter.name, name, isList)).map(({ value }) => value);
}

/** True if a name in the query means this parameter. */
export function isNamed(sent: string, name: string, isList = false): boolean {
  const bracketed = name.replace(/\.(\w+)$/, "[$1]");
  return sent === name || sent === bracketed || (isList && withoutListBracket(sent) === name);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ApiError(
      "INVALID_REQUEST",
      "The query cannot be percent-decoded as UTF-8. A percent sign itself is sent as %25.",
    );
  }
}
