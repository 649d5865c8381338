import type { TSchema } from "../../lib/contract/schema.ts";
import { NOBODYS_URL } from "../../services/gateway/docs/document.ts";
import { API_VERSION } from "../../services/gateway/operation/version.ts";
import { PAGINATION, successAnswer } from "./answers.ts";
import { ERROR_SCHEMAS, errorAnswers, errorRefs } from "./errors.ts";
import { exampleMaker, type MakeExample, withoutReferences } from "./examples.ts";
import { filterSchemas, ownBody } from "./filter-schemas.ts";
import { filterParameter } from "./filters.ts";
import { HEADERS, PARAMETERS } from "./headers.ts";
import { INTRODUCTION, KEY_DESCRIPTION } from "./introduction.ts";
import type { Operation } from "./operations.ts";
import { createSchemas, type Schema, type Schemas } from "./schemas.ts";
import { tagsOf } from "./tags.ts";

/**
 * The OpenAPI document of these operations. Its server is NOBODYS_URL, in whose place each gateway puts its address.
 * docs/guides/conventions.md#the-openapi-document
 * @throws Error when two operations have the same id, or when a schema says what OpenAPI has no words for
 */
export function apiDocument(operations: Operation[]): Schema {
  const schemas = createSchemas(operations.flatMap(allSchemasOf));
  const examples = examplesByTag(operations);
  const paths: Record<string, Record<string, Schema>> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const { id, route } = operation;
    if (ids.has(id)) throw new Error(`Two operations have the id ${id}`);
    ids.add(id);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(operation, schemas, examples(operation)),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Contact Workspace API",
      version: API_VERSION,
      summary: "People, companies, deals and what happens around them",
      description: INTRODUCTION,
      contact: { name: "Whoever runs this server", url: NOBODYS_URL },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: NOBODYS_URL }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations.map(({ tag }) => tag)).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: KEY_DESCRIPTION } },
      schemas: { ...schemas.components(), ...filterSchemas(operations), ...ERROR_SCHEMAS, Pagination: PAGINATION },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: errorAnswers(),
    },
  };
}

function describeOperation(operation: Operation, schemas: Schemas, example: MakeExample): Schema {
  const { id, tag, route, summary, description, returns } = operation;
  const text = [description, route.deprecated?.text].filter((part) => part !== undefined).join("\n\n");
  const shown = example("data" in returns ? returns.data : returns.list, "answer");
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(text && { description: text }),
    ...(route.deprecated && { deprecated: true }),
    parameters: parametersOf(operation, schemas, example),
    ...(operation.params.body && { requestBody: requestBody(operation, operation.params.body, schemas, example) }),
    responses: { 200: successAnswer(operation, schemas, shown), ...errorRefs(operation) },
  };
}

function parametersOf(operation: Operation, schemas: Schemas, example: MakeExample): Schema[] {
  const { params, required, route, isWrite, tag } = operation;
  const own = Object.entries(params).flatMap(([name, schema]): Schema[] => {
    if (name === "body") return [];
    if (name === "after") return [reference("Cursor")];
    if (name === "filter") return [filterParameter(operation)];
    const { description, ...translated } = schemas.translate(schema, "request", tag.one);
    const inPath = route.path.includes(`{${name}}`);
    return [
      {
        name,
        in: inPath ? "path" : "query",
        ...((inPath || required.includes(name)) && { required: true }),
        ...(description !== undefined && { description }),
        schema: translated,
        ...(inPath && { example: example(schema, "request", name) }),
      },
    ];
  });
  return [
    ...own,
    reference("ApiVersion"),
    ...(isWrite ? [reference("IdempotencyKey")] : []),
    ...(route.isStreamed ? [reference("LastEventId")] : []),
  ];
}

function requestBody(operation: Operation, schema: TSchema, schemas: Schemas, example: MakeExample): Schema {
  const { isWrite, tag } = operation;
  const everything = example(schema, "request");
  const simple = withoutReferences(everything, schema.required);
  // The console of the reference starts with the first example, which therefore can be sent as it is.
  const examples = {
    simple: { summary: "Simple", value: simple },
    everything: { summary: "Everything", value: everything },
  };
  return {
    // The server takes a request without a body for {}. A search may be sent so, but a write without a body is a mistake.
    required: isWrite,
    content: {
      "application/json": {
        schema: schemas.translate(ownBody(operation, schema), "request", tag.one),
        ...(simple === undefined ? { example: everything } : { examples }),
      },
    },
  };
}

/**
 * Gives each operation examples made for its chapter: members of one name mean the same within a chapter, but not beyond
 * it.
 */
function examplesByTag(operations: Operation[]): (operation: Operation) => MakeExample {
  const makers = new Map<string, MakeExample>();
  for (const { tag } of operations) {
    const same = operations.filter((operation) => operation.tag.name === tag.name);
    if (!makers.has(tag.name)) makers.set(tag.name, exampleMaker(same.flatMap(schemasOf)));
  }
  return ({ tag }) => makers.get(tag.name) ?? exampleMaker([]);
}

function reference(name: string): Schema {
  return { $ref: `#/components/parameters/${name}` };
}

function allSchemasOf({ params, returns }: Operation): TSchema[] {
  return [...Object.values(params), "data" in returns ? returns.data : returns.list];
}

function schemasOf({ params, returns }: Operation): TSchema[] {
  return [...(params.body ? [params.body] : []), "data" in returns ? returns.data : returns.list];
}
