import { LRUCache } from "lru-cache";
import { createActiveTenants } from "../../../base/budgets/fair-turns.ts";
import { ANSWER_BYTES_PER_S } from "../../../config/limits.ts";
import { ANSWER_SHARE_SECONDS, ANSWER_WAIT_MS_MAX } from "../../../config/shares.ts";
import { FULL } from "./admission.ts";

const WORKSPACES_KEPT = 1000;

/**
 * Bytes of large answers that workspaces are sent. To read, put together and send a megabyte takes a process some ten
 * milliseconds in which it does nothing else; so while others are here, a workspace that asks for much waits between
 * its requests.
 * docs/guides/under-load.md#turns
 */
export interface AnswerShare {
  /**
   * Waits until a workspace has made up for what it was sent.
   * @throws ApiError 503 when that takes too long
   */
  rest(workspaceId: string): Promise<void> | undefined;
  note(workspaceId: string, bytes: number): void;
}

export function createAnswerShare(now = () => performance.now()): AnswerShare {
  /** Time at which a workspace has paid for its answers, at this rate. */
  const paidAt = new LRUCache<string, number>({ max: WORKSPACES_KEPT });
  const presence = createActiveTenants();

  return {
    rest(workspaceId) {
      presence.note(workspaceId);
      const owedMs = (paidAt.get(workspaceId) ?? 0) - now() - 1000 * ANSWER_SHARE_SECONDS;
      if (owedMs <= 0 || !presence.areOthersActive(workspaceId)) return undefined;
      if (owedMs > ANSWER_WAIT_MS_MAX) throw FULL;
      return new Promise((resolve) => setTimeout(resolve, owedMs));
    },
    note(workspaceId, bytes) {
      const from = Math.max(now(), paidAt.get(workspaceId) ?? 0);
      paidAt.set(workspaceId, from + (1000 * bytes) / ANSWER_BYTES_PER_S);
    },
  };
}
