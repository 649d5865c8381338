import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;

/** Makes a cursor of a position in a list, and finds the position in a cursor that it has made. */
export interface CursorSeal {
  /** @param binding what the cursor belongs to: the list with its filter */
  seal(position: string, binding: string): string;
  /**
   * The position; null for a cursor that no gateway of this installation has made, or that was made for another list.
   */
  open(cursor: string, binding: string): string | null;
}

/**
 * A cursor is a position behind a keyed hash of the position and of the list that it belongs to: workspace, route,
 * filter. All gateways share the secret, so a cursor is valid on each of them and after restarts.
 * docs/guides/lists.md#cursors
 */
export function createSeal(secret: Buffer): CursorSeal {
  // Given bytes, `createHmac` makes a key of them each time: 10 us, and 2 with a key. A page of a list takes two
  // hashes.
  const key = createSecretKey(secret);
  const mac = (position: string, binding: string) =>
    createHmac("sha256", key).update(`${binding.length}:${binding}${position}`).digest().subarray(0, MAC_BYTES);

  function seal(position: string, binding: string): string {
    return Buffer.concat([mac(position, binding), Buffer.from(position)]).toString("base64url");
  }

  function open(cursor: string, binding: string): string | null {
    const bytes = Buffer.from(cursor, "base64url");
    // Only the spelling that `seal` makes is taken. In base64 the last bits may be unused, so several texts mean the
    // same bytes.
    if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return null;
    const position = bytes.subarray(MAC_BYTES).toString();
    return timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(position, binding)) ? position : null;
  }

  return { seal, open };
}
