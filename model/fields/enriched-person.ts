import { idSchema, oneOf, Type } from "../../base/contract/schema.ts";
import { composed, type Field } from "./field.ts";

/**
 * The person of an enrichment. A deleted person has the last name that they had, because the enrichment stays.
 * docs/guides/enrichment.md#deleted-and-merged-people
 */
export function enrichedPerson(): Field {
  return composed(
    Type.Object(
      { id: idSchema("person"), entityType: oneOf(["person"]), fullName: Type.String() },
      { title: "EnrichedPerson" },
    ),
    {
      entityKind: "'person'",
      entityId: "t.entity_id",
      entityName: `coalesce(t.entity_name,
          (select p.full_name from people p where p.workspace_id = t.workspace_id and p.id = t.entity_id), '')`,
    },
    (row, view) => view.entity(row),
  );
}
