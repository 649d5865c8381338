import { v7 } from "uuid";

/** Kind → prefix of its ids. API document, "Identifiers"; gaps 4. */
export const PREFIXES = {
  person: "per",
  company: "com",
  object: "obj",
  group: "grp",
  user: "usr",
  option: "gcfo",
  key: "key",
  workspace: "wsp",
} as const;

export type IdKind = keyof typeof PREFIXES;

/** What a record of the workspace may be. */
export type RecordKind = Extract<IdKind, "person" | "company" | "object">;

const UUID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Length of an id: 40 characters, 41 for options, whose prefix the API document makes longer than the others. */
export function idLength(kind: IdKind): number {
  return PREFIXES[kind].length + 1 + UUID_LENGTH;
}

/** A new uuid v7: ids made in one process ascend, also within a millisecond, so the order of ids is the order of making. */
export function newUuid(): string {
  return v7();
}

/** The millisecond in which a uuid v7 was made. It is the createdAt of its record, so that (createdAt, id) is the order of ids. */
export function madeAt(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** uuid → id as clients see it. */
export function toId(kind: IdKind, uuid: string): string {
  return `${PREFIXES[kind]}_${uuid}`;
}

/** Id → uuid; null for a text that is no id of this kind and therefore names nothing. */
export function uuidOf(kind: IdKind, id: string): string | null {
  const prefix = PREFIXES[kind];
  if (!id.startsWith(prefix) || id[prefix.length] !== "_") return null;
  const uuid = id.slice(prefix.length + 1);
  return UUID.test(uuid) ? uuid : null;
}
