import { hash } from "node:crypto";
import { isUuid, NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import { KEY_LENGTH, type OptionKeys, type SortKeys } from "./walk.ts";

/** Place of a record in a sorted list: its id, and its key as a text, null behind all records that have a key. */
export interface Place {
  id: Uuid;
  key: string | null;
  /** Set if the key is only the beginning of the real one: the MD5 of all of it. */
  hash?: string;
}

/** Bytes of a key that a cursor has room for, of 512 characters in all, and of one that is cut. */
const KEY_BYTES_MAX = 300;
const CUT_KEY_BYTES = 240;
const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff" as Uuid;

/** The text of a place for a cursor: what tells the field from others of its name, the id, and the key. */
export function printPlace(keys: SortKeys, { id, key }: Place): string {
  const head = `${markOf(keys)} ${id}`;
  if (key === null) return head;
  if (keys.shape === "option") {
    const option = keys.options[Number(key) - 1];
    return `${head}=${option?.position} ${option?.uuid}`;
  }
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return `${head}=${key}`;
  return `${head}~${hash("md5", key, "hex")}${startOf(key)}`;
}

const PLACE = /^(\S*) (\S{36})(?:(=)|~([0-9a-f]{32}))?(.*)$/s;

/** The place that a text of `printPlace` tells; undefined for one that was made for another field. */
export function parsePlace(keys: SortKeys, text: string): Place | undefined {
  const [, mark, id = "", whole, hashed, key = ""] = PLACE.exec(text) ?? [];
  if (mark !== markOf(keys) || !isUuid(id)) return undefined;
  if (hashed !== undefined) return { id, key, hash: hashed };
  if (whole === undefined) return { id, key: null };
  return keys.shape === "option" ? placeOfOption(keys, id, key) : { id, key };
}

/** An option may have been removed since. The walk goes on behind those that stood in front of it. */
function placeOfOption({ options, isDescending }: OptionKeys, id: Uuid, key: string): Place {
  const [position = "", option] = key.split(" ");
  const index = options.findIndex(({ uuid }) => uuid === option);
  if (index >= 0) return { id, key: String(index + 1) };
  const isBefore = (other = 0) => (isDescending ? other > Number(position) : other < Number(position));
  return { id: LAST_UUID, key: String(options.filter((other) => isBefore(other.position)).length) };
}

/** A text that differs between two fields of one name. */
function markOf(keys: SortKeys): string {
  return "field" in keys ? keys.field.slice(-12) : "";
}

/** As many of the first characters as there is room for. */
function startOf(key: string): string {
  let start = "";
  let bytes = 0;
  for (const character of key) {
    bytes += Buffer.byteLength(character);
    if (bytes > CUT_KEY_BYTES) break;
    start += character;
  }
  return start;
}

/** A text with this at its end comes behind every key of the same beginning. */
export const BEHIND_ALL = "\u{10ffff}".repeat(KEY_LENGTH + 1);

/**
 * The place behind a record that was changed or deleted, when no other record has the same long key. Records whose keys
 * have the same beginning come again, so that none is missing.
 */
export function placeOfStart({ key }: Place, isDescending: boolean): Place {
  return isDescending ? { id: LAST_UUID, key: `${key}${BEHIND_ALL}` } : { id: NIL_UUID, key };
}
