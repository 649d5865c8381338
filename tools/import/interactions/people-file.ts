import { nameKey, type People, participantOf } from "contact-workspace-readers/people";
import type { CountryCode } from "libphonenumber-js/min";
import { isMap, isScalar } from "yaml";
import { nameOf, nodeIn, readYaml } from "../../terminal/yaml-file.ts";

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
      const name = nameOf(key);
      // A number is taken as it is written: read as one it would lose its plus.
      const participant = participantOf(name, nameOf(nodeIn(value)).trim(), country);
      if (participant) return [nameKey(name), participant];
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      throw fault(offset, `${name}: must be a telephone number like +447700900123, or an e-mail address`);
    }),
  );
}
