import type { Uuid } from "../../base/values/ids.ts";
import { bigintArray } from "../../database/array-parameter.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { firstOfRange, type Key, SPAN } from "./keys.ts";
import { WIDE_SHARERS_MAX } from "./own-keys.ts";
import type { Kind } from "./traits.ts";

// A key that too many records have says nothing. When it comes to that, and when fewer have it again, the records of
// the key are looked at once more. docs/decisions/0026-duplicates.md#crowds

/** Keys of one workspace and kind, in the transaction that looks at its records. */
export interface Looking {
  query: Query;
  workspaceId: Uuid;
  kind: Kind;
}

const KNOWN = `/* background */
select key, is_full from duplicate_crowds where workspace_id = $1 and key = any($2::bigint[])`;

/** The state of some keys. */
export interface Known {
  /** Keys that say nothing. */
  full: Set<Key>;
  /** Domains that pairs rest on. */
  watched: Set<Key>;
}

/** Those of some keys that say nothing, and those that are watched. */
export async function knownCrowds({ query, workspaceId }: Looking, keys: readonly Key[]): Promise<Known> {
  const known: Known = { full: new Set(), watched: new Set() };
  if (keys.length === 0) return known;
  const rows = await query<TextRow>(KNOWN, [workspaceId, bigintArray(keys)], "texts");
  for (const [key, isFull] of rows) known[isFull === "t" ? "full" : "watched"].add(Number(key));
  return known;
}

const CROWDED_DOMAINS = `/* background */
select k.key from unnest($2::bigint[]) k (key) cross join lateral (
  select count(*) as n from (select from duplicate_keys where workspace_id = $1 and key between k.key and k.key + ${SPAN}
    limit ${WIDE_SHARERS_MAX + 1}) f) c
where c.n > ${WIDE_SHARERS_MAX}`;

/** Those of some domains that too many records have. */
export async function crowdedDomains({ query, workspaceId }: Looking, domains: readonly Key[]): Promise<Key[]> {
  if (domains.length === 0) return [];
  const rows = await query<TextRow>(CROWDED_DOMAINS, [workspaceId, bigintArray(domains)], "texts");
  return rows.map(([key]) => Number(key));
}

/** A key that says nothing from now on. */
export interface Crowd {
  key: Key;
  most: number;
  span: 0 | typeof SPAN;
}

const ADD = `/* background */
insert into duplicate_crowds (workspace_id, key, span, most, is_full)
select $1, key, span, most, true from unnest($2::bigint[], $3::bigint[], $4::int[]) n (key, span, most)
on conflict (workspace_id, key) do update set is_full = true`;

const WATCH = `/* background */
insert into duplicate_crowds (workspace_id, key, span, most, is_full)
select $1, key, ${SPAN}, ${WIDE_SHARERS_MAX}, false from unnest($2::bigint[]) n (key) on conflict do nothing`;

/** Notes domains that pairs rest on from now on. */
export async function watchDomains({ query, workspaceId }: Looking, domains: readonly Key[]): Promise<void> {
  if (domains.length > 0) await query(WATCH, [workspaceId, bigintArray(domains)]);
}

const RECORDS_OF_RANGES = `unnest($3::bigint[], $4::bigint[]) n (key, span) cross join lateral (
  select workspace_id, record_id from duplicate_keys where workspace_id = $1 and key between n.key and n.key + n.span offset 0) s`;

const QUEUE_PAIRED = `/* background */
insert into duplicate_queue (workspace_id, kind, record_id)
select distinct s.workspace_id, $2, s.record_id from ${RECORDS_OF_RANGES}
where exists (select from duplicate_pairs p where p.workspace_id = $1 and p.older_id = s.record_id)
  or exists (select from duplicate_pairs p where p.workspace_id = $1 and p.younger_id = s.record_id)
on conflict do nothing`;

/** Notes keys that say nothing any more. Their records with pairs are looked at again. */
export async function addCrowds({ query, workspaceId, kind }: Looking, crowds: readonly Crowd[]): Promise<void> {
  if (crowds.length === 0) return;
  const [keys, spans] = [bigintArray(crowds.map(({ key }) => key)), bigintArray(crowds.map(({ span }) => span))];
  await query(ADD, [workspaceId, keys, spans, `{${crowds.map(({ most }) => most).join()}}`]);
  await query(QUEUE_PAIRED, [workspaceId, kind, keys, spans]);
}

const END = `/* background */
update duplicate_crowds c set is_full = false where c.workspace_id = $1 and c.key = any($2::bigint[]) and c.is_full and (
  select count(*) from (select from duplicate_keys k where k.workspace_id = $1 and k.key between c.key and c.key + c.span
    limit c.most + 1) f) <= c.most
returning c.key, c.span`;

/** Ends the crowds among keys that records have lost. All records of such a key are looked at again. */
export async function endCrowds(looking: Looking, lost: ReadonlySet<Key>): Promise<void> {
  if (lost.size === 0) return;
  const keys = new Set([...lost].flatMap((key) => [key, firstOfRange(key)]));
  const ended = await looking.query<TextRow>(END, [looking.workspaceId, bigintArray([...keys])], "texts");
  await queueAll(
    looking,
    ended.map(([key, span]) => ({ key: Number(key), span: Number(span) })),
  );
}

/** A key, or the keys from one on. */
interface Range {
  key: Key;
  span: number;
}

const QUEUE_ALL = `/* background */
insert into duplicate_queue (workspace_id, kind, record_id)
select distinct s.workspace_id, $2, s.record_id from ${RECORDS_OF_RANGES}
on conflict do nothing`;

/** Has all records of some keys looked at again. */
export async function queueAll({ query, workspaceId, kind }: Looking, ranges: readonly Range[]): Promise<void> {
  if (ranges.length === 0) return;
  const [keys, spans] = [bigintArray(ranges.map(({ key }) => key)), bigintArray(ranges.map(({ span }) => span))];
  await query(QUEUE_ALL, [workspaceId, kind, keys, spans]);
}

const SOUGHT = `/* background */
select k.key, s.record_id from unnest($2::bigint[], $3::bigint[]) k (key, most) cross join lateral (
  select record_id from duplicate_keys where workspace_id = $1 and key = k.key limit k.most) s`;

/** The records that have keys, each with as many as are to be read. One statement, and none without keys. */
export async function recordsOf(
  { query, workspaceId }: Looking,
  keys: readonly { key: Key; read: number }[],
): Promise<[key: Key, id: Uuid][]> {
  // In their order they are found faster.
  const sought = keys.toSorted((one, other) => one.key - other.key);
  if (sought.length === 0) return [];
  const arrays = [bigintArray(sought.map(({ key }) => key)), bigintArray(sought.map(({ read }) => read))];
  const rows = await query<TextRow>(SOUGHT, [workspaceId, ...arrays], "texts");
  return rows.map(([key, id]) => [Number(key), id as Uuid]);
}
