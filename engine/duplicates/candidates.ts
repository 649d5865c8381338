import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { type Crowd, knownCrowds, type Looking, recordsOf } from "./crowds.ts";
import { firstOfRange, type Key } from "./keys.ts";
import { type OwnKeys, PART, type Use } from "./own-keys.ts";
import { areNamesAlike } from "./pair.ts";
import { type Named, readNamed } from "./stored.ts";
import { type Kind, type Name, nameOf, type Traits, traitsOf } from "./traits.ts";

// Records that have a key in common. docs/decisions/0026-duplicates.md#keys

/** A record that is looked at, with its forms and keys. */
export interface Looked {
  traits: Traits;
  keys: OwnKeys;
  isNew: boolean;
}

/** The records of a key: one of its own, as most keys have it, or several. */
interface Sharers {
  use: Use;
  ids: Uuid | Uuid[];
}

/** The keys that the records that are looked at share with others, and what is known of them. */
export interface Sharing {
  /** Keys that several records have, those that are looked at among them. */
  shared: ReadonlyMap<Key, readonly Uuid[]>;
  /** Keys that say nothing. */
  full: Set<Key>;
  /** Those of them that say nothing only since now. */
  crowds: Crowd[];
  /** Domains that pairs rest on. */
  watched: ReadonlySet<Key>;
}

/**
 * Reads which records share keys with those that are looked at, without the keys that say nothing. Two statements,
 * which have to run before the keys are written.
 * @param gone records that are no longer there, but still have keys
 */
export async function shareKeys(looking: Looking, looked: readonly Looked[], gone: readonly Uuid[]): Promise<Sharing> {
  const all = sharersAmong(looked);
  for (const [key, { use }] of all) if (use.most === Number.POSITIVE_INFINITY) all.delete(key);
  const domains = looked.flatMap(({ traits }) => traits.domains.map(({ key }) => key));
  const { full, watched } = await knownCrowds(looking, [...all.keys(), ...domains]);
  for (const key of all.keys()) if (full.has(key) || full.has(firstOfRange(key))) all.delete(key);
  const found = await recordsOf(
    looking,
    Array.from(all, ([key, { use }]) => ({ key, read: use.most + 1 })),
  );
  const own = new Set([...looked.map(({ traits }) => traits.uuid), ...gone]);
  for (const [key, id] of found) {
    const sharers = all.get(key);
    if (sharers && !own.has(id)) addSharer(sharers, id);
  }
  return { ...sharedOf(all, full), full, watched };
}

function sharersAmong(looked: readonly Looked[]): Map<Key, Sharers> {
  const all = new Map<Key, Sharers>();
  for (const { keys, traits } of looked)
    for (const [key, use] of keys.stored) {
      const known = all.get(key);
      if (known) addSharer(known, traits.uuid);
      else all.set(key, { use, ids: traits.uuid });
    }
  // Any record of a key that another one seeks is shared with that one.
  for (const key of looked.flatMap(({ keys }) => keys.sought)) {
    const known = all.get(key);
    if (!known) all.set(key, { use: PART, ids: [] });
    else if (typeof known.ids === "string") known.ids = [known.ids];
  }
  return all;
}

function addSharer(sharers: Sharers, id: Uuid): void {
  if (typeof sharers.ids === "string") sharers.ids = [sharers.ids, id];
  else sharers.ids.push(id);
}

/** The shared keys that few enough records have. Adds the others to `full`. */
function sharedOf(all: ReadonlyMap<Key, Sharers>, full: Set<Key>): Pick<Sharing, "shared" | "crowds"> {
  const shared = new Map<Key, readonly Uuid[]>();
  const crowds: Crowd[] = [];
  for (const [key, { use, ids }] of all) {
    if (typeof ids === "string") continue;
    if (ids.length > use.most) crowds.push({ key, most: use.most, span: 0 });
    else shared.set(key, ids);
  }
  for (const { key } of crowds) full.add(key);
  return { shared, crowds };
}

/** Two records that may be a pair. */
export interface Candidates {
  one: Traits;
  other: Traits;
}

/** A record that shares keys with one that is looked at. Only its name is taken apart before more is asked for. */
interface Other {
  name: Name;
  traits(): Traits;
}

/** The records that share keys that say something with those that are looked at. One statement at most. */
export async function findCandidates(
  { query, workspaceId, kind }: Looking,
  looked: readonly Looked[],
  { shared }: Sharing,
): Promise<Candidates[]> {
  if (shared.size === 0) return [];
  const all = looked.map((one) => othersOf(one, shared)).filter(({ ids }) => ids.size > 0);
  const known = new Map<Uuid, Other>();
  const names = new Map<string, Name>();
  for (const { traits } of looked) known.set(traits.uuid, { name: traits, traits: () => traits });
  const unknown = new Set(all.flatMap(({ ids }) => [...ids.keys()].filter((id) => !known.has(id))));
  const read = await readNamed(query, workspaceId, kind, [...unknown]);
  await mapInSlices(read, (named) => known.set(named.uuid, otherOf(kind, named, names)));
  const candidates: Candidates[] = [];
  await mapInSlices(all, ({ traits: one, ids }) => {
    const isAlike = comparedWith(one);
    for (const [id, isByName] of ids) {
      const other = known.get(id);
      if (other && (!isByName || isAlike(other.name))) candidates.push({ one, other: other.traits() });
    }
  });
  return candidates;
}

/** A comparison with the name of a record, which knows the names that it was asked about. */
function comparedWith(one: Name): (other: Name) => boolean {
  const known = new Map<Name, boolean>();
  return (other) => {
    const isAlike = known.get(other) ?? areNamesAlike(one, other);
    known.set(other, isAlike);
    return isAlike;
  };
}

/** The records that share keys with one. True: parts of names alone, so that the names have to be alike. */
function othersOf({ traits, keys }: Looked, shared: Sharing["shared"]): { traits: Traits; ids: Map<Uuid, boolean> } {
  const ids = new Map<Uuid, boolean>();
  const add = (key: Key, { isPart }: Use) => {
    for (const id of shared.get(key) ?? []) ids.set(id, isPart && ids.get(id) !== false);
  };
  for (const [key, use] of keys.stored) add(key, use);
  for (const key of keys.sought) add(key, PART);
  ids.delete(traits.uuid);
  return { traits, ids };
}

/** @param names texts of names → the names taken apart. It adds to them, so that each text is taken apart once */
function otherOf(kind: Kind, { fullName, whole }: Named, names: Map<string, Name>): Other {
  const name = names.get(fullName) ?? nameOf(kind, fullName);
  names.set(fullName, name);
  let traits: Traits | undefined;
  return {
    name,
    traits: () => {
      traits ??= traitsOf(kind, whole(), name);
      return traits;
    },
  };
}
