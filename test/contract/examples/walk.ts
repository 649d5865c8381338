import { serializeQuery } from "../../../packages/client/src/index.ts";
import { readDocument } from "../../support/document.ts";
import type { Schema } from "../../support/document-paths.ts";

/** A request of the document, with the parameters that have examples. */
export interface ShownOperation {
  id: string;
  method: string;
  template: string;
  path: Record<string, string>;
  query: Record<string, string | string[]>;
  /** The part of it without which the request is refused. */
  requiredQuery: Record<string, string | string[]>;
  /** Parameters of the query, with those that have no example. */
  queryParameters: { name: string; schema: Schema }[];
  takesKey: boolean;
  /** The example of a stream; undefined where there is none. */
  stream: string | undefined;
  /** Examples of the body by name; undefined where there is no body. */
  bodies: Record<string, unknown>;
  /** Examples of the answer 200 by name. */
  answers: Record<string, unknown>;
  /** Examples of errors. */
  refusals: { status: number; name: string; answer: { error: { code: string } } }[];
}

/** The name of an example that stands alone. */
const ALONE = "example";

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Described {
  operationId: string;
  parameters: { $ref?: string; name: string; in: string; schema: Schema; required?: boolean; example?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}

/** All operations of docs/openapi.json with their examples. */
export function shownOperations(): ShownOperation[] {
  const { paths, components } = readDocument() as unknown as {
    paths: Record<string, Record<string, Described>>;
    components: Record<"parameters" | "responses", Record<string, unknown>>;
  };
  const resolved = <Part extends { $ref?: string }>(part: Part): Part => {
    const [, , kind = "", name = ""] = part.$ref?.split("/") ?? [];
    return part.$ref === undefined ? part : (components[kind as "responses"][name] as Part);
  };
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]): ShownOperation => {
      const all = parameters.map(resolved);
      const of = (place: string) => all.filter((parameter) => parameter.in === place);
      const examplesOf = (some: typeof all) =>
        Object.fromEntries(some.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])));
      const examples = (place: string) => examplesOf(of(place));
      const errors = Object.entries(responses).filter(([status]) => status !== "200");
      return {
        id: operationId,
        method: method.toUpperCase(),
        template,
        path: examples("path"),
        query: asSent(examples("query")),
        requiredQuery: asSent(examplesOf(of("query").filter(({ required }) => required))),
        queryParameters: of("query").flatMap(({ name, schema, example }) =>
          isFilter(example)
            ? Object.keys(asSent({ [name]: example })).map((sent) => ({ name: sent, schema: {} }))
            : [{ name, schema }],
        ),
        takesKey: of("header").some(({ name }) => name === "Idempotency-Key"),
        stream: responses[200]?.content?.["text/event-stream"]?.example as string | undefined,
        bodies: requestBody ? examplesIn(requestBody) : { [ALONE]: undefined },
        answers: examplesIn(responses[200]),
        refusals: errors.flatMap(([status, answer]) =>
          Object.entries(examplesIn(resolved(answer))).map(([name, shown]) => ({
            status: Number(status),
            name,
            answer: shown as ShownOperation["refusals"][number]["answer"],
          })),
        ),
      };
    }),
  );
}

/** Examples of parameters as they stand in a query: `filter[createdAt][gt]` for an object in an object. */
function asSent(examples: Record<string, unknown>): ShownOperation["query"] {
  return Object.fromEntries(
    Object.entries(examples).flatMap(([name, example]): [string, string | string[]][] =>
      isFilter(example)
        ? [...new URLSearchParams(serializeQuery({ [name]: example }))]
        : [[name, example as string | string[]]],
    ),
  );
}

function isFilter(example: unknown): example is object {
  return typeof example === "object" && !Array.isArray(example);
}

function examplesIn({ content = {} }: { content?: Record<string, Media> } = {}): Record<string, unknown> {
  const { example, examples = {} } = content["application/json"] ?? {};
  if (example !== undefined) return { [ALONE]: example };
  return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}
