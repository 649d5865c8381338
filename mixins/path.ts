import { notFound } from "../base/contract/errors.ts";
import type { IdKind } from "../base/values/ids.ts";

/** The parameters of a path, by their names. */
export type PathParams = Record<string, string>;

/** The id in the path, as it was sent. */
export function idIn({ kind }: { kind: IdKind }, params: PathParams): string {
  return params[`${kind}Id`] ?? "";
}

/** @throws ApiError 404 for the id in the path */
export function missingIn(resource: { kind: IdKind; title: string }, params: PathParams): never {
  throw notFound(resource.title.toLowerCase(), idIn(resource, params));
}

/** A word with its article, as sentences about one thing have it: a person, an object. */
export function withArticle(word: string): string {
  return /^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`;
}
