import { createHmac, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;

/** Makes cursors of positions, and positions of the cursors that it made. */
export interface CursorSeal {
  seal(position: string, binding: string): string;
  /** Null for a cursor that was not made here, or for another list. */
  open(cursor: string, binding: string): string | null;
}

/**
 * Cursors are the position behind a keyed hash of it and of what it belongs to: workspace, route, filters. All gateways
 * share the key, so a cursor is valid on each and after restarts. gaps 2, "Lists".
 */
export function createSeal(secret: Buffer): CursorSeal {
  const mac = (position: string, binding: string) =>
    createHmac("sha256", secret).update(`${binding.length}:${binding}${position}`).digest().subarray(0, MAC_BYTES);

  function seal(position: string, binding: string): string {
    return Buffer.concat([mac(position, binding), Buffer.from(position)]).toString("base64url");
  }

  function open(cursor: string, binding: string): string | null {
    const bytes = Buffer.from(cursor, "base64url");
    // One cursor has one spelling: base64 would let its unused last bits be anything.
    if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return null;
    const position = bytes.subarray(MAC_BYTES).toString();
    return timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(position, binding)) ? position : null;
  }

  return { seal, open };
}
