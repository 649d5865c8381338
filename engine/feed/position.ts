import { createHash } from "node:crypto";
import type { EventType } from "../../model/events.ts";

/**
 * A place in the feed, as a cursor carries it: behind which event to go on, and for which types the cursor was made.
 */
export interface FeedPosition {
  position: number;
  typesKey: string;
}

/** Characters of a key. It tells sets of types apart and protects nothing. */
const KEY_LENGTH = 8;

/** A short name of a set of types, in whatever order they are named; empty for all types. */
export function typesKeyOf(types: readonly EventType[] | undefined): string {
  if (!types) return "";
  const named = [...new Set(types)].sort().join();
  return createHash("sha256").update(named).digest("base64url").slice(0, KEY_LENGTH);
}

/**
 * A place as a text: `123`, or `123.Zm9vYmFy` for a set of types. The number counts the events of all workspaces, so no
 * client may see the text: the cursors of the feed encrypt it (services/gateway/response/encrypted-cursor.ts).
 */
export function printPosition({ position, typesKey }: FeedPosition): string {
  return typesKey === "" ? String(position) : `${position}.${typesKey}`;
}

/** The place that `printPosition` has written. */
export function readPosition(text: string): FeedPosition {
  const [position = "0", typesKey = ""] = text.split(".");
  return { position: Number(position), typesKey };
}
