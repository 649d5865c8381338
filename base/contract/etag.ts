import type { Uuid } from "../values/ids.ts";
import { ApiError, unsaved } from "./errors.ts";

/** Stands in an `If-Match` for every version. */
const ANY = "*";

/** A thing that has versions. The number is a text where a row was read as texts. */
export interface Versioned {
  uuid: Uuid;
  version?: unknown;
}

/**
 * The strong tag of a version of a thing, the same for all callers. The id is part of it, so a tag never names another
 * thing, and numbers of versions only rise. docs/guides/versions.md#tags
 */
export function tagOf({ uuid, version }: Versioned): string {
  return `"${uuid.replaceAll("-", "")}-${version}"`;
}

/** One entry of an `If-Match` and the comma behind it: a tag is quoted, and `W/` makes a weak one. */
const ENTRY = /[ \t,]*((?:W\/)?"[!#-~\x80-\uffff]*")[ \t]*(?:,[ \t,]*|$)/y;

/**
 * The tags of an `If-Match`, or `["*"]`; null for a malformed one (RFC 9110, 13.1.1).
 * docs/guides/versions.md#conditions
 */
export function readIfMatch(value: string): string[] | null {
  if (value.trim() === ANY) return [ANY];
  const tags: string[] = [];
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < value.length || tags.length === 0) {
    const [, tag] = ENTRY.exec(value) ?? [];
    if (tag === undefined) return null;
    tags.push(tag);
  }
  return tags;
}

/**
 * The 412 of a thing whose present version is none of these; undefined when it is one of them, or when no version is
 * asked for. docs/guides/versions.md#conditions
 */
export function refusedVersion(ifMatch: readonly string[] | undefined, current: Versioned): ApiError | undefined {
  const present = tagOf(current);
  if (ifMatch === undefined || ifMatch.includes(ANY) || ifMatch.includes(present)) return undefined;
  const message = `The record was changed since: its present version is ${present}. Read it again, and decide anew.`;
  return unsaved(new ApiError("PRECONDITION_FAILED", message, undefined, { ETag: present }));
}
