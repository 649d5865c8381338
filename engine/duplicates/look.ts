import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { addCrowds, type Crowd, crowdedDomains, endCrowds, knownCrowds, type Looking, recordsOf } from "./crowds.ts";
import { type Key, SPAN } from "./keys.ts";
import { DOMAIN_SHARERS_MAX, type OwnKeys, ownKeys } from "./own-keys.ts";
import { type Likeness, likenessOf } from "./pair.ts";
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
  const crowded = await knownCrowds(looking, new Set([...limited.keys(), ...domains]));
  const sought = new Map<Key, { most: number; owner: Uuid }>();
  for (const { keys, traits } of looked)
    for (const [key, most] of keys.sought) if (!crowded.has(key)) sought.set(key, { most, owner: traits.uuid });
  const [found, filled] = await Promise.all([
    recordsOf(looking, sought),
    crowdedDomains(
      looking,
      [...domains].filter((key) => !crowded.has(key)),
    ),
  ]);
  const crowds = filled.map((key): Crowd => ({ key, most: DOMAIN_SHARERS_MAX, span: SPAN }));
  for (const [key, ids] of found) {
    const most = limited.get(key);
    if (most !== undefined && ids.length > most) crowds.push({ key, most, span: "0" });
  }
  await addCrowds(looking, crowds);
  for (const { key } of crowds) crowded.add(key);
  return compareAll(looking, looked, { found, crowded });
}

interface Found {
  found: ReadonlyMap<Key, Uuid[]>;
  /** Keys that say nothing. */
  crowded: ReadonlySet<Key>;
}

async function compareAll(looking: Looking, looked: readonly Looked[], { found, crowded }: Found): Promise<Pair[]> {
  if (found.size === 0) return [];
  const known = new Map(looked.map(({ traits }) => [traits.uuid, traits]));
  const candidates = looked.map(({ traits, keys }) => {
    const ids = new Set([...keys.sought.keys()].flatMap((key) => (crowded.has(key) ? [] : (found.get(key) ?? []))));
    ids.delete(traits.uuid);
    return { traits, ids };
  });
  const unknown = new Set(candidates.flatMap(({ ids }) => [...ids].filter((id) => !known.has(id))));
  const read = await readStored(looking.query, looking.workspaceId, looking.kind, [...unknown]);
  await mapInSlices(read, ({ uuid, record }) => record && known.set(uuid, traitsOf(looking.kind, record)));
  const pairs = new Map<string, Pair>();
  await mapInSlices(candidates, ({ traits, ids }) => {
    for (const id of ids) {
      const other = known.get(id);
      const likeness = other ? likenessOf(traits, other, (key) => crowded.has(key)) : null;
      if (likeness) addPair(pairs, traits.uuid, id, likeness);
    }
  });
  return [...pairs.values()];
}

function addPair(pairs: Map<string, Pair>, one: Uuid, other: Uuid, likeness: Likeness): void {
  const [older, younger] = one < other ? [one, other] : [other, one];
  pairs.set(`${older} ${younger}`, { older, younger, ...likeness });
}
