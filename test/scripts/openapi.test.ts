import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { NOBODYS_URL } from "contact-workspace-pages/document";
import { closed, nullable, oneOf, plainText, Type, trimmedName } from "../../base/contract/schema.ts";
import { isDate } from "../../base/values/dates.ts";
import { CUSTOM_FIELD_TYPES } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { EVENT_TYPE_NAMES } from "../../model/events.ts";
import { apiDocument } from "../../scripts/openapi/document.ts";
import { loadOperations, type Operation } from "../../scripts/openapi/operations.ts";
import type { Recording } from "../../scripts/openapi/scenario/recording.ts";
import { createSchemas, type Schema } from "../../scripts/openapi/schemas.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { NATIVE_FIELDS, OPERATORS } from "../contract/filters/document.ts";
import { recordingIn } from "./recorded.ts";

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
  description?: string;
  tags: string[];
  deprecated?: boolean;
  parameters: { $ref?: string; name?: string; schema?: Schema; example?: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { $ref?: string; headers?: Schema; content?: Record<string, Media> }>;
}

let operations: Operation[];
/** What the examples were answered with. That it is true, test/contract/examples shows. */
let recording: Recording;
let document: Schema;
let described: [name: string, operation: Described][];

beforeAll(async () => {
  operations = await loadOperations();
  recording = recordingIn(JSON.parse(readFileSync(FILE, "utf8")));
  document = JSON.parse(JSON.stringify(apiDocument(operations, recording)).replaceAll(NOBODYS_URL, PUBLIC_URL));
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
    const generated = apiDocument(operations, recording);
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(generated)));
    expect(committed === `${JSON.stringify(generated, null, 2)}\n`).toBe(true);
  });

  it("has the version of the API (docs/guides/conventions.md#version)", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: "2025-06-09" },
      servers: [{ url: PUBLIC_URL }],
    });
  });

  it("has a webhook for each type of event, with its payload, headers and answers (docs/guides/webhook-deliveries.md#the-request)", () => {
    const webhooks = document.webhooks as Record<string, { post: Described & { security: unknown[] } }>;
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPE_NAMES);
    const ids = new Set(described.map(([, { operationId }]) => operationId));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [type, { post }] of Object.entries(webhooks)) {
      expect(ids.has(post.operationId)).toBe(false);
      ids.add(post.operationId);
      expect(post.security).toEqual([]);
      expect(post.parameters.map(({ name }) => name)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
      expect(Object.keys(post.responses)).toContain("2XX");
      const { schema, example } = post.requestBody?.content["application/json"] ?? { schema: {} };
      const isEvent = ajv.compile({ ...schema, components: document.components });
      expect([type, isEvent(example), isEvent.errors]).toEqual([type, true, null]);
      expect(isEvent({ ...(example as object), type: "webhook.test" })).toBe(false);
    }
  });

  it("has every route, under an id of its own, with a chapter and what there is to know about it", () => {
    expect(described.map(([name]) => name).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(described.map(([, { operationId }]) => operationId)).size).toBe(described.length);
    const chapters = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const [name, { summary, description, tags }] of described)
      expect({ name, summary, description, known: chapters.includes(tags[0] ?? "") }).toEqual({
        name,
        summary: expect.stringMatching(/./),
        description: expect.stringMatching(/\.$/),
        known: true,
      });
  });

  it("names no schema like a type that languages have", () => {
    const { schemas } = document.components as { schemas: Record<string, Schema> };
    const builtIn = Object.keys(schemas).filter((name) => name in globalThis);
    expect(builtIn).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["ApiError", "Deal", "DealCreate", "DealUpdate"]));
  });

  it("gives no example of an Idempotency-Key, which snippets would send again and again (docs/guides/idempotency.md)", () => {
    expect(at(document, "#/components/parameters/IdempotencyKey")).not.toHaveProperty("schema.examples");
    expect(JSON.stringify(at(document, "#/components/parameters/IdempotencyKey"))).not.toContain("example");
  });

  it("tells by its code what the details of an error are (docs/guides/errors.md#the-error-body)", () => {
    const fits = (code: string, details?: object) =>
      validator().validate(
        { $ref: "#/components/schemas/ApiError", components: document.components },
        {
          error: {
            code,
            message: "x",
            documentationUrl: `${PUBLIC_URL}/docs/errors#x`,
            requestId: "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70",
            timestamp: "2026-03-01T09:30:00.000Z",
            ...(details && { details }),
          },
        },
      );
    const issues = [{ code: "custom", message: "x", path: ["name"] }];
    expect(fits("UNPROCESSABLE_ENTITY", { issues })).toBe(true);
    expect(fits("UNPROCESSABLE_ENTITY")).toBe(false);
    expect(fits("UNPROCESSABLE_ENTITY", { issues: [{ message: "x" }] })).toBe(false);
    expect(fits("TOO_MANY_REQUESTS", { policies: [{ policy: "burst" }] })).toBe(false);
    expect(fits("TOO_MANY_REQUESTS")).toBe(true);
    expect(fits("FORBIDDEN", { remaining: 0 })).toBe(true);
    expect(fits("UNAUTHORIZED")).toBe(true);
    expect(fits("NOT_FOUND")).toBe(false);
  });

  it("gives every part of a body that is one of several a name, for those who make types of it", () => {
    const { schemas } = document.components as { schemas: Record<string, Schema> };
    const nameless = Object.entries(schemas).flatMap(([name, schema]) =>
      ["anyOf", "oneOf"].flatMap((keyword) =>
        ((schema[keyword] ?? []) as Schema[])
          .filter(({ $ref, title, type, required }) => !$ref && !title && type === "object" && required)
          .map(() => name),
      ),
    );
    expect(nameless).toEqual([]);
  });

  it("says of nothing in more than one way that it can be null: generators make classes of enums and of choices", () => {
    const walk = (value: unknown, place: string): string[] => {
      if (typeof value !== "object" || value === null) return [];
      const { anyOf, oneOf, enum: words } = value as Record<string, unknown>;
      const hasNull = (list: unknown) =>
        Array.isArray(list) && list.some((one: Schema | null) => one === null || one.type === "null");
      const own =
        hasNull(anyOf) || hasNull(words) || (hasNull(oneOf) && (oneOf as unknown[]).length !== 2) ? [place] : [];
      return [
        ...own,
        ...Object.entries(value).flatMap(([name, one]) =>
          name.startsWith("example") ? [] : walk(one, `${place}/${name}`),
        ),
      ];
    };
    expect(walk(document, "")).toEqual([]);
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

  it("requires a body where there is something to write, and none where a search or a POST without parameters may leave it out", () => {
    const bodies = described.flatMap(([name, { requestBody }]) => (requestBody ? [[name, requestBody.required]] : []));
    const MAY_BE_EMPTY = /(search|aggregate|restore|mark-as-to-?do|enrich|rotate-secret|test|\{deliveryId\}\/replay)$/;
    expect(bodies).toEqual(bodies.map(([name]) => [name, !MAY_BE_EMPTY.test(String(name))]));
    expect(bodies.length).toBeGreaterThan(20);
    const posts = described.filter(([name]) => name.startsWith("POST "));
    expect(posts.filter(([, { requestBody }]) => requestBody === undefined)).toEqual([]);
  });

  it("says what counts when limit and combinator are left out", () => {
    const defaults = (name: string) =>
      described.flatMap(([, { parameters }]) => parameters.filter((one) => one.name === name).map(defaultOf));
    expect(new Set(defaults("limit"))).toEqual(new Set([20]));
    expect(new Set(defaults("combinator"))).toEqual(new Set(["and"]));
    expect(at(document, "#/components/schemas/PersonSearch/properties/combinator")).toMatchObject({ default: "and" });
  });

  describe("of filters (docs/guides/filters.md#fields)", () => {
    const FILTERS = { people: "PersonFilter", companies: "CompanyFilter", objects: "DealFilter" };

    it.each(Object.entries(FILTERS))("of %s has every field with its operators, and custom fields", (records, name) => {
      const { properties, additionalProperties } = at(document, `#/components/schemas/${name}`) as Record<
        string,
        Schema
      >;
      const operators = Object.entries(properties ?? {}).map(([field, condition]) => [
        field,
        Object.keys(resolved(condition as Schema)?.properties as Schema),
      ]);
      const expected = Object.entries(NATIVE_FIELDS[records] ?? {}).map(([field, kind]) => [field, OPERATORS[kind]]);
      expect(Object.fromEntries(operators)).toEqual(Object.fromEntries(expected));
      expect(additionalProperties).toEqual({ $ref: "#/components/schemas/CustomFieldCondition" });
    });

    it("is the same in the query of a list and in the body of its search", () => {
      const queries = described.flatMap(([, { parameters }]) =>
        parameters.flatMap(({ name, schema }) => (name === "filter" ? [schema?.$ref] : [])),
      );
      const bodies = ["Person", "Company", "Deal"].map((name) => {
        const { filter } = (at(document, `#/components/schemas/${name}Search`) as { properties: { filter: Schema } })
          .properties;
        return filter.$ref;
      });
      // Records are listed and counted by the same filters.
      const ofRecords = Object.values(FILTERS);
      const names = [...ofRecords.flatMap((name) => [name, name]), "TaskFilter", "EnrichmentFilter"];
      expect(queries).toEqual(names.map((name) => `#/components/schemas/${name}`));
      expect(bodies).toEqual(ofRecords.map((name) => `#/components/schemas/${name}`));
    });

    const PEOPLE: [what: string, filter: object, fits: boolean][] = [
      ["a text", { jobTitle: { eq: "CEO" }, emails: { empty: true } }, true],
      [
        "users by id and by e-mail address",
        { createdBy: { in: { id: ["usr_1", "usr_2"], email: "ada@acme.test" } } },
        true,
      ],
      ["a custom field", { "customFieldValues.grp_1.Status": { in: ["Lead"], not_empty: true } }, true],
      ["a custom field with references", { "customFieldValues.grp_1.Owner": { all: { id: "usr_1" } } }, true],
      ["no field that there is not", { jobTitel: { eq: "CEO" } }, false],
      ["no operator that the field has not", { jobTitle: { gt: "CEO" } }, false],
      ["no plain value for a reference", { groups: { in: "grp_1" } }, false],
      ["no e-mail address of a group", { groups: { in: { email: "ada@acme.test" } } }, false],
      ["no word that the field has not", { gender: { eq: "male" } }, false],
      ["no empty that is false", { emails: { empty: false } }, false],
    ];

    it.each(PEOPLE)("of people takes %s", (_, filter, fits) => {
      const schema = { $ref: "#/components/schemas/PersonFilter", components: document.components };
      expect(validator().validate(schema, filter)).toBe(fits);
    });
  });

  it("lists the words that an answer can have", () => {
    const words = (pointer: string) => (at(document, `#/components/schemas/${pointer}`) as Schema | undefined)?.enum;
    const formats = words("CustomField/properties/config/properties/format");
    expect(formats).toEqual(["default", "percent", "none", "number", "currency"]);
    expect(words("CustomField/properties/type")).toEqual(CUSTOM_FIELD_TYPES);
    expect(words("Group/properties/visibility")).toEqual(["public", "private"]);
    expect(words("GroupMember/properties/role")).toEqual(expect.arrayContaining(["reader", "contributor", "admin"]));
    expect(words("Person/properties/gender")).toEqual(["Male", "Female", "Other", "Unknown"]);
    expect(words("Company/properties/employeeRange/oneOf/0")).toEqual(expect.arrayContaining(["1-10", "10000+"]));
  });

  describe("of the values of custom fields in a request", () => {
    const fits = (component: string, value: unknown) =>
      validator().validate({ $ref: `#/components/schemas/${component}`, components: document.components }, value);
    const id = (prefix: string) => `${prefix}_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70`;

    it("has the form of every type, as the type judges it", () => {
      const { anyOf } = at(document, "#/components/schemas/CustomFieldValuesInput/additionalProperties") as Schema;
      const { translate, components } = createSchemas([]);
      const inPlace = (schema: Schema): Schema =>
        JSON.parse(JSON.stringify(schema), (_, part) => {
          const title =
            String(part?.$ref ?? "")
              .split("/")
              .at(-1) ?? "";
          return title === "" ? part : { ...components()[title], title };
        });
      const forms = Object.values(customFieldTypes).map(({ name, value }) => ({
        title: `${name[0]?.toUpperCase()}${name.slice(1)}Input`,
        ...inPlace(translate(value, "request", "")),
      }));
      const [text, ...others] = forms;
      expect(anyOf).toEqual([{ ...text, type: ["string", "null"] }, ...others]);
    });

    it.each([
      ["a text", "x"],
      ["an empty text", ""],
      ["a number", 1500.5],
      ["a numeric text", "1500.50"],
      ["a date", "2026-03-01"],
      ["labels", ["Lead", "Customer"]],
      ["people and companies", [{ id: id("per") }, { id: id("com") }]],
      ["users by id and by e-mail address", [{ id: id("usr") }, { email: "ada@example.com" }]],
      [
        "users, people and objects as answers show them",
        [{ id: id("usr"), fullName: "Ada", email: "ada@example.com" }],
      ],
      ["nothing", null],
      ["an empty list", []],
    ])("takes %s", (_, value) => expect(fits("CustomFieldValuesInput", { Field: value })).toBe(true));

    it.each([
      ["a boolean", true],
      ["an object", { id: id("per") }],
      ["numbers in a list", [1]],
      ["a reference by name", [{ name: "Acme" }]],
    ])("takes no %s", (_, value) => expect(fits("CustomFieldValuesInput", { Field: value })).toBe(false));

    it("stands in every body that takes such values, by group where a record may be in several", () => {
      const references = described.flatMap(([name, { requestBody }]) => {
        const written = requestBody && body(requestBody.content["application/json"]?.schema);
        return written?.customFieldValues ? [[name, (written.customFieldValues as Schema).$ref]] : [];
      });
      expect(references).toEqual(
        references.map(([name]) => [
          name,
          `#/components/schemas/${String(name).includes("{objectType}") ? "CustomFieldValuesInput" : "CustomFieldValuesByGroupInput"}`,
        ]),
      );
      expect(references).toHaveLength(18);
    });

    /** Members of the record that a body writes, alone, in an upsert or in a batch. */
    function body(schema: Schema | undefined): Record<string, unknown> | undefined {
      const whole = resolved(schema);
      const { record = whole, records } = (whole?.properties ?? {}) as { record?: Schema; records?: { items: Schema } };
      return resolved(records ? records.items : record)?.properties as Record<string, unknown> | undefined;
    }
  });

  it("has the errors that an operation can answer, and what their headers are (docs/guides/conventions.md#the-openapi-document)", () => {
    const byId = (id: string) => described.find(([, { operationId }]) => operationId === id)?.[1];
    expect(Object.keys(byId("listPeople")?.responses ?? {})).toEqual(["200", "400", "401", "422", "429", "500", "503"]);
    expect(Object.keys(byId("updatePerson")?.responses ?? {})).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "408",
      "409",
      "412",
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
      const writes = !name.startsWith("GET ") && !/[/](search|aggregate)$/.test(name);
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
      translate(
        closed(
          { id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) },
          { exactlyOneOf: ["id", "name"] },
        ),
      ),
    ).toMatchObject({ minProperties: 1, maxProperties: 1, additionalProperties: false });
    expect(translate(nullable(oneOf(["a", "b"], { description: "A letter" })))).toEqual({
      description: "A letter",
      oneOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }],
    });
    expect(translate(Type.Union([Type.Null(), Type.Array(Type.String()), Type.Integer()]))).toEqual({
      anyOf: [{ type: ["array", "null"], items: { type: "string" } }, { type: "integer" }],
    });
    expect(translate(Type.Record(Type.String(), Type.Integer()))).toEqual({
      type: "object",
      additionalProperties: { type: "integer" },
    });
  });

  it("refuses unknown members in requests only: answers may get new ones (docs/guides/conventions.md#version)", () => {
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
      oneOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }],
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

/** What a schema refers to, or the schema itself. */
function resolved(schema: Schema | undefined): Schema | undefined {
  return typeof schema?.$ref === "string" ? (at(document, schema.$ref) as Schema) : schema;
}

function defaultOf({ schema }: { schema?: Schema }): unknown {
  return schema?.default;
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
