import { isApiError } from "../../../base/contract/errors.ts";
import { type Parameter, parseQuery, valuesOf } from "../../../base/contract/query-string.ts";
import { NOT_A_VALUE, TRANSACTABLE, type Transactable } from "../../../mixins/works/operations.ts";

/** An operation that was found by its method and path, with the values in the path and the query. */
export interface Matched {
  operation: Transactable;
  values: Record<string, string>;
}

const HEADERS_AND_BODY = ["body", "dryRun", "ifMatch"];

/** The names of the parameters that stand in the query of an operation. */
const queryNames = new Map(
  TRANSACTABLE.map(({ path, work }) => {
    const names = Object.keys((work.params as { properties?: object }).properties ?? {});
    return [work, names.filter((name) => !HEADERS_AND_BODY.includes(name) && !path.includes(`{${name}}`))] as const;
  }),
);

/**
 * The operation of a method and a raw path, which may have a query; a text that says why there is none.
 * docs/guides/transactions.md#operations
 */
export function matchPath(method: string, sent: string): Matched | string {
  const at = sent.indexOf("?");
  const segments = segmentsOf(at < 0 ? sent : sent.slice(0, at));
  if (segments === null) return "The path cannot be percent-decoded as UTF-8. A percent sign itself is sent as %25";
  for (const operation of TRANSACTABLE) {
    const values = operation.method === method ? valuesIn(operation.path, segments) : null;
    if (values !== null) return withQuery(operation, values, at < 0 ? null : sent.slice(at + 1));
  }
  return `A transaction has no operation ${method} ${sent}`.slice(0, 300);
}

/** Decoded segments of a path; null if one cannot be decoded. */
function segmentsOf(path: string): string[] | null {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The values of the parameters of a path; null if these are not its segments. */
function valuesIn(path: string, segments: readonly string[]): Record<string, string> | null {
  const parts = path.split("/");
  if (parts.length !== segments.length) return null;
  const values: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "" || NOT_A_VALUE[name]?.includes(segment)) return null;
    if (name !== undefined) values[name] = segment;
  }
  return values;
}

function withQuery(operation: Transactable, values: Record<string, string>, sent: string | null): Matched | string {
  if (sent === null) return { operation, values };
  const names = queryNames.get(operation.work) ?? [];
  if (names.length === 0) return `${operation.method} ${operation.path} has no query`;
  const query = readQuery(sent);
  if (typeof query === "string") return query;
  for (const name of names) {
    const [first, second] = valuesOf(query, name);
    if (second !== undefined) return `"${name}" takes one value`;
    if (first !== undefined) values[name] = first;
  }
  return { operation, values };
}

/** The parameters of a query, or the message of its refusal. */
function readQuery(sent: string): Parameter[] | string {
  try {
    return parseQuery(sent);
  } catch (error) {
    if (isApiError(error)) return (error as Error).message;
    throw error;
  }
}
