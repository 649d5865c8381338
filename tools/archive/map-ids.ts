import { hash } from "node:crypto";
import { kindOf, NIL_UUID, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { IdForm } from "../../model/table.ts";

/** Gives the id that a thing gets in the place of its old one. */
export type NewUuid = (uuid: Uuid) => Uuid;

/**
 * Puts new ids in the place of the old ones in a value that is JSON. Texts that people have written are not looked at.
 */
type MapIds = (value: unknown, newUuid: NewUuid) => unknown;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Length of the beginning of a uuid v7 that holds the time, and the order within one millisecond. */
const ORDERED_LENGTH = 26;

/**
 * Maps each id to a new one, always the same for the same id. The time and order of creation stay in the id, and a
 * million ids need no memory. The nil uuid stands for no user and stays.
 * @param salt makes the ids of one import differ from those of the next
 */
export function newUuids(salt: string): NewUuid {
  return (uuid) => {
    if (uuid === NIL_UUID) return uuid;
    const random = hash("sha256", `${salt} ${uuid}`, "hex").slice(0, uuid.length - ORDERED_LENGTH);
    return `${uuid.slice(0, ORDERED_LENGTH)}${random}` as Uuid;
  };
}

/** The text with a new id, when it is nothing but an id; else itself. */
export function mapText(text: string, newUuid: NewUuid): string {
  if (UUID.test(text)) return newUuid(text as Uuid);
  const kind = kindOf(text);
  const uuid = kind && uuidOf(kind, text);
  return kind && uuid ? toId(kind, newUuid(uuid)) : text;
}

/** Maps the texts of any JSON that are nothing but an id, and the names of members that are one. */
export const mapTexts: MapIds = (value, newUuid) => {
  if (typeof value === "string") return mapText(value, newUuid);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, newUuid));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [mapText(name, newUuid), mapTexts(member, newUuid)]),
  );
};

/** Maps the records and users of the participants of an interaction. Their names and addresses stay. */
const mapParticipants: MapIds = (value, newUuid) => {
  if (Array.isArray(value)) return value.map((entry) => mapParticipants(entry, newUuid));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "userId" || name === "personId") return [name, mapTexts(member, newUuid)];
      return [name, typeof member === "object" ? mapParticipants(member, newUuid) : member];
    }),
  );
};

/** Form of the ids in a column of JSON → function that maps them. */
export const MAPS: Readonly<Record<IdForm, MapIds>> = {
  texts: mapTexts,
  participants: mapParticipants,
};
