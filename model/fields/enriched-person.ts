import { idSchema, oneOf, Type } from "../../base/contract/schema.ts";
import type { Field } from "./field.ts";

/**
 * The person of an enrichment. A deleted person has the last name that they had, because the enrichment stays.
 * docs/guides/enrichment.md#deleted-and-merged-people
 */
export function enrichedPerson(): Field {
  return {
    read: Type.Object(
      { id: idSchema("person"), entityType: oneOf(["person"]), fullName: Type.String() },
      { title: "EnrichedPerson" },
    ),
    write: null,
    filter: null,
    storage: {
      shape: "composed",
      reads: {
        entityKind: "'person'",
        entityId: "t.entity_id",
        entityName: `coalesce(t.entity_name,
          (select p.full_name from people p where p.workspace_id = t.workspace_id and p.id = t.entity_id), '')`,
      },
      present: (row, view) => view.entity(row),
    },
  };
}
