import type { Change } from "../../model/events.ts";
import type { Item } from "./client.ts";

/** An event as the feed lists it. */
export interface FeedEvent {
  id: string;
  type: string;
  createdAt: string;
  source: string;
  data: { id: string; url: string; changes?: Change[]; details?: Record<string, unknown> };
}

/** A record in the form in which events tell it. */
export type ToldRecord = { [name: string]: unknown };

/** A value after the changes of one path, in their order: entries are taken away and added at the end, scalars set. */
export function afterChanges(before: unknown, changes: Change[]): unknown {
  return changes.reduce((value, { type, value: told }) => {
    if (type === "set") return told ?? null;
    const list = (value ?? []) as unknown[];
    return type === "add" ? [...list, ...(told as unknown[])] : (told as unknown[]).reduce<unknown[]>(without, list);
  }, before);
}

/** A list without one entry. */
function without(list: unknown[], entry: unknown): unknown[] {
  const at = list.findIndex((other) => JSON.stringify(other) === JSON.stringify(entry));
  if (at < 0) throw new Error(`${JSON.stringify(entry)} is taken out of ${JSON.stringify(list)}`);
  return list.toSpliced(at, 1);
}

/**
 * What a record is by its answer, in the form in which events tell it: what is unset is null, references are ids alone.
 */
export function toldForm(record: Item): ToldRecord {
  const { id: _, createdAt: _at, createdBy: _by, strongestConnection: _strongest, ...rest } = record;
  const { interactionMetadata, ...fields } = rest as { interactionMetadata?: { workspace: ToldRecord } };
  const form = plain(fields) as ToldRecord;
  if (interactionMetadata) form.interactionMetadata = { workspace: plain(interactionMetadata.workspace) };
  return form;
}

function plain(value: unknown): unknown {
  if (value === "" || value === "Unknown" || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((entry) => plainEntry(entry));
  if (typeof value !== "object" || value === null) return value;
  const { id } = value as Partial<Item>;
  if (id !== undefined) return [{ id }];
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [name, plain(one)]);
  return Object.fromEntries(entries.filter(([, one]) => one !== null));
}

function plainEntry(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "id" in entry ? { id: entry.id } : entry;
}

/** Applies the changes of an event to a record in the form of `toldForm`. */
export function applyChanges(record: ToldRecord, changes: Change[]): void {
  for (const [key, ofPath] of Map.groupBy(changes, ({ path }) => JSON.stringify(path))) {
    const path = JSON.parse(key) as string[];
    const last = path.pop() ?? "";
    let place = record;
    for (const name of path) {
      place[name] ??= {};
      place = place[name] as ToldRecord;
    }
    const after = afterChanges(place[last] ?? null, ofPath);
    place[last] = Array.isArray(after) && after.length === 0 ? null : after;
  }
}

/**
 * A record without what is unset, and with lists in one order: of entries that came and moved at once only the record
 * tells the order.
 */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(entry)).toSorted();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [name, comparable(one)]);
  const set = entries.filter(([, one]) => one !== null && JSON.stringify(one) !== "{}");
  return Object.fromEntries(set.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Puts another id, or nothing, in the place of one wherever a record refers to it: what a deletion or a merge does to
 * other records.
 */
export function renameReferences(value: unknown, from: string, to: string | null): unknown {
  if (Array.isArray(value)) {
    const renamed = value.flatMap((entry): unknown[] => {
      const isIt = typeof entry === "object" && entry !== null && "id" in entry && entry.id === from;
      return isIt ? (to === null ? [] : [{ id: to }]) : [entry];
    });
    const unique = new Map(renamed.map((entry) => [JSON.stringify(entry), entry]));
    const refers = value.some((entry) => typeof entry === "object");
    return renamed.length === 0 ? null : refers ? [...unique.values()] : renamed;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renameReferences(one, from, to)]));
}
