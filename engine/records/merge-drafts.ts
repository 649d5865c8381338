import type { Path } from "../../base/contract/issues.ts";
import type { Sent } from "../../model/fields/field.ts";
import { type Draft, partKey, placeOf } from "./draft.ts";

/**
 * The draft that two drafts about the same record make together, in the order of the request. The last value of a field wins,
 * values of custom fields merge one by one, and groups that are only added unite.
 * docs/guides/batches.md#several-records-for-one-id, docs/guides/batches.md#create
 */
export function mergeDrafts(first: Draft, second: Draft): Draft {
  const sent: Sent = { ...first.sent, ...second.sent };
  if (isObject(first.sent.customFieldValues) && isObject(second.sent.customFieldValues)) {
    const depth = first.scope.home ? 1 : 2;
    sent.customFieldValues = mergeValues(first.sent.customFieldValues, second.sent.customFieldValues, depth);
  }
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    sent.groups = [...(first.sent.groups as unknown[]), ...(second.sent.groups as unknown[])];
  }
  return { ...first, sent, origins: uniteOrigins(first, second) };
}

/**
 * Merges values by field name, or by group and then by field name. A name that is sent again is put last: where two spellings
 * name one field, the last counts.
 */
function mergeValues(first: Sent, second: Sent, depth: number): Sent {
  const merged = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    const before = merged.get(name);
    merged.delete(name);
    merged.set(name, depth > 1 && isObject(before) && isObject(value) ? mergeValues(before, value, depth - 1) : value);
  }
  return Object.fromEntries(merged);
}

/** Whether these are values that merge. Anything else replaces what was sent before it, and is refused later. */
function isObject(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// ---- where each part comes from

function uniteOrigins(first: Draft, second: Draft): Map<string, Path> {
  const origins = new Map(first.origins ?? placesOf(first));
  for (const [part, place] of second.origins ?? placesOf(second)) origins.set(part, place);
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    const count = (first.sent.groups as unknown[]).length;
    for (let i = 0; i < count; i++) origins.set(partKey(["groups", i]), placeOf(first, "groups", i));
    for (const i of (second.sent.groups as unknown[]).keys())
      origins.set(partKey(["groups", count + i]), placeOf(second, "groups", i));
  }
  return origins;
}

/** Each field of a draft, and each value of a custom field in it, with its place in the request. */
function placesOf({ at, sent, scope }: Draft): [part: string, place: Path][] {
  const parts = Object.keys(sent).map((field): Path => [field]);
  parts.push(...valueParts(sent.customFieldValues, ["customFieldValues"], scope.home ? 1 : 2));
  return parts.map((part) => [partKey(part), [...at, ...part]]);
}

function valueParts(values: unknown, above: Path, depth: number): Path[] {
  if (depth === 0 || !isObject(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => {
    const part = [...above, name];
    return [part, ...valueParts(value, part, depth - 1)];
  });
}
