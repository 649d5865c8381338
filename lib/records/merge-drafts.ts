import type { Path } from "../contract/issues.ts";
import type { Sent } from "../fields/field.ts";
import { type Draft, partKey, placeOf } from "./draft.ts";

/**
 * Several records of one request that are about the same record, as one: the last value of a field wins, values of custom
 * fields merge field by field. Groups that only add unite. API document, "Batch endpoints", rules 6 and 9.
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

/** By field name, or by group and then by field name. The last is put last: two spellings may name one field. */
function mergeValues(first: Sent, second: Sent, depth: number): Sent {
  const merged = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    const before = merged.get(name);
    merged.delete(name);
    merged.set(name, depth > 1 && isObject(before) && isObject(value) ? mergeValues(before, value, depth - 1) : value);
  }
  return Object.fromEntries(merged);
}

/** What is no object of values does not merge: it replaces, and fails. */
function isObject(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// ---- where each part comes from

function uniteOrigins(first: Draft, second: Draft): Map<string, Path> {
  const origins = new Map(first.origins ?? placesOf(first));
  for (const [part, place] of placesOf(second)) origins.set(part, place);
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    const count = (first.sent.groups as unknown[]).length;
    for (let i = 0; i < count; i++) origins.set(partKey(["groups", i]), placeOf(first, "groups", i));
    for (const i of (second.sent.groups as unknown[]).keys())
      origins.set(partKey(["groups", count + i]), [...second.at, "groups", i]);
  }
  return origins;
}

/** Each field, and each value of a custom field, with its place in the request. */
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
