import {
  ANSWER_SILENCE_MS,
  UNSENT_BYTES_MAX,
  UNSENT_BYTES_OF_ONE_MAX,
  UNSENT_PAGE_BYTES_MAX,
} from "../../../config/limits.ts";
import { createBudget } from "../../../lib/budgets/budget.ts";
import { holdUntilClosed } from "../../../lib/budgets/holdings.ts";
import { unavailable } from "../../../lib/contract/errors.ts";
import type { Exchange } from "../connection/exchange.ts";

/** Answers of fewer characters are not counted: they fit into what the system holds of each connection for itself. */
const COUNTED_LENGTH = 16 * 1024;

/** Who has less room left than for a large page gets nothing more. */
const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

const NO_ROOM = unavailable(
  "Too many answers wait for clients that do not read them. Read those, and try again. If this was a write it may have been made: its Idempotency-Key tells.",
);

/** The bytes of answers that are still to be sent, because their clients have not read them yet. */
export interface Unsent {
  /**
   * Lets nothing be begun for a workspace that has so many of them.
   * @throws ApiError 503
   */
  check(workspaceId: string): void;
  /**
   * Counts the answer to a request until it is sent or its connection closes, which happens when its client reads nothing of it for
   * some time. docs/guides/limits.md#under-load
   * @param tenantOf tells the workspace that is answered, or the address when there is none
   * @returns the bytes that were counted: 0 for a small answer
   * @throws ApiError 503 when there is no room for it
   */
  hold(exchange: Exchange, body: string | Buffer, tenantOf: () => string): number;
}

/** Bounds what clients that ask and do not read can make a gateway hold. */
export function createUnsent(): Unsent {
  const answers = createBudget({
    what: "unsent_bytes",
    max: UNSENT_BYTES_MAX,
    ofOneMax: UNSENT_BYTES_OF_ONE_MAX,
    refusal: NO_ROOM,
  });
  // Nobody needs a key for pages, so they have no part of what those with a key are sent.
  const pages = createBudget({
    what: "unsent_page_bytes",
    max: UNSENT_PAGE_BYTES_MAX,
    ofOneMax: UNSENT_PAGE_BYTES_MAX / 2,
    refusal: NO_ROOM,
  });
  return {
    check(workspaceId) {
      if (answers.isFull(workspaceId, LARGE_ANSWER_BYTES)) throw NO_ROOM;
    },
    hold({ request, response, needsKey }, body, tenantOf) {
      if (body.length < COUNTED_LENGTH) return 0;
      const bytes = Buffer.byteLength(body);
      holdUntilClosed([response, request.socket], needsKey ? answers : pages, tenantOf(), bytes);
      // Node gives the socket its usual time-out back with the next request.
      request.socket.setTimeout(ANSWER_SILENCE_MS);
      return bytes;
    },
  };
}
