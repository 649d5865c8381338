import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { textArray, uuidArray } from "../../database/array-parameter.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids } from "../../database/uuid-list.ts";
import { companies } from "../../model/resources/companies.ts";
import { people } from "../../model/resources/people.ts";
import type { Key } from "./keys.ts";
import type { Compared, Kind } from "./traits.ts";

/** A record, and what was kept of it when it was last looked at. */
export interface Stored {
  uuid: Uuid;
  /** Null for a record that is gone. */
  record: Compared | null;
  /** Null for one that was never looked at. */
  mark: { digest: string; keys: Key[] } | null;
}

const COLUMNS: Record<Kind, string> = {
  person: "r.full_name, r.emails, r.phones, r.urls, r.company_ids",
  company: "r.name, r.emails, r.phones, r.urls, '{}'",
};
const TABLES: Record<Kind, string> = { person: people.table, company: companies.table };

const SQL = Object.fromEntries(
  (["person", "company"] as const).map((kind) => [
    kind,
    `/* background */
select w.id, ${COLUMNS[kind]}, m.digest, m.keys
from unnest($2::uuid[]) w (id) left join ${TABLES[kind]} r on r.workspace_id = $1 and r.id = w.id
left join duplicate_marks m on m.workspace_id = $1 and m.record_id = w.id`,
  ]),
) as Record<Kind, string>;

/** Records by their ids, in any order. One statement, and none without ids. */
export async function readStored(query: Query, workspaceId: Uuid, kind: Kind, ids: readonly Uuid[]): Promise<Stored[]> {
  if (ids.length === 0) return [];
  const rows = await query<TextRow>(SQL[kind], [workspaceId, uuidArray(ids)], "texts");
  return mapInSlices(rows, storedOf);
}

function storedOf([id, fullName, emails, phones, urls, companyIds, digest, keys]: TextRow): Stored {
  const uuid = id as Uuid;
  const isThere = typeof emails === "string";
  return {
    uuid,
    record: isThere
      ? {
          uuid,
          fullName: fullName ?? "",
          emails: listOf(emails),
          phones: listOf(phones),
          urls: listOf(urls),
          companies: parseUuids(companyIds ?? "{}"),
        }
      : null,
    mark: typeof digest === "string" ? { digest, keys: parseKeys(keys ?? "{}") } : null,
  };
}

function listOf(text: string | null | undefined): string[] {
  return !text || text === "[]" ? [] : (JSON.parse(text) as string[]);
}

function parseKeys(text: string): Key[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",");
}

/** The text of a `bigint[]` parameter. */
export function printKeys(keys: Iterable<Key>): string {
  return `{${[...keys].join(",")}}`;
}

/** Keys of a record before and after. Null for a record that is gone. */
export interface Marked {
  uuid: Uuid;
  before: readonly Key[];
  after: readonly Key[] | null;
  digest: string;
}

/** Keys that a record has lost. */
export function lostKeys({ before, after }: Marked): Key[] {
  if (before.length === 0) return [];
  const now = new Set(after ?? []);
  return before.filter((key) => !now.has(key));
}

function newKeys({ before, after }: Marked): Key[] {
  const all = after ?? [];
  if (before.length === 0) return [...all];
  const old = new Set(before);
  return all.filter((key) => !old.has(key));
}

const DELETE_KEYS = `/* background */
delete from duplicate_keys k using unnest($2::bigint[], $3::uuid[]) g (key, id)
where k.workspace_id = $1 and k.key = g.key and k.record_id = g.id`;

const INSERT_KEYS = `/* background */
insert into duplicate_keys (workspace_id, key, record_id)
select $1, key, id from unnest($2::bigint[], $3::uuid[]) n (key, id) on conflict do nothing`;

const DELETE_MARKS = `/* background */
delete from duplicate_marks where workspace_id = $1 and record_id = any($2::uuid[])`;

const UPSERT_MARKS = `/* background */
insert into duplicate_marks (workspace_id, record_id, digest, keys)
select $1, id, digest, string_to_array(keys, ',')::bigint[] from unnest($2::uuid[], $3::bigint[], $4::text[]) n (id, digest, keys)
on conflict (workspace_id, record_id) do update set digest = excluded.digest, keys = excluded.keys`;

/** Writes keys and marks. The statements are sent at once, and none is sent that has nothing to write. */
export async function writeMarks(query: Query, workspaceId: Uuid, marked: readonly Marked[]): Promise<void> {
  const there = marked.filter(({ after }) => after !== null);
  const left = marked.filter(({ after }) => after === null);
  const sent: Promise<unknown>[] = [];
  const send = (sql: string, rows: readonly [Key, Uuid][]) => {
    if (rows.length === 0) return;
    const ids = uuidArray(rows.map(([, id]) => id));
    sent.push(query(sql, [workspaceId, printKeys(rows.map(([key]) => key)), ids]));
  };
  const rowsOf = (keysOf: (one: Marked) => Key[]) =>
    marked.flatMap((one) => keysOf(one).map((key): [Key, Uuid] => [key, one.uuid]));
  send(DELETE_KEYS, rowsOf(lostKeys));
  send(INSERT_KEYS, rowsOf(newKeys));
  if (left.length > 0) sent.push(query(DELETE_MARKS, [workspaceId, uuidArray(left.map(({ uuid }) => uuid))]));
  if (there.length > 0)
    sent.push(
      query(UPSERT_MARKS, [
        workspaceId,
        uuidArray(there.map(({ uuid }) => uuid)),
        printKeys(there.map(({ digest }) => digest)),
        textArray(there.map(({ after }) => (after ?? []).join())),
      ]),
    );
  await Promise.all(sent);
}
