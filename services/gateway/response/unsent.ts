import { createBudget, reserveUntilClosed } from "../../../base/budgets/budget.ts";
import { unavailable } from "../../../base/contract/errors.ts";
import {
  ANSWER_SILENCE_MS,
  UNSENT_BYTES_MAX,
  UNSENT_BYTES_OF_ONE_MAX,
  UNSENT_PAGE_BYTES_MAX,
} from "../../../config/limits.ts";
import type { Exchange } from "../connection/exchange.ts";

/** Answers of fewer characters are not counted: they fit into what the system holds of each connection for itself. */
const COUNTED_LENGTH = 16 * 1024;

/** A workspace with less room left than a large page takes gets no further answers. */
const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

const NO_ROOM = unavailable(
  "Too many answers wait for clients that do not read them. Read those, and try again. If this was a write, it may have been made: send it again with its Idempotency-Key to find out.",
);

/** The bytes of answers that are still to be sent, because their clients have not read them yet. */
export interface Unsent {
  /**
   * Lets nothing be begun for a workspace that has too many of them.
   * @throws ApiError 503
   */
  check(workspaceId: string): void;
  /**
   * Number of bytes that an answer counts; 0 for a small one.
   * @param tenantOf gives the workspace of the answer, or the address if there is none
   * @throws ApiError 503 when there is no room for them
   */
  roomFor(exchange: Exchange, body: string | Buffer, tenantOf: () => string): number;
  /**
   * Counts the bytes of an answer that was just sent, unless the system has taken all of them, as it does for a client
   * that reads: until they are sent or the connection closes, which happens when its client reads nothing for some
   * time.
   * docs/guides/under-load.md
   */
  hold(exchange: Exchange, bytes: number, tenantOf: () => string): void;
}

/** Bounds what clients that ask and do not read can make a gateway hold. */
export function createUnsent(): Unsent {
  const answers = createBudget({
    what: "unsent_bytes",
    max: UNSENT_BYTES_MAX,
    ofOneMax: UNSENT_BYTES_OF_ONE_MAX,
    refusal: NO_ROOM,
  });
  // Pages need no key, so they have no part of the bytes for senders with a key.
  const pages = createBudget({
    what: "unsent_page_bytes",
    max: UNSENT_PAGE_BYTES_MAX,
    ofOneMax: UNSENT_PAGE_BYTES_MAX / 2,
    refusal: NO_ROOM,
  });
  const budgetOf = ({ needsKey }: Exchange) => (needsKey ? answers : pages);
  return {
    check(workspaceId) {
      answers.check(workspaceId, LARGE_ANSWER_BYTES);
    },
    roomFor(exchange, body, tenantOf) {
      if (body.length < COUNTED_LENGTH) return 0;
      const bytes = Buffer.byteLength(body);
      budgetOf(exchange).check(tenantOf(), bytes);
      return bytes;
    },
    hold(exchange, bytes, tenantOf) {
      const { request, response } = exchange;
      if (bytes === 0 || isTaken(exchange)) return;
      reserveUntilClosed([response, request.socket], budgetOf(exchange), tenantOf(), bytes);
      // Node gives the socket its usual time-out back with the next request.
      request.socket.setTimeout(ANSWER_SILENCE_MS);
    },
  };
}

/** Whether nothing of an answer is kept here any more. One that waits behind another has no socket yet. */
export function isTaken({ response }: Exchange): boolean {
  return response.socket !== null && response.socket.writableLength === 0;
}
