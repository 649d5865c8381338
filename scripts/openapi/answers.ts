import { examplesOf } from "./example-object.ts";
import { ALWAYS, DEPRECATED, type HeaderName, headerRefs, LIST, PREVIEW, QUOTA } from "./headers.ts";
import type { Operation } from "./operations.ts";
import { ONLY } from "./scenario/requests.ts";
import type { Schema, Schemas } from "./schemas.ts";

/**
 * The answer 200 of an operation. docs/guides/conventions.md#answers, docs/guides/lists.md#lists
 * @param answers name of an example of the request → the answer to it
 */
export function successAnswer(operation: Operation, schemas: Schemas, answers: Record<string, unknown>): Schema {
  const { isWrite, route, params, returns } = operation;
  const headers: HeaderName[] = [
    ...ALWAYS,
    ...QUOTA,
    ...(isWrite ? (["Idempotent-Replayed"] as const) : []),
    ...("dryRun" in params ? PREVIEW : []),
    ...("hasTag" in returns && returns.hasTag ? (["ETag"] as const) : []),
    ...(route.deprecated ? DEPRECATED : []),
    ...(route.kind === "list" ? LIST : []),
  ];
  const content = {
    "application/json": { schema: envelope(operation, schemas), ...examplesOf(answers) },
    ...(route.isStreamed && { "text/event-stream": eventStream(answers) }),
  };
  return { description: describe(operation), headers: headerRefs(headers), content };
}

const CURSOR = {
  type: "string",
  description: "Position to continue from, now or later. The last page and an empty one have it too",
};

/** A stream sends events in the form of the list. docs/guides/event-feed.md#the-stream */
function eventStream(answers: Record<string, unknown>): Schema {
  const { data } = (answers[ONLY] ?? {}) as { data?: { cursor: string; items: { type: string }[] } };
  const [first] = data?.items ?? [];
  return {
    schema: {
      type: "string",
      description:
        "Server-sent events, without end: `id` is the cursor behind the event, `event` its type, `data` the event as in the list, on one line",
    },
    ...(first && {
      example: `retry: 2000\n\nid: ${data?.cursor}\nevent: ${first.type}\ndata: ${JSON.stringify(first)}\n\n`,
    }),
  };
}

export const PAGINATION = {
  type: "object",
  description: "Empty on the last page",
  properties: {
    nextLink: { type: "string", format: "uri", description: "The next page, with every parameter of this one" },
  },
};

function envelope(operation: Operation, schemas: Schemas): Schema {
  const deprecations = {
    type: "array",
    items: { type: "string" },
    description: "Deprecated parts of this request, and what to use instead",
  };
  const { returns, tag } = operation;
  const beside = Object.entries(("beside" in returns && returns.beside) || {});
  const properties = {
    data: dataSchema(operation, schemas),
    ...Object.fromEntries(beside.map(([name, schema]) => [name, schemas.translate(schema, "answer", tag.one)])),
    ...("dryRun" in operation.params && { changes: CHANGES }),
    deprecations,
  };
  return { type: "object", required: ["data", ...beside.map(([name]) => name)], properties };
}

/** docs/guides/preview.md#the-answer */
const CHANGES = {
  type: "array",
  description: "Only in the answer to a preview: the events that the write would make, in their order",
  items: {
    type: "object",
    required: ["type", "data"],
    properties: {
      type: { type: "string", examples: ["person.updated"] },
      data: { type: "object", description: "The member `data` of the event", additionalProperties: true },
    },
  },
};

function dataSchema({ returns, tag }: Operation, schemas: Schemas): Schema {
  if ("data" in returns) return schemas.translate(returns.data, "answer", tag.one);
  const items = { type: "array", items: schemas.translate(returns.list, "answer", tag.one) };
  return {
    type: "object",
    required: ["items", "pagination", ...(returns.hasCursor ? ["cursor"] : [])],
    properties: {
      items,
      pagination: { $ref: "#/components/schemas/Pagination" },
      ...(returns.hasCursor && { cursor: CURSOR }),
    },
  };
}

function describe({ returns, route }: Operation): string {
  if ("list" in returns) return "A page of the list.";
  if (route.method === "DELETE") return "The id of what was deleted.";
  const { title, properties } = returns.data;
  if (title === "TransactionResults") return "One result for each operation, in their order.";
  if (properties && "results" in properties) return "One result for each record, in their order.";
  if (properties && "items" in properties) return "The items in their order.";
  return title === undefined ? "What was done." : `The ${title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()}.`;
}
