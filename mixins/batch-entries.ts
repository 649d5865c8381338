import { type ApiError, ERRORS, isApiError, unprocessable } from "../base/contract/errors.ts";
import { custom } from "../base/contract/issues.ts";
import { jsonList } from "../base/values/json.ts";
import { BATCH_ANSWER_LENGTH_MAX } from "../config/limits.ts";
import { batchCode } from "../engine/records/batch.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { needRole } from "../model/definitions/roles.ts";
import type { Scope } from "../model/resources/scope.ts";
import { type Records, scopeIn } from "./records.ts";

/**
 * The scope of a batch. It is looked for before any record, and for an empty batch too.
 * docs/guides/batches.md#what-refuses-the-whole-batch
 * @throws ApiError 404 for a group or a type that is not there, 403 for a role below contributor
 */
export function scopeOfBatch(
  records: Records,
  { definitions, caller }: WriteContext,
  params: Record<string, string>,
): Scope {
  const scope = scopeIn(records, definitions, caller, params);
  if (scope.homeGroup) needRole(scope.homeGroup, caller, "contributor");
  return scope;
}

/** The JSON text of the answer of a batch, of the texts of its entries. docs/guides/batches.md#entries */
export function results(entries: string[]): string {
  const room = answerRoom();
  for (const entry of entries) room(entry.length);
  return `{"results":${jsonList(entries)}}`;
}

/**
 * Gives the function that adds to the length of an answer, before anything is made of it that long.
 * docs/guides/batches.md#what-refuses-the-whole-batch
 * @param member the list in the body that is too long then
 */
export function answerRoom(member = "records"): (length: number) => void {
  let sum = 0;
  return (length) => {
    sum += length;
    if (sum > BATCH_ANSWER_LENGTH_MAX)
      throw unprocessable([custom([member], `${TOO_LONG}. Send fewer ${member} at once`)]);
  };
}

const TOO_LONG = `The answer would be larger than ${BATCH_ANSWER_LENGTH_MAX / 2 ** 20} MiB`;

/** The JSON text of a succeeded entry, made around the JSON text of its record. */
export function succeeded(data: string, more: object): string {
  const rest = JSON.stringify(more).slice(1, -1);
  return `{"status":"succeeded","data":${data}${rest === "" ? "" : `,${rest}`}}`;
}

/** The JSON text of the entry of a record that failed. docs/guides/batches.md#entries */
export function failed(error: ApiError, publicUrl: string): string {
  // A bug or an outage is not the fault of one record: it fails the whole batch.
  if (!isApiError(error) || error.type === "INTERNAL_SERVER_ERROR") throw error;
  const { details } = error.data;
  const documentationUrl = `${publicUrl}/docs/errors#${ERRORS[error.type].anchor}`;
  const entry = { code: batchCode(error.type), message: error.message, documentationUrl, ...(details && { details }) };
  return JSON.stringify({ status: "failed", error: entry });
}
