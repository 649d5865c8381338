import { openUserReference, Type, userSchema } from "../../base/contract/schema.ts";
import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { FieldDefinition } from "./definition.ts";
import { cellOf, entriesOf, ITEMS_MAX, unique } from "./list.ts";
import type { CustomFieldType, Lookup, Names } from "./type.ts";

type Reference = { id?: string; email?: string; fullName?: unknown };

export const userField: CustomFieldType = {
  name: "userField",
  value: Type.Array(openUserReference(), { maxItems: ITEMS_MAX }),
  shown: Type.Array(userSchema),
  filter: "MULTIREF",
  namedBy: "user",
  hasOptions: false,
  store(references: Reference[], field: FieldDefinition, lookup: Lookup) {
    const uuids = references.map((reference) => lookup.user(reference));
    const faults = references.flatMap(({ id, email }, i) => {
      if (uuids[i]) return [];
      if (id !== undefined && email !== undefined) return [{ below: [i], message: namedTwice(field, id, email) }];
      const [by, value] = id === undefined ? ["email", email] : ["id", id];
      return [
        {
          below: [i, by],
          message: `The field "${field.name}" names a user that does not exist: ${String(value).slice(0, 100)}`,
        },
      ];
    });
    return faults.length > 0 ? { faults } : { value: unique(uuids.flatMap((uuid) => uuid ?? [])) };
  },
  present(uuids: Uuid[], _field: FieldDefinition, names: Names) {
    const users = uuids.flatMap((uuid) => names.user(uuid) ?? []);
    return users.length > 0 ? users : null;
  },
  indexedAs: (uuids: string[]) => uuids.map((item) => ({ item })),
  fromTexts: (texts, isSplit) =>
    entriesOf(texts, isSplit).map((text) => (uuidOf("user", text) ? { id: text } : { email: text })),
  toCell: (users: { email: string }[]) => cellOf(users.map(({ email }) => email)),
};

function namedTwice(field: FieldDefinition, id: string, email: string): string {
  return `The field "${field.name}" names a user by ${id} and ${email.slice(0, 100)}, and no user has both. Send one of the two`;
}
