import type { CountryCode } from "libphonenumber-js/min";
import { isMap, isScalar } from "yaml";
import { comparable } from "../../../../base/values/text.ts";
import { IMPORTED_BOUNDS, type Participant } from "../../../../engine/interactions/imported.ts";
import { e164 } from "../../../../engine/interactions/phone-numbers.ts";
import { nameOf as nameIn, nodeIn, readYaml } from "../../../../tools/terminal/yaml-file.ts";
import { fitted } from "../plain-text.ts";
import { nameOf } from "./line.ts";

/** The people of a chat by their names in it, in the form in which names are compared. */
export type People = Map<string, Participant>;

/** The form of a name in which it is compared. */
export function nameKey(name: string): string {
  return comparable(nameOf(name));
}

/**
 * Reads who is who: lines `name: telephone number or e-mail address`. `country` is where numbers without a country code are
 * dialled. docs/guides/import.md#whatsapp-chats
 * @throws CommandError that names file and line
 */
export function readPeople(file: string, country?: CountryCode): People {
  const { documents, fault } = readYaml(file);
  const [document, second] = documents;
  const node = document?.node ?? null;
  if (!isMap(node)) throw fault(0, "must be lines of the form name: telephone number or e-mail address");
  if (second) throw fault(second.node?.range?.[0] ?? 0, "is a second document: a map is one");
  return new Map(
    node.items.map(({ key, value }) => {
      const name = nameIn(key);
      // A number is taken as it is written: read as one it would lose its plus.
      const participant = participantOf(name, nameIn(nodeIn(value)).trim(), country);
      if (participant) return [nameKey(name), participant];
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      throw fault(offset, `${name}: must be a telephone number like +447700900123, or an e-mail address`);
    }),
  );
}

/** Somebody who stands in the chat as a telephone number; null for a name. */
export function byNumber(name: string, country?: CountryCode): Participant | null {
  const number = e164(name, country);
  return number === null ? null : { type: "phone", value: number };
}

function participantOf(name: string, value: string, country?: CountryCode): Participant | null {
  const known = { name: fitted(nameOf(name), IMPORTED_BOUNDS.participantName).text };
  const number = e164(value, country);
  if (number !== null) return { type: "phone", value: number, ...known };
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= IMPORTED_BOUNDS.participantValue;
  return isAddress ? { type: "email", value, ...known } : null;
}
