import { withLineFeeds } from "contact-workspace-readers/line-feeds";
import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { EntryKeys, ImportEntry } from "./import-entry.ts";
import { type FindRecords, findByName } from "./import-match.ts";
import { equalKeys, keysWithinFile, type MatchOption, nameOf, ownKeys } from "./match-keys.ts";
import { findPeople, identityOfRow } from "./match-people.ts";
import type { Link, RecordRow } from "./select.ts";

/** Rules by which rows find their records. docs/guides/import-matching.md#matching */
export interface Recognition {
  find: FindRecords;
  /** The keys of a row; null for a row that nothing names, which is refused. */
  keysOf(resource: RecordType, entry: ImportEntry, match: MatchOption): EntryKeys | null;
  /** The fields of a record by which later rows can find it. Undefined if a row that finds it has them all. */
  namesOf?(row: RecordRow): NamingFields;
}

/** Native fields that name a record, each with its values. */
export type NamingFields = Record<string, string[]>;

/** People are found by data that only they have, or by their name with a second field. */
export const personRecognition: Recognition = {
  find: findPeople,
  keysOf: personKeys,
  namesOf: ({ emails, phones, urls, fullName }) => ({
    emails: emails as string[],
    phones: phones as string[],
    urls: urls as string[],
    fullName: [fullName as string],
  }),
};

/** Companies and objects are found by name. */
export const nameRecognition: Recognition = {
  find: findByName,
  keysOf: (_resource, { id, fields: { name } }) => {
    const keys = [
      ...(typeof name === "string" ? [`name ${nameOf(name)}`] : []),
      ...(id === undefined ? [] : [`id ${id}`]),
    ];
    return keys.length > 0 ? { has: keys, looksFor: keys, looksForAlike: [] } : null;
  },
};

function personKeys(resource: RecordType, entry: ImportEntry, match: MatchOption): EntryKeys | null {
  const identity = identityOfRow(resource, entry);
  // Without the id that was refused the row could be about another record.
  if (entry.lost.has("id") || (hasLostName(entry) && ownKeys(identity, match).length === 0)) return null;
  const keys = keysWithinFile(identity, match);
  if (!keys) return null;
  const { has, finds, second, hints } = keys;
  // A row that has nothing but its name looks for everybody of that name.
  const looksForAlike = ownKeys(identity, match).length > 0 ? second : [...second, ...hints];
  return { has, looksFor: finds, looksForAlike, identity };
}

/** True if a refused cell is a part of the full name, so that the full name would be another one. */
function hasLostName({ fields, lost }: ImportEntry): boolean {
  if (lost.has("fullName")) return true;
  return !Object.hasOwn(fields, "fullName") && (lost.has("firstName") || lost.has("lastName"));
}

/**
 * Body that a row sends for a record that is there: lists and links are put behind those it has.
 * docs/guides/import-matching.md#matching
 * @param companies those that rows name, by the keys of their names
 */
export function united(
  resource: RecordType,
  sent: RequestBody,
  current: RecordRow,
  companies: Map<string, Link>,
): RequestBody {
  const after = { ...sent };
  for (const { name } of resource.columns) {
    const before = current[name];
    const given = sent[name];
    if (Array.isArray(before) && Array.isArray(given))
      after[name] = withoutEqual(name, [...before, ...given], before.length);
    if (typeof before === "string" && typeof given === "string" && isSameText(before, given)) after[name] = before;
  }
  for (const { name, storage } of resource.links) {
    const given = sent[name] as Reference[] | undefined;
    if (!given) continue;
    const before = current[name] as Uuid[];
    const known = new Set<Uuid | null | undefined>(before);
    const uuid = (link: Reference) =>
      "id" in link ? uuidOf(storage.target, link.id) : companies.get(nameKey(link.name))?.uuid;
    const added = given.filter((link) => !known.has(uuid(link)));
    after[name] = [...before.map((one) => ({ id: toId(storage.target, one) })), ...added];
  }
  return after;
}

/** Files are read with LF for every line break, and the API takes any: that alone is no change. */
function isSameText(one: string, other: string): boolean {
  return withLineFeeds(one) === withLineFeeds(other);
}

/**
 * A list without entries that equal an earlier one in another spelling; the earlier one stays. The first `kept` entries
 * belong to the record and stay as they are.
 */
export function withoutEqual(name: string, list: unknown[], kept: number): unknown[] {
  const known = new Set<string>();
  return list.filter((entry, place) => {
    const keys = typeof entry === "string" ? equalKeys(name, withLineFeeds(entry)) : [JSON.stringify(entry)];
    const isNew = !keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return isNew || place < kept;
  });
}

/** A link of a row: to a record by its id, or to a company by its name. */
type Reference = { id: string } | { name: string };

/** The keys of the companies that a row names. */
export function companyKeysIn(resource: RecordType, sent: RequestBody): string[] {
  return resource.links.flatMap(({ name }) =>
    ((sent[name] as Reference[] | undefined) ?? []).flatMap((link) => ("name" in link ? nameKey(link.name) : [])),
  );
}
