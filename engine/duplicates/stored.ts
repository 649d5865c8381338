import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { bigintArray, textArray, uuidArray } from "../../database/array-parameter.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids } from "../../database/uuid-list.ts";
import { companies } from "../../model/resources/companies.ts";
import { people } from "../../model/resources/people.ts";
import type { Key } from "./keys.ts";
import type { Compared, Kind } from "./traits.ts";

// Statements name the rows of each record by `any` of an array, or by a subquery that stands for itself. A join with
// the array may be planned while a table is empty, and would go on comparing each record with all rows.

/** A record, and its keys as they were when it was last looked at; null when it never was. */
export interface Stored {
  record: Compared;
  mark: Key[] | null;
}

const COLUMNS: Record<Kind, string> = {
  person: "r.id, r.full_name, r.emails, r.phones, r.urls, r.company_ids",
  company: "r.id, r.name, r.emails, r.phones, r.urls, '{}'",
};
const TABLES: Record<Kind, string> = { person: people.table, company: companies.table };

const inKinds = (sqlOf: (kind: Kind) => string): Record<Kind, string> => ({
  person: sqlOf("person"),
  company: sqlOf("company"),
});

const RECORDS = inKinds(
  (kind) => `/* background */
select ${COLUMNS[kind]} from ${TABLES[kind]} r where r.workspace_id = $1 and r.id = any($2::uuid[])`,
);
const STORED = inKinds(
  (kind) => `/* background */
select ${COLUMNS[kind]}, m.keys from ${TABLES[kind]} r left join lateral (
  select keys from duplicate_marks where workspace_id = $1 and record_id = r.id limit 1) m on true
where r.workspace_id = $1 and r.id = any($2::uuid[])`,
);

/** Records by their ids, in any order, without those that are gone. One statement. */
export async function readStored(query: Query, workspaceId: Uuid, kind: Kind, ids: readonly Uuid[]): Promise<Stored[]> {
  const rows = await query<TextRow>(STORED[kind], [workspaceId, uuidArray(ids)], "texts");
  return mapInSlices(rows, (row) => ({ record: recordOf(row), mark: markOf(row[6]) }));
}

/** A record of which only the name is read from its row before more is asked for. */
export interface Named {
  uuid: Uuid;
  fullName: string;
  whole(): Compared;
}

