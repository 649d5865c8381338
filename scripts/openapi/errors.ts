import { NOBODYS_URL } from "contact-workspace-pages/document";
import { ERRORS, type ErrorCode } from "../../base/contract/errors.ts";
import { readErrorTexts } from "./error-texts.ts";
import { ALWAYS, DEPRECATED, type HeaderName, headerRefs, PREVIEW, QUOTA } from "./headers.ts";
import type { Operation } from "./operations.ts";
import { EXAMPLE_TIME, exampleUuid } from "./scenario/ids.ts";
import type { RecordedAnswers } from "./scenario/recording.ts";
import type { Schema } from "./schemas.ts";

/**
 * Headers of errors that a write with an Idempotency-Key may get again. docs/guides/idempotency.md#what-is-not-saved
 */
const SAVED: HeaderName[] = ["Idempotent-Replayed"];

/** Manner of an operation, on which its errors depend: it reads, searches, or writes. */
type Manner = "get" | "search" | "write";

/** An error that operations may answer. */
interface Answer {
  /** The name of the component. Operations whose examples differ have answers of other names. */
  name: string | Partial<Record<Manner, string>>;
  codes: ErrorCode[];
  /** Codes that only writes are answered with. */
  codesOfWrites?: ErrorCode[];
  headers?: HeaderName[];
  isUnlimited?: boolean;
  /** Parameter without which an operation does not have it, unless the operation runs others. */
  needs?: string;
}

/** Status → answer. 405 is missing, because it is answered when no operation is found. */
const ANSWERS: Record<number, Answer> = {
  400: {
    name: { get: "BadRequest", search: "BadSearch", write: "BadWrite" },
    codes: ["INVALID_REQUEST"],
    codesOfWrites: ["IDEMPOTENCY_KEY_INVALID"],
  },
  401: { name: "Unauthorized", codes: ["UNAUTHORIZED"], headers: ["WWW-Authenticate"], isUnlimited: true },
  403: { name: { write: "Forbidden" }, codes: ["FORBIDDEN"], headers: SAVED },
  404: { name: "NotFound", codes: ["RESOURCE_NOT_FOUND"], headers: SAVED },
  409: { name: { write: "Conflict" }, codes: ["IDEMPOTENCY_REQUEST_IN_PROGRESS"], headers: ["Retry-After"] },
  412: { name: { write: "PreconditionFailed" }, codes: ["PRECONDITION_FAILED"], headers: ["ETag"], needs: "ifMatch" },
  413: { name: { search: "PayloadTooLarge", write: "PayloadTooLarge" }, codes: ["PAYLOAD_TOO_LARGE"] },
  422: {
    name: { get: "Unprocessable", search: "UnprocessableSearch", write: "UnprocessableWrite" },
    codes: ["UNPROCESSABLE_ENTITY"],
    codesOfWrites: ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_RESPONSE_NOT_STORED"],
    headers: SAVED,
  },
  429: { name: "TooManyRequests", codes: ["TOO_MANY_REQUESTS"], headers: ["Retry-After"] },
  500: { name: "InternalServerError", codes: ["INTERNAL_SERVER_ERROR"], headers: SAVED },
  503: {
    name: { get: "ServiceUnavailable", search: "ServiceUnavailable", write: "WriteUnavailable" },
    codes: ["SERVICE_UNAVAILABLE"],
    codesOfWrites: ["IDEMPOTENCY_UNAVAILABLE"],
    headers: ["Retry-After"],
  },
};

/** Operation that answers the errors of those that it runs. docs/guides/transactions.md#errors */
const RUNS_OTHERS = "transactions.create";

const ERROR_TEXTS = readErrorTexts();

/** The HTTP server itself gives it, when nothing is known of the request yet. */
const REQUEST_TIMEOUT = { description: `\`REQUEST_TIMEOUT\`: ${ERROR_TEXTS.REQUEST_TIMEOUT.title}. Without a body` };

/** Codes whose example is an answer of the operation itself, instead of the one on the page of errors. */
const OWN: readonly ErrorCode[] = ["UNPROCESSABLE_ENTITY", "RESOURCE_NOT_FOUND"];

