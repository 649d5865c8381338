import { type Answer, answered } from "../../../base/contract/answer.ts";
import { ApiError, isApiError, unprocessable, unsaved } from "../../../base/contract/errors.ts";
import { jsonList } from "../../../base/values/json.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { answerRoom } from "../../../mixins/batch-entries.ts";
import { lockAll } from "./locks.ts";
import { operationAt, type Planned, paramsOf } from "./read-operations.ts";

/**
 * Runs operations one behind the other in the transaction of the caller, and gives the JSON text of their results.
 * docs/guides/transactions.md#what-it-does
 * @throws ApiError of the first one that fails
 */
export async function runOperations(
  writing: WriteContext,
  operations: readonly Planned[],
  { etags = false }: { etags?: boolean | undefined } = {},
): Promise<string> {
  await lockAll(writing, operations);
  const room = answerRoom("operations");
  const ids = new Map<string, string>();
  const results: string[] = [];
  for (const [i, planned] of operations.entries()) {
    const answer = await runOne(writing, planned, ids).catch((error: unknown) => {
      throw failedAt(error, i);
    });
    const { data } = answered(answer);
    if (planned.ref !== undefined) ids.set(planned.ref, (JSON.parse(data) as { id: string }).id);
    const result = resultOf(answer, etags && !writing.caller.preview);
    room(result.length);
    results.push(result);
  }
  return `{"results":${jsonList(results)}}`;
}

function runOne(writing: WriteContext, planned: Planned, ids: ReadonlyMap<string, string>): Promise<Answer> {
  const params = paramsOf(planned, (ref) => ids.get(ref) ?? "");
  // Names of records may be others than an earlier operation has seen.
  return planned.operation.work.run({ ...writing, linked: new Map() }, params);
}

/** The JSON text of a result. A preview gives no tags, since no record ever has that version. */
function resultOf(answer: Answer, hasTag: boolean): string {
  const { data, etag, beside = {} } = answered(answer);
  const tag = etag === undefined || !hasTag ? "" : `,"etag":${JSON.stringify(etag)}`;
  const more = Object.entries(beside).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `{"status":200,"data":${data}${tag}${more.join("")}}`;
}

/**
 * The error of an operation as the transaction answers it. Errors that no client can cause are left as they are: some
 * make the transaction run again.
 * docs/guides/transactions.md#errors
 */
function failedAt(error: unknown, i: number): unknown {
  if (!isApiError(error)) return error;
  const { issues, ...details } = error.data.details ?? {};
  const moved = issues?.map((issue) => ({ ...issue, path: [...operationAt(i), "body", ...issue.path] }));
  const { message } = moved ? unprocessable(moved) : error;
  const all = { ...(moved && { issues: moved }), ...details, operation: i };
  const failed = new ApiError(error.type, message, all, error.data.headers);
  return error.data.unsaved ? unsaved(failed) : failed;
}
