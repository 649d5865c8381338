import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import {
  addCrowds,
  type Crowd,
  crowdedDomains,
  endCrowds,
  type Known,
  knownCrowds,
  type Looking,
  recordsOf,
  watchDomains,
} from "./crowds.ts";
import { type Key, SPAN } from "./keys.ts";
import { DOMAIN_SHARERS_MAX, type OwnKeys, ownKeys } from "./own-keys.ts";
import { likenessOf } from "./pair.ts";
import { type Pair, replacePairs } from "./pairs.ts";
import { lostKeys, type Marked, readStored, type Stored, writeMarks } from "./stored.ts";
import { type Traits, traitsOf } from "./traits.ts";

/** A record that is looked at, with its forms and keys. */
interface Looked {
  traits: Traits;
  keys: OwnKeys;
  isNew: boolean;
}

/**
 * Looks at records of one kind, and writes the pairs that each is in: those it was in are no longer there unless they
 * are found again. Records that are as they were when they were last looked at are passed over, but those in `forced`.
 * The transaction is the caller's, and the only one that does so for the workspace. The number of statements does not
 * grow with the number of records.
 */
export async function lookAt(looking: Looking, ids: readonly Uuid[], forced: ReadonlySet<Uuid>): Promise<void> {
  const { query, workspaceId, kind } = looking;
  const stored = await readStored(query, workspaceId, kind, ids);
  const gone = stored.filter(({ record, mark }) => record === null && mark !== null);
  const compared = await mapInSlices(stored, (one) => comparedOf(looking, one));
  const looked = compared.flatMap((one) => (one && (one.isChanged || forced.has(one.traits.uuid)) ? [one] : []));
  const marked = looked.filter(({ isChanged }) => isChanged).map(({ marked }) => marked);
  marked.push(...gone.map(({ uuid, mark }): Marked => ({ uuid, before: mark?.keys ?? [], after: null, digest: "0" })));
  await writeMarks(query, workspaceId, marked);
  await endCrowds(looking, new Set(marked.flatMap(lostKeys)));
  const pairs = await findPairs(looking, looked);
  const changed = [
    ...looked.filter(({ isNew }) => !isNew).map(({ traits }) => traits.uuid),
    ...gone.map(({ uuid }) => uuid),
  ];
  await replacePairs(looking, changed, pairs);
}

function comparedOf(
  { kind }: Looking,
  { record, mark }: Stored,
): (Looked & { isChanged: boolean; marked: Marked }) | null {
  if (record === null) return null;
  const traits = traitsOf(kind, record);
  const keys = ownKeys(traits);
  const marked = { uuid: record.uuid, before: mark?.keys ?? [], after: keys.stored, digest: keys.digest };
  return { traits, keys, isNew: mark === null, isChanged: mark?.digest !== keys.digest, marked };
}

async function findPairs(looking: Looking, looked: readonly Looked[]): Promise<Pair[]> {
  const limited = new Map(looked.flatMap(({ keys }) => [...keys.limited]));
  const domains = new Set(looked.flatMap(({ keys }) => keys.domains));
  const { full, watched } = await knownCrowds(looking, new Set([...limited.keys(), ...domains]));
  const sought = new Map<Key, { most: number; owner: Uuid }>();
  for (const { keys, traits } of looked)
    for (const [key, most] of keys.sought) if (!full.has(key)) sought.set(key, { most, owner: traits.uuid });
  const found = await recordsOf(looking, sought);
  const crowds: Crowd[] = [];
  for (const [key, ids] of found) {
    const most = limited.get(key);
    if (most !== undefined && ids.length > most) crowds.push({ key, most, span: "0" });
  }
  await addCrowds(looking, crowds);
  for (const { key } of crowds) full.add(key);
  const pairs = await compareAll(looking, looked, found, full);
  await countDomains(looking, pairs, { full, watched: new Set([...watched].filter((key) => domains.has(key))) });
  return pairs.flatMap(({ one, other }) => pairOf(one, other, full));
}

/** Two records that are a pair unless their domains say nothing. */
interface Candidates {
  one: Traits;
  other: Traits;
}

/** Pairs with records of the same keys. @param full keys that say nothing; which domains do is not known yet */
async function compareAll(
  looking: Looking,
  looked: readonly Looked[],
  found: ReadonlyMap<Key, Uuid[]>,
  full: ReadonlySet<Key>,
): Promise<Candidates[]> {
  if (found.size === 0) return [];
  const known = new Map(looked.map(({ traits }) => [traits.uuid, traits]));
  const candidates = looked.map(({ traits, keys }) => {
    const ids = new Set([...keys.sought.keys()].flatMap((key) => (full.has(key) ? [] : (found.get(key) ?? []))));
    ids.delete(traits.uuid);
    return { traits, ids };
  });
  const unknown = new Set(candidates.flatMap(({ ids }) => [...ids].filter((id) => !known.has(id))));
  const read = await readStored(looking.query, looking.workspaceId, looking.kind, [...unknown]);
  await mapInSlices(read, ({ uuid, record }) => record && known.set(uuid, traitsOf(looking.kind, record)));
  const pairs = new Map<string, Candidates>();
  await mapInSlices(candidates, ({ traits, ids }) => {
    for (const id of ids) {
      const other = known.get(id);
      const [pair] = other ? pairOf(traits, other, full) : [];
      if (pair && other) pairs.set(`${pair.older} ${pair.younger}`, { one: traits, other });
    }
  });
  return [...pairs.values()];
}

/**
 * Counts the records of domains that pairs rest on, and of those that did before. Adds those that say nothing to the
 * full ones. Others are not counted, which would cost more than all the rest.
 */
async function countDomains(looking: Looking, pairs: readonly Candidates[], { full, watched }: Known): Promise<void> {
  const shared = pairs.flatMap(({ one, other }) =>
    [...one.domains].flatMap(([domain, { key }]) => (other.domains.has(domain) && !full.has(key) ? key : [])),
  );
  const unwatched = [...new Set(shared)].filter((key) => !watched.has(key));
  await watchDomains(looking, unwatched);
  const filled = await crowdedDomains(looking, [...watched, ...unwatched]);
  await addCrowds(
    looking,
    filled.map((key): Crowd => ({ key, most: DOMAIN_SHARERS_MAX, span: SPAN })),
  );
  for (const key of filled) full.add(key);
}

function pairOf(one: Traits, other: Traits, full: ReadonlySet<Key>): Pair[] {
  const likeness = likenessOf(one, other, (key) => full.has(key));
  if (!likeness) return [];
  const [older, younger] = one.uuid < other.uuid ? [one, other] : [other, one];
  return [{ older: older.uuid, younger: younger.uuid, ...likeness }];
}
