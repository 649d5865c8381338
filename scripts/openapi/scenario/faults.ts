import { type IdKind, PREFIXES } from "../../../base/values/ids.ts";
import type { Operation } from "../operations.ts";
import { unknownId } from "./ids.ts";
import type { ExampleRequest } from "./requests.ts";

/** A request of an example with one fault, and the status that it is refused with. */
export interface Fault {
  status: 400 | 404 | 422;
  /** The name of its example in the document. */
  name: string;
  request: Omit<ExampleRequest, "bodies"> & { headers?: Record<string, string>; body: unknown };
}

/** Unknown names for the parameters that are not ids. */
const UNKNOWN: Record<string, string> = {
  ...Object.fromEntries(Object.keys(PREFIXES).map((kind) => [`${kind}Id`, unknownId(kind as IdKind)])),
  objectType: "Projects",
  entityType: "Projects",
  customFieldName: "Shoe size",
};

/** The faults that the document shows for an operation, apart from those that need a special server. */
export function faultsOf({ route, params }: Operation, { bodies, ...request }: ExampleRequest): Fault[] {
  const [body] = Object.values(bodies);
  const unsupported: Fault = {
    status: 400,
    name: "version",
    request: { ...request, headers: { "X-API-Version": "2024-01-01" }, body },
  };
  const unknown = Object.keys(request.path).map((name): Fault => {
    const path = { ...request.path, [name]: UNKNOWN[name] ?? "" };
    return { status: 404, name, request: { ...request, path, body } };
  });
  if (unknown.length === 0 && route.action.endsWith(".upsert"))
    unknown.push(unknownRecord(route, { ...request, body }));
  if (route.action === "transactions.create") unknown.push(unknownInTransaction(request));
  return [unsupported, ...unknown, ...unprocessable(route.method === "GET", params, { ...request, body })];
}

/** An upsert by an id that names nothing. docs/guides/upsert.md#match-keys */
function unknownRecord({ action }: Operation["route"], request: Fault["request"]): Fault {
  const kind: IdKind = action.startsWith("people") ? "person" : "company";
  const { record, ...body } = request.body as { record: object };
  const unknown = { ...body, match: ["id"], record: { ...record, id: unknownId(kind) } };
  return { status: 404, name: `${kind}Id`, request: { ...request, body: unknown } };
}

/** A transaction fails with the status of its operation. docs/guides/transactions.md#errors */
function unknownInTransaction(request: Omit<Fault["request"], "body">): Fault {
  const operations = [{ method: "DELETE", path: `/v1/people/${unknownId("person")}` }];
  return { status: 404, name: "personId", request: { ...request, body: { operations } } };
}

/**
 * Every body may have a member too many, every list a cursor that is none, every count a measure that is none, and else
 * there is an id.
 */
function unprocessable(isGet: boolean, params: Operation["params"], request: Fault["request"]): Fault[] {
  const name = "UNPROCESSABLE_ENTITY";
  const fault = (changed: Partial<Fault["request"]>): Fault[] => [
    { status: 422, name, request: { ...request, ...changed } },
  ];
  const { path, query } = request;
  if (!isGet) return fault({ body: { ...(request.body as object), nickname: "Ada" } });
  if (params.after) return fault({ query: { ...query, cursor: "next" } });
  if (params.measures) return fault({ query: { ...query, measures: "median:fundingRaised" } });
  const [required] = Object.keys(query);
  if (required !== undefined) return fault({ query: {} });
  const [id] = Object.keys(path);
  return id === undefined ? [] : fault({ path: { ...path, [id]: "unknown" } });
}
