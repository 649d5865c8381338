import { ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { readIfMatch } from "../../../base/contract/etag.ts";
import { custom, type Issue, type Path } from "../../../base/contract/issues.ts";
import { issuesOf, issuesOfNoBody } from "../../../base/contract/validate.ts";
import { mapInSlices } from "../../../base/loop/in-slices.ts";
import { type IdKind, NIL_UUID, toId } from "../../../base/values/ids.ts";
import type { Transactable } from "../../../mixins/works/operations.ts";
import { matchPath } from "./match-path.ts";
import { type IdOf, valuesWithIds, withIds } from "./refs.ts";
import { operationSchema, type SentOperation } from "./transaction.schema.ts";

/** An operation whose form is sound. Ids of earlier results still are missing in it. */
export interface Planned {
  operation: Transactable;
  /** Values in the path and the query. */
  values: Record<string, string>;
  /** The body that was sent. */
  body: Record<string, unknown>;
  ifMatch: readonly string[] | undefined;
  /** Name of the result. */
  ref: string | undefined;
}

/** The place of an operation in the request. */
export const operationAt = (i: number): Path => ["operations", i];

/**
 * The operations of a transaction, whose forms are judged before any of them runs.
 * docs/guides/transactions.md#what-refuses-a-transaction
 * @throws ApiError 422 with all issues
 */
export async function readOperations(sent: readonly unknown[]): Promise<Planned[]> {
  const issues: Issue[] = [];
  const kinds = new Map<string, IdKind | undefined>();
  const planned = await mapInSlices(
    sent.map((one, i) => ({ one, i })),
    ({ one, i }) => {
      const faults: Issue[] = [];
      const plan = readOperation(one, kinds, faults);
      issues.push(...faults.map((issue) => ({ ...issue, path: [...operationAt(i), ...issue.path] })));
      return plan ?? [];
    },
  );
  if (issues.length > 0) throw refusal(issues);
  return planned.flat();
}

/** The 422 of operations, which names the first of them. docs/guides/transactions.md#errors */
function refusal(issues: Issue[]): ApiError {
  const { type, message, data } = unprocessable(issues);
  return new ApiError(type, message, { ...data.details, operation: issues[0]?.path[1] });
}

/**
 * One operation. Its issues have paths that begin in it.
 * @param kinds name of each earlier result → the kind of thing that it holds. It takes that of this one
 */
function readOperation(sent: unknown, kinds: Map<string, IdKind | undefined>, issues: Issue[]): Planned | undefined {
  issues.push(...issuesOf(operationSchema, sent));
  const isSound = issues.length === 0;
  const one = (isSound ? sent : {}) as Partial<SentOperation>;
  const plan = isSound ? planOf(sent as SentOperation, issues) : undefined;
  if (plan) judge(plan, placeholders(kinds, issues), issues);
  const ref = one.ref ?? refOf(sent);
  if (ref === undefined) return plan;
  if (kinds.has(ref)) issues.push(custom(["ref"], `The ref "${ref}" is used twice`));
  kinds.set(ref, plan?.operation.kind);
  return plan;
}

/** The name that an operation with other faults gives to its result, so that those behind it find it. */
function refOf(sent: unknown): string | undefined {
  const ref = typeof sent === "object" && sent !== null && "ref" in sent ? sent.ref : undefined;
  return typeof ref === "string" ? ref.slice(0, 64) : undefined;
}

function planOf({ method, path, body = {}, ref, ifMatch }: SentOperation, issues: Issue[]): Planned | undefined {
  const matched = matchPath(method, path);
  if (typeof matched === "string") {
    issues.push(custom(["path"], matched));
    return undefined;
  }
  const { operation, values } = matched;
  return {
    operation,
    values,
    body: body as Record<string, unknown>,
    ifMatch: ifMatch === undefined ? undefined : tagsOf(operation, ifMatch, issues),
    ref,
  };
}

/** docs/guides/transactions.md#conditions */
function tagsOf({ method, path, work }: Transactable, ifMatch: string, issues: Issue[]): string[] | undefined {
  const takesIt = "ifMatch" in ((work.params as { properties?: object }).properties ?? {});
  const tags = takesIt ? readIfMatch(ifMatch) : null;
  if (tags) return tags;
  const fault = takesIt
    ? 'It is one or several quoted tags with commas between, or "*"'
    : `${method} ${path} takes no condition`;
  issues.push(custom(["ifMatch"], fault));
  return undefined;
}

/** Ids in the place of those of earlier results, of which only the form is known. Unknown refs are issues. */
function placeholders(kinds: ReadonlyMap<string, IdKind | undefined>, issues: Issue[]): IdOf {
  return (ref, at) => {
    if (!kinds.has(ref)) issues.push(custom(at, `No earlier operation has the ref "${ref.slice(0, 100)}"`));
    return toId(kinds.get(ref) ?? "person", NIL_UUID);
  };
}

/** Judges an operation by the schema of the single one. */
function judge(plan: Planned, idOf: IdOf, issues: Issue[]): void {
  const { work } = plan.operation;
  const params = paramsOf(plan, idOf);
  const inBody = issuesOfNoBody(work.params as unknown as { properties: object }, plan.body);
  issues.push(...inBody.map((issue) => ({ ...issue, path: ["body", ...issue.path] })));
  for (const issue of issuesOf(work.params, params))
    issues.push(issue.path[0] === "body" ? issue : { ...issue, path: ["path"] });
}

/** The parameters of the work of an operation. */
export function paramsOf({ operation, values, body, ifMatch }: Planned, idOf: IdOf): Record<string, unknown> {
  const takesBody = "body" in ((operation.work.params as { properties?: object }).properties ?? {});
  return {
    ...valuesWithIds(values, idOf),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(takesBody && { body: withIds(body, (ref, at) => idOf(ref, ["body", ...at])) }),
  };
}
