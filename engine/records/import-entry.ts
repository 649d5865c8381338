import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { Identity } from "./match-keys.ts";

/**
 * A row of a file as a record: native fields, and the values of custom fields of the group, by the name of the field.
 */
export interface ImportRow {
  /** The id of its record, as the file says it. It is looked for, and never written. */
  id?: string;
  fields: RequestBody;
  values: RequestBody;
  /** Native fields with a cell that was refused before. */
  lost?: string[];
  /** Line of the file in which the row begins. */
  line?: number;
  /**
   * Line of an earlier row that may be about the same record. docs/guides/import-matching.md#rows-about-the-same-record
   */
  repeats?: number;
  /** Id of the record of that line, where it is known: the row is about the same one when it finds this record. */
  of?: string;
}

/**
 * A row being imported. Refused cells are dropped one by one until the rest can be written, or until no cell identifies
 * the record.
 */
export interface ImportEntry {
  index: number;
  /**
   * Uuid of the record that is made of it. So records are created in the order of the rows, also those that are tried
   * again.
   */
  uuid: Uuid;
  id: string | undefined;
  fields: RequestBody;
  values: RequestBody;
  lost: Set<string>;
  line: number | undefined;
  /** Line of an earlier row, without its record, that is about the same one. */
  hint: number | undefined;
  /** Line of the first row that is about the record that this row has found. */
  repeats: number | undefined;
  keys: EntryKeys;
  /** Values that were left out, each with its place in the row: `["emails", 1]`, `["customFieldValues", "Status"]`. */
  faults: Issue[];
  /** Name of a list → the places in the row of the entries that are left of it. */
  places: Map<string, number[]>;
}

/** Keys of a row within its batch. */
export interface EntryKeys {
  has: string[];
  /** The row waits for an earlier one that has one of these. */
  looksFor: string[];
  /** It also waits for an earlier one that has one of these, unless the identities of the two rows tell them apart. */
  looksForAlike: string[];
  /** Values that can identify a person. Other records have none. */
  identity?: Identity;
}

export function entryOf({ id, fields, values, lost = [], line, repeats, of }: ImportRow, index: number): ImportEntry {
  return {
    index,
    uuid: newUuid(),
    id,
    fields,
    values,
    lost: new Set(lost),
    line,
    hint: of === undefined ? repeats : undefined,
    repeats: undefined,
    keys: { has: [], looksFor: [], looksForAlike: [] },
    faults: [],
    places: new Map(),
  };
}

/** Body that is sent for a row: for people and companies with their group, for objects without. */
export function sentOf({ fields, values }: ImportEntry, { homeGroup }: Scope, groupId: string): RequestBody {
  if (homeGroup) return { ...fields, customFieldValues: values };
  return { ...fields, groups: [{ id: groupId }], customFieldValues: { [groupId]: values } };
}

/**
 * Removes the cells with issues from a row. Returns the first issue that is not about a removable cell, because of
 * which the row is refused.
 * @param sent the checked values; their lists can have entries of the record before those of the row
 */
export function leaveOut(
  entry: ImportEntry,
  issues: Issue[],
  { homeGroup }: Scope,
  resource: RecordType,
  sent: RequestBody,
): Issue | undefined {
  const parts = new Map<string, Issue>();
  for (const issue of issues) {
    const paths = partsOf(entry, issue, homeGroup !== null, resource, sent);
    if (!paths) return issue;
    for (const path of paths) {
      const key = JSON.stringify(path);
      // Several issues may be about one part: only the first is kept.
      if (!parts.has(key)) parts.set(key, { ...issue, path });
    }
  }
  for (const part of parts.values()) takeOut(entry, part);
  return undefined;
}

/** The parts of a row that an issue is about; undefined when these cannot be left out. */
function partsOf(
  entry: ImportEntry,
  issue: Issue,
  hasHome: boolean,
  resource: RecordType,
  sent: RequestBody,
): Path[] | undefined {
  const [name, ...below] = issue.path;
  if (name === "customFieldValues") {
    const field = valueNamed(entry, hasHome ? below[0] : below[1]);
    return field === undefined ? undefined : [["customFieldValues", field]];
  }
  if (typeof name !== "string" || !Object.hasOwn(entry.fields, name) || !isOwn(resource, name)) return undefined;
  return placesIn(entry, name, issue, sent).map((at) => [name, ...at]);
}

function isOwn({ columns, links }: RecordType, name: string): boolean {
  return [...columns, ...links].some((field) => field.name === name);
}

function valueNamed({ values }: ImportEntry, field: unknown): string | undefined {
  const key = comparable(String(field));
  return Object.keys(values).find((name) => comparable(name) === key);
}

/**
 * The places in a list that an issue is about: one entry, or those beyond its length; none for a field of one value.
 */
function placesIn(entry: ImportEntry, name: string, issue: Issue, sent: RequestBody): Path[] {
  const list = entry.fields[name];
  const at = issue.path[1];
  if (!Array.isArray(list)) return [[]];
  const places = entry.places.get(name) ?? [...list.keys()];
  if (typeof at === "number") {
    const judged = JSON.stringify((sent[name] as unknown[])[at]);
    const found = places[list.findIndex((item) => JSON.stringify(item) === judged)];
    return found === undefined ? [[]] : [[found]];
  }
  if (issue.code === "too_big") return places.slice(Number(issue.maximum)).map((place) => [place]);
  return [[]];
}

function takeOut(entry: ImportEntry, fault: Issue): void {
  const [name, at] = fault.path as [string, string | number | undefined];
  entry.faults.push(fault);
  if (name === "customFieldValues") {
    entry.values = without(entry.values, String(at));
    return;
  }
  const list = entry.fields[name];
  if (!Array.isArray(list) || typeof at !== "number") {
    entry.lost.add(name);
    entry.fields = without(entry.fields, name);
    return;
  }
  const places = entry.places.get(name) ?? [...list.keys()];
  const left = list.filter((_, i) => places[i] !== at);
  entry.places.set(
    name,
    places.filter((place) => place !== at),
  );
  if (left.length === 0) entry.lost.add(name);
  entry.fields = left.length === 0 ? without(entry.fields, name) : { ...entry.fields, [name]: left };
}

function without(values: RequestBody, name: string): RequestBody {
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

/** The issues of lists that would grow beyond their length, one of each entry that is too much. */
export function tooLong(resource: RecordType, fields: RequestBody, after: RequestBody): Issue[] {
  return Object.keys(fields).flatMap((name) => {
    const max: unknown = resource.fields[name]?.write?.maxItems;
    const list = after[name];
    if (!Array.isArray(list) || typeof max !== "number") return [];
    return list.slice(max).map((_, i) => custom([name, max + i], `The record would have more than ${max} ${name}`));
  });
}
