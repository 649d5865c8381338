import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isDate } from "../../lib/dates.ts";
import { closed, nullable, plainText, Type, trimmedName } from "../../lib/schema.ts";
import { apiDocument } from "../../scripts/openapi/document.ts";
import { loadOperations, type Operation } from "../../scripts/openapi/operations.ts";
import { createSchemas, type Schema } from "../../scripts/openapi/schemas.ts";
import { routes } from "../../services/gateway/routes.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "openapi.json");
const PUBLIC_URL = "https://contacts.example.test";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  deprecated?: boolean;
  parameters: { $ref?: string; name?: string; schema?: Schema; example?: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { $ref?: string; headers?: Schema; content?: Record<string, Media> }>;
}

let operations: Operation[];
let document: Schema;
let described: [name: string, operation: Described][];

beforeAll(async () => {
  operations = await loadOperations();
  document = JSON.parse(JSON.stringify(apiDocument(operations)).replaceAll("{PUBLIC_URL}", PUBLIC_URL));
  const paths = document.paths as Record<string, Record<string, Described>>;
  described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Described] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});

describe("the OpenAPI document", () => {
  it("is committed as it is generated from the schemas that validate: run npm run openapi", () => {
    const committed = readFileSync(FILE, "utf8");
    const generated = apiDocument(operations);
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(generated)));
    expect(committed === `${JSON.stringify(generated, null, 2)}\n`).toBe(true);
  });

  it("has the version of the API (API document, Versioning)", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: "2025-06-09" },
      servers: [{ url: PUBLIC_URL }],
    });
  });

  it("has every route, under an id and a chapter of its own", () => {
    expect(described.map(([name]) => name).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(described.map(([, { operationId }]) => operationId)).size).toBe(described.length);
    const chapters = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const [name, { summary, tags }] of described)
      expect({ name, summary, known: chapters.includes(tags[0] ?? "") }).toEqual({
        name,
        summary: expect.stringMatching(/./),
        known: true,
      });
  });

  it("names no schema like a type that languages have", () => {
    const { schemas } = document.components as { schemas: Record<string, Schema> };
    const builtIn = Object.keys(schemas).filter((name) => name in globalThis);
    expect(builtIn).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["ApiError", "Deal", "DealCreate", "DealUpdate"]));
  });

  it("leads somewhere with every reference", () => {
    const lost = references(document).filter((pointer) => at(document, pointer) === undefined);
    expect(lost).toEqual([]);
  });

  it("has examples that fit their schemas", () => {
    const ajv = validator();
    const all = [...mediaExamples(), ...parameterExamples(), ...schemaExamples(document)];
    expect(all.length).toBeGreaterThan(described.length * 3);
    const faults = all.flatMap(([place, schema, value]) => {
      if (ajv.validate({ ...schema, components: document.components }, value)) return [];
      return [`${place}: ${ajv.errorsText()}: ${JSON.stringify(value)}`];
    });
    expect(faults).toEqual([]);
  });

  it("has an example for every body and every answer", () => {
    const without = described.flatMap(([name, { requestBody, responses }]) =>
      [...mediaOf(`${name} body`, requestBody), ...mediaOf(`${name} 200`, responses["200"])]
        .filter(([, media]) => media.example === undefined && media.examples === undefined)
        .map(([place]) => place),
    );
    expect(without).toEqual([]);
  });

  it("requires a body where {}, which stands for none, is refused (gaps 1, Common to all)", () => {
    const ajv = new Ajv2020({ strict: false, formats: { date: isDate } });
    const wrong = described.flatMap(([name, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      const takesNone = schema && ajv.validate({ ...schema, components: document.components }, {});
      return requestBody && (requestBody.required === true) === takesNone ? [name] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("has the errors that an operation can answer, and what their headers are (gaps 7)", () => {
    const byId = (id: string) => described.find(([, { operationId }]) => operationId === id)?.[1];
    expect(Object.keys(byId("listPeople")?.responses ?? {})).toEqual([
      "200",
      "400",
      "401",
      "403",
      "422",
      "429",
      "500",
      "503",
    ]);
    expect(Object.keys(byId("updatePerson")?.responses ?? {})).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "408",
      "409",
      "413",
      "422",
      "429",
      "500",
      "503",
    ]);
    const { responses } = document.components as { responses: Record<string, { headers: Schema }> };
    expect(Object.keys(responses.TooManyRequests?.headers ?? {})).toEqual(
      expect.arrayContaining([
        "X-Request-Id",
        "X-API-Version",
        "Retry-After",
        "RateLimit-Policy",
        "RateLimit",
        "X-RateLimit-Remaining-Burst",
      ]),
    );
    expect(Object.keys(responses.Unauthorized?.headers ?? {})).not.toContain("RateLimit");
  });

  it("takes an Idempotency-Key where something is written, and a version everywhere", () => {
    const names = (operation: Described) =>
      operation.parameters.map(({ $ref, name }) => $ref?.split("/").at(-1) ?? name);
    for (const [name, operation] of described) {
      const writes = !name.startsWith("GET ") && !name.endsWith("/search");
      expect({
        name,
        version: names(operation).includes("ApiVersion"),
        key: names(operation).includes("IdempotencyKey"),
      }).toEqual({ name, version: true, key: writes });
    }
  });
});

describe("a schema of ours in the document", () => {
  const translate = (
    schema: Parameters<ReturnType<typeof createSchemas>["translate"]>[0],
    purpose: "request" | "answer" = "request",
  ) => createSchemas([]).translate(schema, purpose, "");

  it("says with standard keywords what ours mean", () => {
    expect(translate(trimmedName(255))).toEqual({
      type: "string",
      minLength: 1,
      maxLength: 255,
      description: "White space at both ends is removed",
    });
    expect(translate(nullable(plainText(10)))).toEqual({ type: ["string", "null"], maxLength: 10 });
    expect(
      translate(Type.Object({ id: Type.Optional(Type.String()) }, { exactlyOneOf: ["id", "name"] })),
    ).toMatchObject({ oneOf: [{ required: ["id"] }, { required: ["name"] }] });
    expect(translate(Type.Record(Type.String(), Type.Integer()))).toEqual({
      type: "object",
      additionalProperties: { type: "integer" },
    });
  });

  it("refuses unknown members in requests only: answers may get new ones (API document, Versioning)", () => {
    expect(translate(closed({}))).toHaveProperty("additionalProperties", false);
    expect(translate(closed({}), "answer")).not.toHaveProperty("additionalProperties");
  });

  it("is refused when it has a keyword that the document has no words for", () => {
    expect(() => translate(Type.String({ ours: true }))).toThrow("no words for the keyword ours");
  });

  it("becomes a component under its title, with its owner before a title that others have too", () => {
    const merges = ["a", "b"].map((name) => Type.Object({ [name]: Type.String() }, { title: "Merge" }));
    const user = Type.Object({}, { title: "User" });
    const schemas = createSchemas([...merges, user, nullable(user)]);
    expect(merges.map((schema, i) => schemas.translate(schema, "request", `Owner${i}`))).toEqual([
      { $ref: "#/components/schemas/Owner0Merge" },
      { $ref: "#/components/schemas/Owner1Merge" },
    ]);
    expect(schemas.translate(nullable(user), "answer", "")).toEqual({
      anyOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }],
    });
    expect(Object.keys(schemas.components())).toEqual(["Owner0Merge", "Owner1Merge", "User"]);
  });
});

