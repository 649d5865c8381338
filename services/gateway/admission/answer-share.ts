import { LRUCache } from "lru-cache";
import { ANSWER_BYTES_PER_S } from "../../../config/limits.ts";
import { createPresence } from "../../../lib/budgets/presence.ts";
import { FULL } from "./admission.ts";

/**
 * A workspace may be sent the share of so many seconds at once, before its requests have to wait. Of a megabyte that is sent there are
 * several for a while, as rows, as texts and as bytes, so the memory of the process is several times as much.
 */
const SHARE_SECONDS = 1;
/** Who would have to wait longer is refused. */
const WAIT_MS_MAX = 4000;
const WORKSPACES_KEPT = 1000;

/**
 * How much of large answers workspaces are sent. To read, put together and send a megabyte takes a process some ten milliseconds in
 * which it does nothing else; so while others are here, who asks for much waits between their requests. docs/guides/limits.md#turns
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
  /** When a workspace will have made up for what it was sent, at this rate. */
  const paidAt = new LRUCache<string, number>({ max: WORKSPACES_KEPT });
  const presence = createPresence();

  return {
    rest(workspaceId) {
      presence.note(workspaceId);
      const owedMs = (paidAt.get(workspaceId) ?? 0) - now() - 1000 * SHARE_SECONDS;
      if (owedMs <= 0 || !presence.hasOthers(workspaceId)) return undefined;
      if (owedMs > WAIT_MS_MAX) throw FULL;
      return new Promise((resolve) => setTimeout(resolve, owedMs));
    },
    note(workspaceId, bytes) {
      const from = Math.max(now(), paidAt.get(workspaceId) ?? 0);
      paidAt.set(workspaceId, from + (1000 * bytes) / ANSWER_BYTES_PER_S);
    },
  };
}
