import { custom, type Issue } from "../../base/contract/issues.ts";
import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { textKey } from "../filters/search-columns.ts";
import type { WriteContext } from "./draft.ts";
import type { ImportEntry } from "./import-entry.ts";
import { type MatchedBy, type MatchOption, nameOf } from "./match-keys.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";
import type { RecordRow } from "./select.ts";
import { lockRows } from "./write.ts";

/** Key by which a row found its record, or the fact that it found none. docs/guides/import-matching.md#matching */
export type Match =
  /** The record is the one that the row is about. */
  | { record: RecordRow; by: MatchedBy }
  /**
   * The row creates a record. With `nameOnly` an existing record has the name of the row, and nothing else in common.
   */
  | { record: null; nameOnly: boolean }
  | { refused: Issue };

export type Matches = Map<ImportEntry, Match>;

/** Tells of rows and records whether the record has all that its row says already. */
export type AreHeld = (pairs: { entry: ImportEntry; record: RecordRow }[]) => Promise<boolean[]>;

/** Records that rows are matched with, and the values that are compared. */
export interface Matching {
  resource: RecordType;
  scope: Scope;
  match: MatchOption;
}

/** Finds the record of each row, and locks it. */
export type FindRecords = (
  writing: WriteContext,
  importing: Matching,
  entries: ImportEntry[],
  areHeld: AreHeld,
) => Promise<Matches>;

const IDS_TOLD_MAX = 10;
const PLURALS = { person: "people", company: "companies", object: "objects" };

/** The refusal of a row that several records fit: it could be about any of them. */
export function refuseSeveral({ resource: { kind } }: Matching, records: RecordRow[], what: string): Match {
  const ids = records.slice(0, IDS_TOLD_MAX).map(({ uuid }) => toId(kind, uuid));
  const more = records.length > ids.length ? ` and ${records.length - ids.length} more` : "";
  const way = 'Give the id of one in a column "id", or merge them';
  return { refused: custom([], `${records.length} ${PLURALS[kind]} have ${what}: ${ids.join(", ")}${more}. ${way}`) };
}

/** Locks records and gives their rows by the uuids that were asked for. Each is read once. */
export type Load = (uuids: Uuid[]) => Promise<Map<Uuid, RecordRow>>;

export function createLoad(writing: WriteContext, { resource, scope }: Matching): Load {
  const known = new Map<Uuid, RecordRow>();
  return async (uuids) => {
    const missing = [...new Set(uuids)].filter((uuid) => !known.has(uuid));
    if (missing.length > 0)
      for (const [uuid, row] of await lockRows(writing, resource, scope, missing)) known.set(uuid, row);
    return known;
  };
}

/**
 * Adds the matches of rows that say the id of their record. A row whose id names nothing may be found by something
 * else.
 */
export async function matchIds({ resource }: Matching, entries: ImportEntry[], load: Load, matches: Matches) {
  const uuids = new Map(entries.map((entry) => [entry, uuidOf(resource.kind, entry.id ?? "")]));
  const rows = await load([...uuids.values()].flatMap((uuid) => uuid ?? []));
  for (const [entry, uuid] of uuids) {
    const record = uuid && rows.get(uuid);
    if (record) matches.set(entry, { record, by: "id" });
  }
}

/** The match of a row that finds no record. None is made under the id of a file: only the server gives ids. */
export function notFound({ resource: { kind } }: Matching, { id }: ImportEntry, nameOnly: boolean): Match {
  if (id === undefined) return { record: null, nameOnly };
  return {
    refused: custom(
      ["id"],
      `There is no ${kind} with the id ${id}: correct it, or empty the cell to make a new ${kind}`,
    ),
  };
}

/** Companies and objects are found by id, and else by name. */
export const findByName: FindRecords = async (writing, importing, entries) => {
  const matches: Matches = new Map();
  const load = createLoad(writing, importing);
  await matchIds(importing, entries, load, matches);
  const open = entries.filter((entry) => !matches.has(entry));
  const uuids = await named(writing, importing, open);
  const rows = await load([...uuids.values()].flat());
  for (const entry of open) {
    const records = (uuids.get(nameIn(entry)) ?? []).flatMap((uuid) => rows.get(uuid) ?? []);
    const [record, other] = records;
    if (other) matches.set(entry, refuseSeveral(importing, records, `the name ${JSON.stringify(nameIn(entry))}`));
    else matches.set(entry, record ? { record, by: "name" } : notFound(importing, entry, false));
  }
  return matches;
};

const nameIn = ({ fields }: ImportEntry): string => nameOf(String(fields.name ?? ""));

/** Names of rows → the records that have them, in the order of their creation. */
async function named(
  { query, caller }: WriteContext,
  { resource, scope }: Matching,
  entries: ImportEntry[],
): Promise<Map<string, Uuid[]>> {
  const byKey = new Map(entries.map((entry) => [textKey(caller.workspaceId, "name", nameIn(entry)), nameIn(entry)]));
  const found = new Map<string, Uuid[]>();
  if (byKey.size === 0) return found;
  for (const row of await rowsWithKeys(query, caller.workspaceId, resource, [...byKey.keys()], scope))
    for (const key of row.keys) {
      const name = byKey.get(key);
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), row.id]);
    }
  return found;
}
