import { type IdKind, PREFIXES } from "../../../base/values/ids.ts";
import { type MakeExample, withoutReferences } from "../examples.ts";
import type { Operation } from "../operations.ts";
import { EXAMPLE_REQUEST_ID, exampleId, unknownId } from "./ids.ts";

/** Request of the example of an operation. */
export interface ExampleRequest {
  path: Record<string, string>;
  query: Record<string, string | string[]>;
  /** Name of the example → its body. Without a body there is one example, with undefined. */
  bodies: Record<string, unknown>;
}

/** The name of the only example of an operation. */
export const ONLY = "only";

/**
 * Parameter → its value in examples. An id names the first record of its kind; a user id names the second user, because
 * the first is the caller.
 */
const PARAMETERS: Record<string, string> = {
  ...Object.fromEntries(Object.keys(PREFIXES).map((kind) => [`${kind}Id`, exampleId(kind as IdKind)])),
  userId: exampleId("user", 1),
  objectType: "Deals",
  entityType: "person",
  customFieldName: "Status",
  "entity.id": exampleId("person"),
  q: "ada",
};

/** Action → parts of its example that differ. */
const APART: Record<string, Partial<Omit<ExampleRequest, "bodies">> & { body?: object }> = {
  "members.create": { body: { id: exampleId("user", 2) } },
  "enrichments.create": { path: { personId: exampleId("person", 1) } },
  // Without the parameter it would show all that has happened while the workspace was made.
  "events.list": { query: { types: ["person.created"] } },
  "request-logs.list": { query: { requestId: EXAMPLE_REQUEST_ID } },
};

/** Request of the example of an operation, made of the examples of its schemas. */
export function exampleRequest({ route, params, required }: Operation, make: MakeExample): ExampleRequest {
  const { path = {}, query = {}, body: apart } = APART[route.action] ?? {};
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const inQuery = required.filter((name) => name !== "body" && !inPath.includes(name));
  const everything = params.body && withOthers(route.action, { ...(make(params.body) as object), ...apart });
  const simple = withoutReferences(everything, params.body?.required);
  return {
    path: { ...pick(inPath), ...path },
    query: { ...pick(inQuery), ...query },
    bodies: simple === undefined ? { [ONLY]: everything } : { simple, everything },
  };
}

/**
 * Merges name another record than the path does, and a pair has two; batches name one more, which is not there, to show
 * what becomes of it.
 */
function withOthers(action: string, body: { records?: { id?: string }[] }): unknown {
  const [first] = body.records ?? [];
  const kind = Object.entries(PREFIXES).find(([, prefix]) => first?.id?.startsWith(`${prefix}_`))?.[0] as IdKind;
  if (action.endsWith(".merge")) return { records: [{ id: exampleId(kind, 1) }] };
  if (action.endsWith(".dismissDuplicate")) return { ...body, records: [first, { id: exampleId(kind, 1) }] };
  if (/\.batch(Update|Delete)$/.test(action)) return { ...body, records: [first, { id: unknownId(kind) }] };
  return body;
}

function pick(names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = PARAMETERS[name];
      if (value === undefined)
        throw new Error(`No example names a {${name}}: add it to scripts/openapi/scenario/requests.ts`);
      return [name, value];
    }),
  );
}
