import type { Sent } from "../fields/field.ts";
import { nameKey } from "../fields/name-key.ts";
import { textKey } from "../filters/search-columns.ts";
import type { RecordType } from "../resources/record-type.ts";
import { toId, type Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";
import type { Link, RecordRow } from "./select.ts";

/** Gives the keys of a row. The record that has any of them is the one that the row is about. A row without keys is refused. */
export type ImportKeys = (workspaceId: Uuid, sent: Sent, match: "email" | "name") => string[];

/** People are found by e-mail address or by full name. docs/guides/import.md#matching */
export function personKeys(derive: RecordType["derive"]): ImportKeys {
  return (workspaceId, sent, match) => {
    const emails = (sent.emails as string[] | undefined) ?? [];
    if (match === "email" && emails.length > 0)
      return [...new Set(emails.flatMap((email) => [email, email.toLowerCase()]))].map((email) =>
        textKey(workspaceId, "emails", email),
      );
    const fullName = String((derive ? derive(sent, null) : sent).fullName ?? "");
    return fullName === "" ? [] : [textKey(workspaceId, "fullName", fullName)];
  };
}

/** Companies are found by name. docs/guides/import.md#matching */
export const companyKeys: ImportKeys = (workspaceId, sent) => [textKey(workspaceId, "name", String(sent.name).trim())];

/** The uuid of the record that each list of keys finds, of several the oldest; undefined for none. One statement for all. */
export async function matchesOf(
  { query, caller }: Writing,
  resource: RecordType,
  keys: string[][],
): Promise<(Uuid | undefined)[]> {
  const all = [...new Set(keys.flat())];
  if (all.length === 0) return keys.map(() => undefined);
  const rows = await rowsWithKeys(query, caller.workspaceId, resource, all);
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
  for (const { name } of resource.links) {
    const given = sent[name] as { name: string }[] | undefined;
    if (!given) continue;
    const before = current[name] as Uuid[];
    const known = new Set(before);
    const added = given.filter((link) => !known.has(companies.get(nameKey(link.name))?.uuid as Uuid));
    after[name] = [...before.map((uuid) => ({ id: toId("company", uuid) })), ...added];
  }
  return after;
}

/** The keys of the companies that a row names. */
export function companyKeysIn(resource: RecordType, sent: Sent): string[] {
  return resource.links.flatMap(({ name }) => ((sent[name] as { name: string }[] | undefined) ?? []).map(nameOf));
}

const nameOf = ({ name }: { name: string }): string => nameKey(name);
