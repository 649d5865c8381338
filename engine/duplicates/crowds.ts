import type { Uuid } from "../../base/values/ids.ts";
import { uuidArray } from "../../database/array-parameter.ts";
import type { Query } from "../../database/query.ts";
import { firstOfRange, type Key, SPAN } from "./keys.ts";
import { DOMAIN_SHARERS_MAX } from "./own-keys.ts";
import { printKeys } from "./stored.ts";
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
select key::text as key, is_full as "isFull" from duplicate_crowds where workspace_id = $1 and key = any($2::bigint[])`;

/** The state of some keys. */
export interface Known {
  /** Keys that say nothing. */
  full: Set<Key>;
  /** Domains that pairs rest on. */
  watched: Set<Key>;
}

/** Those of some keys that say nothing, and those that are watched. */
export async function knownCrowds({ query, workspaceId }: Looking, keys: ReadonlySet<Key>): Promise<Known> {
  const known: Known = { full: new Set(), watched: new Set() };
  if (keys.size === 0) return known;
  const rows = await query<{ key: Key; isFull: boolean }>(KNOWN, [workspaceId, printKeys(keys)]);
  for (const { key, isFull } of rows) known[isFull ? "full" : "watched"].add(key);
  return known;
}

const CROWDED_DOMAINS = `/* background */
select k.key::text as key from unnest($2::bigint[]) k (key) cross join lateral (
  select count(*) as n from (select from duplicate_keys where workspace_id = $1 and key between k.key and k.key + ${SPAN}
    limit ${DOMAIN_SHARERS_MAX + 1}) f) c
where c.n > ${DOMAIN_SHARERS_MAX}`;

/** Those of some domains that too many records have. */
export async function crowdedDomains({ query, workspaceId }: Looking, domains: readonly Key[]): Promise<Key[]> {
  if (domains.length === 0) return [];
  const rows = await query<{ key: Key }>(CROWDED_DOMAINS, [workspaceId, printKeys(domains)]);
  return rows.map(({ key }) => key);
}

/** A key that says nothing from now on. */
export interface Crowd {
  key: Key;
  most: number;
  span: "0" | typeof SPAN;
}

const ADD = `/* background */
insert into duplicate_crowds (workspace_id, key, span, most, is_full)
select $1, key, span, most, true from unnest($2::bigint[], $3::bigint[], $4::int[]) n (key, span, most)
on conflict (workspace_id, key) do update set is_full = true`;

const WATCH = `/* background */
insert into duplicate_crowds (workspace_id, key, span, most, is_full)
select $1, key, ${SPAN}, ${DOMAIN_SHARERS_MAX}, false from unnest($2::bigint[]) n (key) on conflict do nothing`;

/** Notes domains that pairs rest on from now on. */
export async function watchDomains({ query, workspaceId }: Looking, domains: readonly Key[]): Promise<void> {
  if (domains.length > 0) await query(WATCH, [workspaceId, printKeys(domains)]);
}

const QUEUE_PAIRED = `/* background */
insert into duplicate_queue (workspace_id, kind, record_id)
select distinct $1::uuid, $2, s.record_id from unnest($3::bigint[], $4::bigint[]) n (key, span)
join duplicate_keys s on s.workspace_id = $1 and s.key between n.key and n.key + n.span
where exists (select from duplicate_pairs p where p.workspace_id = $1 and p.older_id = s.record_id)
  or exists (select from duplicate_pairs p where p.workspace_id = $1 and p.younger_id = s.record_id)
on conflict do nothing`;

/** Notes keys that say nothing any more. Their records with pairs are looked at again. */
export async function addCrowds({ query, workspaceId, kind }: Looking, crowds: readonly Crowd[]): Promise<void> {
  if (crowds.length === 0) return;
  const [keys, spans] = [printKeys(crowds.map(({ key }) => key)), printKeys(crowds.map(({ span }) => span))];
  await query(ADD, [workspaceId, keys, spans, `{${crowds.map(({ most }) => most).join()}}`]);
  await query(QUEUE_PAIRED, [workspaceId, kind, keys, spans]);
}

const END = `/* background */
update duplicate_crowds c set is_full = false where c.workspace_id = $1 and c.key = any($2::bigint[]) and c.is_full and (
  select count(*) from (select from duplicate_keys k where k.workspace_id = $1 and k.key between c.key and c.key + c.span
    limit c.most + 1) f) <= c.most
returning c.key::text as key, c.span::text as span`;

/** Ends the crowds among keys that records have lost. All records of such a key are looked at again. */
export async function endCrowds(looking: Looking, lost: ReadonlySet<Key>): Promise<void> {
  if (lost.size === 0) return;
  const keys = new Set([...lost].flatMap((key) => [key, firstOfRange(key)]));
  await queueAll(looking, await looking.query<Range>(END, [looking.workspaceId, printKeys(keys)]));
}

/** A key, or the keys from one on. */
interface Range {
  key: Key;
  span: string;
}

const QUEUE_ALL = `/* background */
insert into duplicate_queue (workspace_id, kind, record_id)
select distinct $1::uuid, $2, s.record_id from unnest($3::bigint[], $4::bigint[]) n (key, span)
join duplicate_keys s on s.workspace_id = $1 and s.key between n.key and n.key + n.span
on conflict do nothing`;

/** Has all records of some keys looked at again. */
export async function queueAll({ query, workspaceId, kind }: Looking, ranges: readonly Range[]): Promise<void> {
  if (ranges.length === 0) return;
  const [keys, spans] = [printKeys(ranges.map(({ key }) => key)), printKeys(ranges.map(({ span }) => span))];
  await query(QUEUE_ALL, [workspaceId, kind, keys, spans]);
}

const SOUGHT = `/* background */
select k.key::text as key, f.ids from unnest($2::bigint[], $3::int[], $4::uuid[]) k (key, most, owner) cross join lateral (
  select array_agg(record_id) as ids from (
    select record_id from duplicate_keys where workspace_id = $1 and key = k.key limit k.most) s) f
where f.ids <> array[k.owner]`;

/**
 * The records of keys, each with as many as are sought at most. A key that none but the owner has is missing.
 */
export async function recordsOf(
  { query, workspaceId }: Looking,
  sought: ReadonlyMap<Key, { most: number; owner: Uuid }>,
): Promise<Map<Key, Uuid[]>> {
  if (sought.size === 0) return new Map();
  const asked = [...sought.values()];
  const rows = await query<{ key: Key; ids: Uuid[] }>(SOUGHT, [
    workspaceId,
    printKeys(sought.keys()),
    `{${asked.map(({ most }) => most).join()}}`,
    uuidArray(asked.map(({ owner }) => owner)),
  ]);
  return new Map(rows.map(({ key, ids }) => [key, ids]));
}
