import { oneOf, openReference, Type } from "../../base/contract/schema.ts";
import type { FieldDefinition } from "./definition.ts";
import { cellOf, entriesOf, ITEMS_MAX, unique } from "./list.ts";
import type { CustomFieldType, Lookup, Names } from "./type.ts";

const shownRecord = Type.Object({
  id: Type.String(),
  fullName: Type.String(),
  entityType: oneOf(["person", "company", "object"]),
});

/**
 * Parts that the types whose values name records share: a list of references `{ id }`, stored as ids, answered as
 * `{ id, fullName, entityType }`.
 * @param what is named, in words for a message
 */
export function relationship(kind: "contact" | "object", what: string) {
  return {
    value: Type.Array(openReference(kind), { maxItems: ITEMS_MAX }),
    shown: Type.Array(shownRecord),
    filter: "MULTIREF",
    namedBy: "id",
    hasOptions: false,
    refersTo: kind,
    references: (sent: { id: string }[]) => sent.map(({ id }) => id),
    store(sent: { id: string }[], field: FieldDefinition, lookup: Lookup) {
      const ids = sent.map(({ id }) => lookup[kind](id));
      const faults = sent.flatMap(({ id }, i) =>
        ids[i]
          ? []
          : [{ below: [i, "id"], message: `The field "${field.name}" names ${what} that does not exist: ${id}` }],
      );
      return faults.length > 0 ? { faults } : { value: unique(ids.flatMap((id) => id ?? [])) };
    },
    present(ids: string[], _field: FieldDefinition, names: Names) {
      const records = ids.flatMap((id) => names.record(id) ?? []);
      return records.length > 0 ? records : null;
    },
    // The index holds the uuid alone, because no two records have the same one, of whatever kinds they are.
    indexedAs: (ids: string[]) => ids.map((id) => ({ item: id.slice(id.indexOf("_") + 1) })),
    // A name or an e-mail address becomes an id where rows are written (engine/records/import-names.ts).
    fromTexts: (texts: string[], isSplit: boolean) => entriesOf(texts, isSplit).map((id) => ({ id })),
    toCell: (records: { fullName: string }[]) => cellOf(records.map(({ fullName }) => fullName)),
  } satisfies Omit<CustomFieldType, "name">;
}
