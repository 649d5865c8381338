import { showTally } from "../../../base/budgets/tally.ts";
import { type ErrorCode, isApiError } from "../../../base/contract/errors.ts";

/** Outcomes of a request with an Idempotency-Key, beside its own result. docs/guides/idempotency.md */
const REFUSED: Partial<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_REUSED: "reused",
  IDEMPOTENCY_REQUEST_IN_PROGRESS: "in_progress",
  IDEMPOTENCY_RESPONSE_NOT_STORED: "not_stored",
  IDEMPOTENCY_UNAVAILABLE: "unavailable",
};

const count = showTally("contact_workspace_idempotency_requests_total", "outcome", [
  "executed",
  "replayed",
  "failed",
  ...Object.values(REFUSED),
]);

/** Runs a request with an Idempotency-Key and counts its outcome: `failed` is an error of the operation itself. */
export async function countOutcome<Done extends object>(run: () => Promise<Done>): Promise<Done> {
  try {
    const done = await run();
    count("saved" in done ? "replayed" : "executed");
    return done;
  } catch (error) {
    count((isApiError(error) && REFUSED[error.type]) || "failed");
    throw error;
  }
}