/** Collects the error answers of operations as components. */
export interface ErrorAnswers {
  /** Status → a reference to the answer, for each error that the operation can answer. */
  refs(operation: Operation, refusals: RecordedAnswers["refusals"]): Schema;
  components(): Record<string, Schema>;
}

export function createErrorAnswers(): ErrorAnswers {
  const components = new Map<string, Schema>();

  /** @throws Error when two operations share an answer whose examples are not true for both */
  function component(name: string, answer: Schema): Schema {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(answer))
      throw new Error(`Operations have different examples of the answer ${name}, and need answers of different names`);
    components.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  function refs(operation: Operation, refusals: RecordedAnswers["refusals"]): Schema {
    const manner = mannerOf(operation);
    const entries = Object.entries(ANSWERS).flatMap(([status, answer]): [string, Schema][] => {
      const name = nameOf(answer, operation, manner, refusals[status]);
      return name === undefined
        ? []
        : [[status, component(name, describe(answer, operation, manner, refusals[status]))]];
    });
    if (manner !== "get") entries.push(["408", component("RequestTimeout", REQUEST_TIMEOUT)]);
    return Object.fromEntries(entries.sort(([a], [b]) => Number(a) - Number(b)));
  }

  const sorted = () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { refs, components: sorted };
}

function mannerOf({ isWrite, route }: Operation): Manner {
  if (isWrite) return "write";
  return route.method === "GET" ? "get" : "search";
}

/**
 * The name of an answer, which tells what its examples are about: PersonNotFound, UnprocessableList. Undefined when the
 * operation does not have it.
 */
function nameOf(
  { name, codes, needs }: Answer,
  { route, params, tag }: Operation,
  manner: Manner,
  refusals: object | undefined,
): string | undefined {
  const base = typeof name === "string" ? name : name[manner];
  if (needs !== undefined && !(needs in params) && route.action !== RUNS_OTHERS) return undefined;
  if (!codes.some((code) => OWN.includes(code))) return base;
  if (!refusals) return undefined;
  const words = [...route.path.matchAll(/\{(\w+?)(?:Id)?\}/g)].map(([, word = ""]) => capitalized(word)).join("");
  // The body of an upsert may have the id that others have in the path.
  if (base === "NotFound") return `${words || tag.one}NotFound`;
  if (base !== "Unprocessable") return base;
  if (params.measures) return "UnprocessableAggregate";
  return `Unprocessable${params.after ? "List" : words}`;
}

function describe(
  { codes, codesOfWrites = [], headers = [], isUnlimited }: Answer,
  { isWrite }: Operation,
  manner: Manner,
  refusals: Record<string, unknown> = {},
): Schema {
  const all = [...codes, ...(isWrite ? codesOfWrites : [])];
  // The message of the page of errors is about a body.
  const shown = all.filter((code) => !OWN.includes(code) && !(code === "INVALID_REQUEST" && manner === "get"));
  const examples = {
    ...Object.fromEntries(
      Object.entries(refusals).map(([name, value]) => [name, { summary: summaryOf(value), value }]),
    ),
    ...Object.fromEntries(shown.map((code) => [code, { summary: ERROR_TEXTS[code].title, value: errorExample(code) }])),
  };
  const names = [...ALWAYS, ...(isUnlimited ? [] : QUOTA), ...DEPRECATED, ...PREVIEW, ...headers];
  return {
    description: all.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].title}`).join("\n\n"),
    headers: headerRefs(names),
    content: { "application/json": { schema: { $ref: "#/components/schemas/ApiError" }, examples } },
  };
}

function summaryOf(answer: unknown): string {
  return (answer as { error: { message: string } }).error.message;
}

function errorExample(code: ErrorCode): Schema {
  const { example } = ERROR_TEXTS[code];
  return {
    error: {
      code,
      message: example?.message,
      documentationUrl: `${NOBODYS_URL}/docs/errors#${ERRORS[code].anchor}`,
      requestId: exampleUuid(),
      timestamp: EXAMPLE_TIME,
      ...(example?.details && { details: example.details }),
    },
  };
}

function capitalized(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
