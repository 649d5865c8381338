import { NOBODYS_URL } from "contact-workspace-pages/document";
import { isOptional, type TSchema } from "../../base/contract/schema.ts";
import { API_VERSION } from "../../services/gateway/operation/version.ts";
import { PAGINATION, successAnswer } from "./answers.ts";
import { ERROR_SCHEMAS } from "./error-schemas.ts";
import { createErrorAnswers } from "./errors.ts";
import { examplesOf } from "./example-object.ts";
import { exampleMaker, type MakeExample } from "./examples.ts";
import { filterSchemas, ownBody } from "./filter-schemas.ts";
import { filterParameter } from "./filters.ts";
import { HEADERS, PARAMETERS } from "./headers.ts";
import { INTRODUCTION, KEY_DESCRIPTION } from "./introduction.ts";
import type { Operation } from "./operations.ts";
import type { Recording } from "./scenario/recording.ts";
import { type ExampleRequest, exampleRequest } from "./scenario/requests.ts";
import { createSchemas, type Schema, type Schemas } from "./schemas.ts";
import { type Tag, tagsOf } from "./tags.ts";
import { webhookRequests } from "./webhooks.ts";

/**
 * The OpenAPI document of these operations. Its server is NOBODYS_URL, in whose place each gateway puts its address.
 * docs/guides/conventions.md#the-openapi-document
 * @param recording what the examples are answered with; without that of an operation the document has no examples of
 *   its answers
 * @throws Error when two operations have the same id, or when a schema says what OpenAPI has no words for
 */
export function apiDocument(operations: Operation[], recording: Recording): Schema {
  const schemas = createSchemas(operations.flatMap(allSchemasOf));
  const errors = createErrorAnswers();
  const requests = exampleRequests(operations);
  const paths: Record<string, Record<string, Schema>> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const { id, route } = operation;
    if (ids.has(id)) throw new Error(`Two operations have the id ${id}`);
    ids.add(id);
    const request = requests.get(id) ?? { path: {}, query: {}, bodies: {} };
    const { answers, refusals } = recording[id] ?? { answers: {}, refusals: {} };
    const success = successAnswer(operation, schemas, answers);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: {
        ...describeOperation(operation, schemas, request),
        responses: { 200: success, ...errors.refs(operation, refusals) },
      },
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Contact Workspace API",
      version: API_VERSION,
      summary: "People, companies, deals and what happens around them",
      description: INTRODUCTION,
      contact: { name: "The person who runs this server", url: NOBODYS_URL },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: NOBODYS_URL }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations.map(({ tag }) => tag)).map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: webhookRequests(),
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: KEY_DESCRIPTION } },
      schemas: { ...schemas.components(), ...filterSchemas(operations), ...ERROR_SCHEMAS, Pagination: PAGINATION },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: errors.components(),
    },
  };
}

/** Operation id → request of its example. Members of one name mean the same within a chapter, but not beyond it. */
export function exampleRequests(operations: Operation[]): ReadonlyMap<string, ExampleRequest> {
  const makers = new Map<string, MakeExample>();
  const makerOf = ({ name }: Tag): MakeExample => {
    const known = makers.get(name);
    if (known) return known;
    const maker = exampleMaker(operations.filter(({ tag }) => tag.name === name).flatMap(schemasOf));
    makers.set(name, maker);
    return maker;
  };
  return new Map(operations.map((operation) => [operation.id, exampleRequest(operation, makerOf(operation.tag))]));
}

function describeOperation(operation: Operation, schemas: Schemas, request: ExampleRequest): Schema {
  const { id, tag, route, summary, description } = operation;
  const text = [description, route.deprecated?.text].filter((part) => part !== undefined).join("\n\n");
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(text && { description: text }),
    ...(route.deprecated && { deprecated: true }),
    parameters: parametersOf(operation, schemas, request),
    ...(operation.params.body && { requestBody: requestBody(operation, operation.params.body, schemas, request) }),
    ...(route.method === "POST" && !operation.params.body && { requestBody: NO_BODY }),
  };
}

/** Body that a POST without parameters takes as well as none. docs/guides/conventions.md#bodies */
const NO_BODY = {
  description: "Nothing, or an empty object",
  required: false,
  content: {
    "application/json": { schema: { type: "object", properties: {}, additionalProperties: false }, example: {} },
  },
};

function parametersOf(operation: Operation, schemas: Schemas, { path, query }: ExampleRequest): Schema[] {
  const { params, required, route, isWrite, tag } = operation;
  const inHeaders = Object.values(params).flatMap(({ header }) => (header === undefined ? [] : String(header)));
  const others = Object.entries(params).filter(([, { header }]) => header === undefined);
  const own = others.flatMap(([name, schema]): Schema[] => {
    if (name === "body") return [];
    if (name === "after") return [reference("Cursor")];
    if (name === "filter") return [filterParameter(operation)];
    const { description, ...translated } = schemas.translate(schema, "request", tag.one);
    const inPath = name in path;
    const example = path[name] ?? query[name];
    return [
      {
        name,
        in: inPath ? "path" : "query",
        ...((inPath || required.includes(name)) && { required: true }),
        ...defined({ description }),
        schema: translated,
        ...defined({ example }),
      },
    ];
  });
  return [
    ...own,
    ...inHeaders.map((header) => reference(header.replaceAll("-", ""))),
    reference("ApiVersion"),
    ...(isWrite ? [reference("IdempotencyKey")] : []),
    ...(route.kind === "list" ? [reference("Prefer")] : []),
    ...(route.isStreamed ? [reference("LastEventId")] : []),
  ];
}

function defined(member: Schema): Schema {
  return Object.fromEntries(Object.entries(member).filter(([, value]) => value !== undefined));
}

function requestBody(operation: Operation, schema: TSchema, schemas: Schemas, request: ExampleRequest): Schema {
  const { isWrite, tag } = operation;
  return {
    // The server takes a request without a body for {}. A search may be sent so, but most writes without a body are
    // mistakes.
    required: isWrite && !isOptional(schema),
    content: {
      // The console of the reference starts with the first example, which names nothing that other servers do not have.
      "application/json": {
        schema: schemas.translate(ownBody(operation, schema), "request", tag.one),
        ...examplesOf(request.bodies),
      },
    },
  };
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
