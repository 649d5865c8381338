import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { NOBODYS_URL } from "contact-workspace-pages/document";
import { isDate } from "../../base/values/dates.ts";
import { type Described, operationsOf, type Paths, pathFor, type Schema } from "./document-paths.ts";

export interface Answered {
  method: string;
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const FILE = join(import.meta.dirname, "..", "..", "docs", "openapi.json");

/**
 * What a request may be answered with whose path and method the document does not have.
 * docs/guides/conventions.md#order-of-checks
 */
const ELSEWHERE = [400, 401, 404, 405, 429, 500, 503];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Answered {
  method: string;
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Document {
  paths: Paths;
  components: { headers: Record<string, object>; schemas: Record<string, Schema> };
}

/** docs/openapi.json, with the address of a server in it. */
export function readDocument(publicUrl = NOBODYS_URL): Document {
  return JSON.parse(readFileSync(FILE, "utf8").replaceAll(NOBODYS_URL, publicUrl));
}

let validators: ReturnType<typeof validatorsOf> | undefined;
let checker: ((answered: Answered, body: unknown) => string[]) | undefined;

/**
 * What in an answer is not as docs/openapi.json says: its status, its headers, its content type, its body. An answer to
 * an operation of the document that has none of these there is a fault too. The schemas of answers are open in the
 * document, so that clients ignore what they do not know (docs/guides/conventions.md#version); they are closed here, so
 * that a member that nobody described is found.
 * @param body undefined when there is none, as of an answer to HEAD, or when it is a stream
 */
export function checkAgainstDocument(answered: Answered, body: unknown): string[] {
  checker ??= documentChecker(readDocument());
  return checker(answered, body);
}

/** Faults of the data of one event of a stream. */
export function checkEvent(data: unknown): string[] {
  validators ??= validatorsOf(readDocument());
  return faultsBy(validators.at("#/components/schemas/FeedEvent"), data);
}

/** Checks answers against this document. */
export function documentChecker(document: Document): (answered: Answered, body: unknown) => string[] {
  const operations = operationsOf(document.paths);
  const validators = validatorsOf(document);
  const described = Object.keys(document.components.headers);

  function check(answered: Answered, body: unknown): string[] {
    const { method, path, status, headers } = answered;
    const found = pathFor(operations, path);
    const operation = found?.methods[method === "HEAD" ? "GET" : method];
    if (!operation) return elsewhereFaults(status, headers, Object.keys(found?.methods ?? {}));
    const answer = operation.responses[status];
    if (!answer) return [`${operation.operationId} has no answer ${status} in docs/openapi.json`];
    const pointer = answer.$ref ?? operation.pointerTo(status);
    const { headers: shown = {}, content = {} } = validators.value<Described>(pointer);
    return [
      ...deprecationFaults(headers, operation.deprecated ?? false),
      ...limitFaults(headers, Object.keys(shown)),
      ...described.flatMap((name) => headerFaults(name, headers[name.toLowerCase()], shown[name])),
      ...(method === "HEAD" ? [] : contentFaults(pointer, headers["content-type"], Object.keys(content), body)),
    ];
  }

  function elsewhereFaults(status: number, headers: Answered["headers"], methods: string[]): string[] {
    if (status === 405) {
      const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      const told = String(headers.allow).split(", ");
      return told.sort().join() === allowed.sort().join() ? [] : [`Allow is ${headers.allow} and not ${allowed}`];
    }
    return ELSEWHERE.includes(status) ? [] : [`docs/openapi.json has no such operation, which is answered ${status}`];
  }

  function headerFaults(name: string, value: unknown, shown: { $ref: string } | undefined): string[] {
    if (!shown) return value === undefined ? [] : [`docs/openapi.json has no header ${name} in this answer`];
    const { required, schema } = validators.value<{ required?: boolean; schema: Schema }>(shown.$ref);
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const read = schema.type === "integer" ? wholeNumber(String(value)) : value;
    return faultsBy(validators.at(`${shown.$ref}/schema`), read).map((fault) => `${name} ${String(value)}: ${fault}`);
  }

  function contentFaults(pointer: string, type = "", declared: string[], body: unknown): string[] {
    const [media = ""] = type.split(";");
    if (!declared.includes(media)) return [`docs/openapi.json has no ${media || "content"} in this answer`];
    if (media !== "application/json") return [];
    return faultsBy(validators.at(`${pointer}/content/${media.replace("/", "~1")}/schema`), body);
  }

  return check;
}

/** docs/guides/conventions.md#deprecations */
function deprecationFaults(headers: Answered["headers"], isDeprecated: boolean): string[] {
  return ["deprecation", "sunset"]
    .filter((name) => name in headers !== isDeprecated)
    .map((name) => `${name} has to be a header of deprecated operations, and of no others`);
}

/** They come together or, where limits are switched off, not at all. docs/guides/limits.md#headers */
function limitFaults(headers: Answered["headers"], shown: string[]): string[] {
  const names = shown.filter((name) => name.includes("RateLimit"));
  const told = names.filter((name) => name.toLowerCase() in headers);
  return told.length === 0 || told.length === names.length ? [] : [`of the headers of limits there are only ${told}`];
}

/** Digits as a number, all else as it is, so that the schema finds it. */
function wholeNumber(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Compiles the schemas of a document where they are asked for, closed. */
function validatorsOf(document: Document) {
  const known = new Map<string, ValidateFunction>();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("date", isDate);
  ajv.addFormat(
    "date-time",
    (text: string) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text,
  );
  ajv.addFormat("uri", (text: string) => URL.canParse(text));
  ajv.addFormat("uuid", UUID);
  ajv.addFormat("email", /@/);
  ajv.addSchema(closedDocument(document), "document");

  function at(pointer: string): ValidateFunction {
    const validate = known.get(pointer) ?? ajv.getSchema(`document${pointer}`);
    if (!validate) throw new Error(`docs/openapi.json has no schema ${pointer}.`);
    known.set(pointer, validate);
    return validate;
  }

  /** What stands at a pointer. */
  function value<Value>(pointer: string): Value {
    const names = pointer.slice(2).split("/");
    const plain = (name: string) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
    return names.reduce<unknown>((part, name) => (part as Schema)[plain(name)], document) as Value;
  }

  return { at, value };
}

/**
 * The document with every object closed that has described members: alternatives one by one, parts of a whole as one.
 */
function closedDocument({ components, ...document }: Document): object {
  const schemas = Object.entries(components.schemas);
  const parts = Object.fromEntries(schemas.map(([name, schema]) => [name, open(closed(schema))]));
  return { ...closed(document), components: { ...closed(components), parts } };
}

/** The schema without the word that closes it. Saying that all members are described would close the whole for none. */
function open({ unevaluatedProperties: _, ...schema }: Schema): Schema {
  return schema;
}

function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)])) as Value & Schema;
  if (Array.isArray(copy.allOf)) return { ...copy, allOf: copy.allOf.map(partOf), unevaluatedProperties: false };
  const isClosed = copy.type !== undefined && hasMembers(copy.properties) && !("additionalProperties" in copy);
  return isClosed ? { ...copy, unevaluatedProperties: false } : copy;
}

/** A part of a whole, which the others add members to. */
function partOf(part: Schema): Schema {
  return typeof part.$ref === "string" ? { $ref: part.$ref.replace("/schemas/", "/parts/") } : open(part);
}

function hasMembers(properties: unknown): boolean {
  return typeof properties === "object" && properties !== null && Object.keys(properties).length > 0;
}

function faultsBy(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)} (docs/openapi.json)`,
  );
}
