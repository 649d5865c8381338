import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

/** Kind → prefix of its ids. docs/guides/values.md#identifiers */
export const PREFIXES = {
  person: "per",
  company: "com",
  object: "obj",
  group: "grp",
  user: "usr",
  option: "gcfo",
  key: "key",
  workspace: "wsp",
  note: "nte",
  interaction: "lit",
  task: "tsk",
  reminder: "rmd",
  enrichment: "enr",
  event: "evt",
  webhook: "wbk",
  delivery: "dlv",
} as const;

export type IdKind = keyof typeof PREFIXES;

export const RECORD_KINDS = ["person", "company", "object"] as const satisfies readonly IdKind[];
export type RecordKind = (typeof RECORD_KINDS)[number];

declare const ofUuid: unique symbol;

/**
 * The identity of a thing in the database. Clients see it with a prefix in front: an `Id`. The compiler keeps the two
 * apart.
 */
export type Uuid = string & { readonly [ofUuid]: true };

/** An identifier as clients see it. What a client sends for one is a plain text until `uuidOf` has read it. */
export type Id = `${(typeof PREFIXES)[IdKind]}_${string}`;

const UUID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Length of an id in characters: 40, and 41 for options, whose prefix is longer than the others. */
export function idLength(kind: IdKind): number {
  return PREFIXES[kind].length + 1 + UUID_LENGTH;
}

const RANDOM_BYTES = 16;
/** Random bytes for many ids. Drawn for each, as `v7` does by itself, they take nine tenths of the time of an id. */
const random = new Uint8Array(256 * RANDOM_BYTES);
/** State of the last id: the number of these bytes that it has used, and its time and number. */
const made = { randomBytes: random.length, msecs: 0, seq: 0 };

/** Longest time that ids may be ahead of a clock that was set back. Clocks are usually corrected by less. */
const AHEAD_MS_MAX = 1000;

/**
 * A new uuid v7: ids made in one process ascend, also within a millisecond, so the order of ids is the order of making,
 * unless the clock is set back by more than a second.
 */
export function newUuid(): Uuid {
  if (made.randomBytes === random.length) {
    randomFillSync(random);
    made.randomBytes = 0;
  }
  const bytes = random.subarray(made.randomBytes, made.randomBytes + RANDOM_BYTES);
  made.randomBytes += RANDOM_BYTES;
  const now = Date.now();
  // In a millisecond ids count on from a random number, which leaves half of all 32 bits. When the clock was set back a
  // little they count on as well. When it had been far ahead they begin anew: the id tells `createdAt`, which must not
  // lie in the future for as long as the process lives.
  if (now > made.msecs || made.msecs - now > AHEAD_MS_MAX) Object.assign(made, { msecs: now, seq: seqOf(bytes) });
  else made.seq += 1;
  return v7({ random: bytes, msecs: made.msecs, seq: made.seq }) as Uuid;
}

/** 31 random bits, of those that `v7` does not take for the rest of the id. */
function seqOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) >>> 1;
}

/**
 * The millisecond in which a uuid v7 was made. It is the `createdAt` of its record, so the order of lists, by
 * `createdAt` and then by id, is the order of ids. docs/guides/lists.md#lists
 */
export function madeAt(uuid: Uuid): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** The lowest uuid that can be made in this millisecond: a bound for ids by the time of their making. */
export function firstUuidOf(ms: number): Uuid {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000` as Uuid;
}

/** The nil uuid of RFC 9562. It is before every uuid that is ever made, and nothing has it. */
export const NIL_UUID = firstUuidOf(0);

const KINDS = new Map(Object.entries(PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]));

/** The kind of an id; undefined for a text with another prefix. */
export function kindOf(id: string): IdKind | undefined {
  return KINDS.get(id.slice(0, id.indexOf("_")));
}

/** The id by which clients know the thing of this kind that has this uuid. */
export function toId(kind: IdKind, uuid: Uuid): Id {
  return `${PREFIXES[kind]}_${uuid}`;
}

/** The uuid of an id; null for a text that is no id of this kind and therefore names nothing. */
export function uuidOf(kind: IdKind, id: string): Uuid | null {
  const prefix = PREFIXES[kind];
  if (!id.startsWith(prefix) || id[prefix.length] !== "_") return null;
  const uuid = id.slice(prefix.length + 1);
  return isUuid(uuid) ? uuid : null;
}

/** Whether a text is a uuid, in lower case as all of ours are. */
export function isUuid(text: string): text is Uuid {
  return UUID.test(text);
}

/** The thing that an id names, from a map of things by their uuids; undefined when it names none of them. */
export function byId<Thing>(things: ReadonlyMap<Uuid, Thing>, kind: IdKind, id: string): Thing | undefined {
  const uuid = uuidOf(kind, id);
  return uuid === null ? undefined : things.get(uuid);
}

/** The uuids of those ids that are of this kind, each once; the others are left out. */
export function uuidsOf(kind: IdKind, ids: Iterable<string>): Uuid[] {
  return [...new Set([...ids].flatMap((id) => uuidOf(kind, id) ?? []))];
}
