import { idSchema, nullable, oneOf, Type } from "../../base/contract/schema.ts";
import { composed, type Field, inColumn } from "../fields/field.ts";
import { createdAt, createdBy, id } from "../fields/server.ts";
import { timestamp } from "../fields/times.ts";
import { defineResource } from "./resource.ts";

/**
 * Status of an enrichment, in the order in which it changes; the last three are final. docs/guides/enrichment.md#status
 */
export const STATUSES = ["pending", "in_progress", "completed", "failed", "cancelled"] as const;

/** Enrichments of people, which all users of the workspace see: docs/guides/enrichment.md#fields */
export const enrichments = defineResource({
  kind: "enrichment",
  title: "Enrichment",
  chapter: "Looks up public data about a person.",
  table: "enrichments",
  fields: {
    id: id("enrichment"),
    entity: enrichedPerson(),
    status: status(),
    creditsUsed: creditsUsed(),
    result: result(),
    error: error(),
    createdBy: createdBy(),
    createdAt: createdAt(),
    finishedAt: timestamp("finished_at"),
  },
});

function status(): Field {
  return {
    read: oneOf(STATUSES),
    write: null,
    filter: null,
    storage: inColumn("status", "text", "pending"),
  };
}

/** Only a completed enrichment costs its credit. docs/guides/enrichment.md#credits */
function creditsUsed(): Field {
  return composed(Type.Integer({ minimum: 0, maximum: 1 }), {}, (row) => (row.status === "completed" ? 1 : 0));
}

function result(): Field {
  return composed(
    nullable(
      Type.Object(
        { addedFields: Type.Array(Type.String(), { example: ["jobTitle", "urls"] }) },
        { title: "EnrichmentResult" },
      ),
    ),
    { addedFields: "t.added_fields" },
    ({ addedFields }) => (addedFields === null ? null : { addedFields }),
  );
}

function error(): Field {
  return composed(
    nullable(
      Type.Object(
        { code: Type.String({ example: "PROVIDER_REFUSED" }), message: Type.String() },
        { title: "EnrichmentError" },
      ),
    ),
    { errorCode: "t.error_code", errorMessage: "t.error_message" },
    ({ errorCode, errorMessage }) => (errorCode === null ? null : { code: errorCode, message: errorMessage }),
  );
}

/**
 * The person of an enrichment. A deleted person has the last name that they had, because the enrichment stays.
 * docs/guides/enrichment.md#deleted-and-merged-people
 */
function enrichedPerson(): Field {
  return composed(
    Type.Object(
      { id: idSchema("person"), entityType: oneOf(["person"]), fullName: Type.String() },
      { title: "EnrichedPerson" },
    ),
    {
      entityKind: "'person'",
      entityId: "t.entity_id",
      entityName: `coalesce(t.entity_name,
          (select p.full_name from people p where p.workspace_id = $1 and p.id = t.entity_id), '')`,
    },
    (row, view) => view.entity(row),
  );
}
