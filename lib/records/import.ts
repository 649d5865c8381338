import type { Sent } from "../fields/field.ts";
import { nameKey } from "../fields/name-key.ts";
import { textKey } from "../filters/search-columns.ts";
import type { RecordType } from "../resources/record-type.ts";
import type { Scope } from "../resources/scope.ts";
import { toId, type Uuid, uuidOf } from "../values/ids.ts";
import type { Writing } from "./draft.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";
import type { Link, RecordRow } from "./select.ts";

/** By what people are recognised, and the native fields of a row of which a cell was refused. */
export interface Recognising {
  match: "email" | "name";
  lost: ReadonlySet<string>;
}

/** How rows find the records that they are about. docs/guides/import.md#matching */
export interface Recognition {
  keysOf: ImportKeys;
  /** The fields of a record by which rows find it. Undefined where a row that finds it has them all. */
  namesOf?(row: RecordRow): NamingFields;
}

/** Native fields that name a record, each with its values. */
export type NamingFields = Record<string, string[]>;

/**
 * Gives the keys of a row. The record that has any of them is the one that the row is about. A row without keys is refused, and so is
 * one that has lost those by which it would have been recognised: mended and imported again, it would be about another record.
 */
type ImportKeys = (workspaceId: Uuid, sent: Sent, recognising: Recognising) => string[];

/** People are found by e-mail address or by full name. */
export function personRecognition(derive: RecordType["derive"]): Recognition {
  return {
    keysOf: personKeys(derive),
    namesOf: ({ emails, fullName }) => ({ emails: emails as string[], fullName: [fullName as string] }),
  };
}

/** Companies and objects are found by name. */
export const nameRecognition: Recognition = {
  keysOf: (workspaceId, { name }) => (typeof name === "string" ? [textKey(workspaceId, "name", name.trim())] : []),
};

function personKeys(derive: RecordType["derive"]): ImportKeys {
  return (workspaceId, sent, { match, lost }) => {
    const byEmail = match === "email" ? emailKeys(workspaceId, sent, lost) : null;
    if (byEmail) return byEmail;
    if (hasLostName(sent, lost)) return [];
    const { fullName = "" } = derive ? derive(sent, null) : sent;
    return fullName === "" ? [] : [textKey(workspaceId, "fullName", String(fullName))];
  };
}

/** Null for a row without an e-mail address, unless it has lost one. */
function emailKeys(workspaceId: Uuid, { emails }: Sent, lost: ReadonlySet<string>): string[] | null {
  if (!Array.isArray(emails) || emails.length === 0) return lost.has("emails") ? [] : null;
  const written = new Set((emails as string[]).flatMap((email) => [email, email.toLowerCase()]));
  return [...written].map((email) => textKey(workspaceId, "emails", email));
}

/** Whether the full name would be another one, because a cell of which it is made was refused. */
function hasLostName(sent: Sent, lost: ReadonlySet<string>): boolean {
  if (lost.has("fullName")) return true;
  return !Object.hasOwn(sent, "fullName") && (lost.has("firstName") || lost.has("lastName"));
}

/** The uuid of the record that each list of keys finds, of several the oldest; undefined for none. One statement for all. */
export async function matchesOf(
  { query, caller }: Writing,
  resource: RecordType,
  scope: Scope,
  keys: string[][],
): Promise<(Uuid | undefined)[]> {
  const all = [...new Set(keys.flat())];
  if (all.length === 0) return keys.map(() => undefined);
  const rows = await rowsWithKeys(query, caller.workspaceId, resource, all, scope);
  const asked = new Set(all);
  const found = new Map<string, Uuid>();
  for (const row of rows) for (const key of row.keys) if (asked.has(key) && !found.has(key)) found.set(key, row.id);
  return keys.map((own) => own.flatMap((key) => found.get(key) ?? [])[0]);
}

/**
 * What a row sends for a record that is there: lists and links are put behind those it has. docs/guides/import.md#matching
 * @param companies those that rows name, by the keys of their names
 */
export function united(resource: RecordType, sent: Sent, current: RecordRow, companies: Map<string, Link>): Sent {
  const after = { ...sent };
  for (const { name } of resource.columns) {
    const before = current[name];
    const given = sent[name];
    if (Array.isArray(before) && Array.isArray(given)) after[name] = [...new Set([...before, ...given])];
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

/** A link as a row has it: to a record by its id, or to a company by its name. */
type Reference = { id: string } | { name: string };

/** The keys of the companies that a row names. */
export function companyKeysIn(resource: RecordType, sent: Sent): string[] {
  return resource.links.flatMap(({ name }) =>
    ((sent[name] as Reference[] | undefined) ?? []).flatMap((link) => ("name" in link ? nameKey(link.name) : [])),
  );
}