/** The same without marks. One statement, and none without ids. */
export async function readNamed(query: Query, workspaceId: Uuid, kind: Kind, ids: readonly Uuid[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const rows = await query<TextRow>(RECORDS[kind], [workspaceId, uuidArray(ids)], "texts");
  return rows.map((row) => ({ uuid: row[0] as Uuid, fullName: row[1] ?? "", whole: () => recordOf(row) }));
}

const MARKS = `/* background */
select record_id, keys from duplicate_marks where workspace_id = $1 and record_id = any($2::uuid[])`;

/** The marks of records that are gone. One statement, and none without ids. */
export async function readMarks(query: Query, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Map<Uuid, Key[]>> {
  if (ids.length === 0) return new Map();
  const rows = await query<TextRow>(MARKS, [workspaceId, uuidArray(ids)], "texts");
  return new Map(rows.map(([id, keys]) => [id as Uuid, markOf(keys) ?? []]));
}

function recordOf([id, fullName, emails, phones, urls, companyIds]: TextRow): Compared {
  return {
    uuid: id as Uuid,
    fullName: fullName ?? "",
    emails: listOf(emails),
    phones: listOf(phones),
    urls: listOf(urls),
    companies: parseUuids(companyIds ?? "{}"),
  };
}

function listOf(text: string | null | undefined): string[] {
  return !text || text === "[]" ? [] : (JSON.parse(text) as string[]);
}

function markOf(keys: string | null | undefined): Key[] | null {
  if (typeof keys !== "string") return null;
  return keys === "{}" ? [] : keys.slice(1, -1).split(",").map(Number);
}

/** A record whose keys change. */
export interface Marked {
  uuid: Uuid;
  /** The keys that are stored; null for a record without a mark. */
  before: readonly Key[] | null;
  /** Null for a record that is gone. */
  after: readonly Key[] | null;
}

const DELETE_KEYS = `/* background */
delete from duplicate_keys where workspace_id = $1 and key = any($2::bigint[]) and record_id = any($3::uuid[])`;

const INSERT_KEYS = `/* background */
insert into duplicate_keys (workspace_id, key, record_id)
select $1, key, id from unnest($2::bigint[], $3::uuid[]) n (key, id)`;

const DELETE_MARKS = `/* background */
delete from duplicate_marks where workspace_id = $1 and record_id = any($2::uuid[])`;

const INSERT_MARKS = `/* background */
insert into duplicate_marks (workspace_id, record_id, keys)
select $1, id, keys::bigint[] from unnest($2::uuid[], $3::text[]) n (id, keys)`;

/**
 * Writes keys and marks, and gives the keys that were lost. The statements are sent at once, and none is sent that has
 * nothing to write.
 */
export async function writeMarks(query: Query, workspaceId: Uuid, marked: readonly Marked[]): Promise<Set<Key>> {
  const sent: Promise<unknown>[] = [];
  const changes = marked.flatMap(changesOf);
  const losers = changes.filter(({ lost }) => lost.length > 0).map(({ uuid }) => uuid);
  const lost = new Set(changes.flatMap((one) => one.lost));
  if (lost.size > 0) sent.push(query(DELETE_KEYS, [workspaceId, bigintArray([...lost]), uuidArray(losers)]));
  const known = changes.flatMap(({ uuid, isNew }) => (isNew ? [] : uuid));
  if (known.length > 0) sent.push(query(DELETE_MARKS, [workspaceId, uuidArray(known)]));
  const rows = changes.flatMap((one) => rowsOf(one, lost)).sort((one, other) => one.key - other.key);
  if (rows.length > 0) {
    const arrays = [bigintArray(rows.map(({ key }) => key)), uuidArray(rows.map(({ uuid }) => uuid))];
    sent.push(query(INSERT_KEYS, [workspaceId, ...arrays]));
  }
  const there = changes.flatMap(({ uuid, keys }) => (keys ? { uuid, keys: `{${keys.join()}}` } : []));
  if (there.length > 0) {
    const arrays = [uuidArray(there.map(({ uuid }) => uuid)), textArray(there.map(({ keys }) => keys))];
    sent.push(query(INSERT_MARKS, [workspaceId, ...arrays]));
  }
  await Promise.all(sent);
  return lost;
}

interface Change {
  uuid: Uuid;
  isNew: boolean;
  /** The keys from now on; null for a record that is gone. */
  keys: readonly Key[] | null;
  lost: Key[];
  kept: Key[];
  added: readonly Key[];
}

/** The change of the keys of a record; empty if its keys are the same. */
function changesOf({ uuid, before, after }: Marked): Change[] {
  const keys = after ?? [];
  if (before === null) return [{ uuid, isNew: true, keys: after, lost: [], kept: [], added: keys }];
  const [old, now] = [new Set(before), new Set(keys)];
  const lost = before.filter((key) => !now.has(key));
  const added = keys.filter((key) => !old.has(key));
  if (after && lost.length + added.length === 0) return [];
  return [{ uuid, isNew: false, keys: after, lost, kept: keys.filter((key) => old.has(key)), added }];
}

/**
 * The rows to write. The deletion takes all lost keys from all records that have lost any, so a key that one record has
 * kept and another one has lost is written again.
 */
function rowsOf({ uuid, lost, kept, added }: Change, allLost: ReadonlySet<Key>): { key: Key; uuid: Uuid }[] {
  const rows = added.map((key) => ({ key, uuid }));
  if (lost.length > 0) for (const key of kept) if (allLost.has(key)) rows.push({ key, uuid });
  return rows;
}