function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("date", isDate);
  ajv.addFormat("date-time", (text: string) => new Date(text).toISOString() === text);
  ajv.addFormat("uri", (text: string) => URL.canParse(text));
  ajv.addFormat("uuid", UUID);
  return ajv;
}

function mediaOf(place: string, part: unknown): [place: string, media: Media][] {
  const { content = {} } = (part ?? {}) as { content?: Record<string, Media> };
  return Object.values(content).map((media) => [place, media]);
}

function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

function at(root: Schema, pointer: string): unknown {
  const names = pointer
    .replace(/^#\//, "")
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce<unknown>((found, name) => (found as Schema | undefined)?.[name], root);
}

type Example = [place: string, schema: Schema, value: unknown];

/** Examples of bodies and answers. */
function mediaExamples(): Example[] {
  const { responses: shared } = document.components as { responses: Record<string, object> };
  const media = [
    ...described.flatMap(([name, { requestBody, responses }]) => [
      ...mediaOf(`${name} body`, requestBody),
      ...Object.entries(responses).flatMap(([status, answer]) => mediaOf(`${name} ${status}`, answer)),
    ]),
    ...Object.entries(shared).flatMap(([name, answer]) => mediaOf(name, answer)),
  ];
  return media.flatMap(([place, { schema, example, examples = {} }]): Example[] => [
    ...(example === undefined ? [] : [[place, schema, example] satisfies Example]),
    ...Object.entries(examples).map(([name, { value }]): Example => [`${place} ${name}`, schema, value]),
  ]);
}

function parameterExamples(): Example[] {
  return described.flatMap(([operation, { parameters }]) =>
    parameters.flatMap(({ name, schema, example }): Example[] =>
      schema && example !== undefined ? [[`${operation} ${name}`, schema, example]] : [],
    ),
  );
}

/** Examples inside of schemas. */
function schemaExamples(value: unknown, place = ""): Example[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "examples" in value && Array.isArray(value.examples) ? value.examples : [];
  return [
    ...own.map((example): Example => [place, value as Schema, example]),
    ...Object.entries(value)
      .filter(([name]) => name !== "example" && name !== "value")
      .flatMap(([name, inner]) => schemaExamples(inner, `${place}/${name}`)),
  ];
}
