import { type ApiError, isApiError } from "../../base/contract/errors.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";

/** Outcome of a read with the version of the definitions that counted in its moment. */
interface Attempt<Result> {
  result: Result;
  version: number;
}

/**
 * Runs a read that is put together by definitions: first by those that the process has, and once more if its statement
 * tells that newer ones count, or if the older ones refuse what is asked for.
 * @throws ApiError of the read by the definitions of this moment
 */
export async function byDefinitions<Result>(
  definitionsCache: DefinitionsCache,
  workspaceId: Uuid,
  attempt: (definitions: Definitions) => Promise<Attempt<Result>>,
): Promise<Result> {
  let definitions = await definitionsCache.kept(workspaceId);
  for (;;) {
    const outcome = await attempt(definitions).catch(refusalOf);
    const latest = await ("refused" in outcome
      ? definitionsCache.current(workspaceId)
      : definitionsCache.atLeast(workspaceId, outcome.version));
    if (latest.version > definitions.version) definitions = latest;
    else if ("refused" in outcome) throw outcome.refused;
    else return outcome.result;
  }
}

function refusalOf(error: unknown): { refused: ApiError } {
  if (isApiError(error)) return { refused: error };
  throw error;
}
