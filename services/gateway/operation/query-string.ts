import { ApiError } from "../../../lib/contract/errors.ts";

/** A parameter of a query, decoded, beside its text as it was sent. */
export interface Parameter {
  name: string;
  value: string;
  raw: string;
}

/**
 * The parameters of a raw query string in their order, repeated ones repeatedly. Our own reading: the one inside
 * moleculer-web turns the 21st repeat into an object and loses `filter[__proto__]`.
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ApiError("INVALID_REQUEST", "The query cannot be percent-decoded as UTF-8.");
  }
}
