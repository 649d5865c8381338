import { createHash } from "node:crypto";
import type { CalendarPart } from "./splitter.ts";

type EventPart = Extract<CalendarPart, { part: "event" }>;

/** Finds events that stand several times in a calendar, as they do in one that was put together of several. */
interface CopyFinder {
  see(event: EventPart): void;
  /** Places of all copies but the newest of each event; of equally new ones the first counts. */
  copies: ReadonlySet<number>;
}

interface Newest {
  place: number;
  sequence: number;
  /** LAST-MODIFIED, or DTSTAMP, as it is written: times in UTC are in the order of their texts. */
  stamp: string;
}

/** Bytes of a hash that tell a billion events apart. */
const HASH_BYTES = 12;

export function createCopyFinder(): CopyFinder {
  const newest = new Map<string, Newest>();
  const copies = new Set<number>();

  function see(event: EventPart): void {
    if (!("lines" in event)) return;
    const key = keyOf(event.lines);
    if (key === null) return;
    const found = rankOf(event);
    const before = newest.get(key);
    if (before && !isNewer(found, before)) copies.add(found.place);
    else {
      newest.set(key, found);
      if (before) copies.add(before.place);
    }
  }

  return { see, copies };
}

/** Key that all copies of an event, or of one instance of it, share; null for an event without a UID. */
function keyOf(lines: readonly string[]): string | null {
  const uid = valueIn(lines, "UID");
  if (uid === "") return null;
  const name = JSON.stringify([uid, valueIn(lines, "RECURRENCE-ID")]);
  return createHash("sha256").update(name).digest().toString("base64", 0, HASH_BYTES);
}

function rankOf({ place, lines }: { place: number; lines: readonly string[] }): Newest {
  const sequence = Number.parseInt(valueIn(lines, "SEQUENCE"), 10) || 0;
  return { place, sequence, stamp: valueIn(lines, "LAST-MODIFIED") || valueIn(lines, "DTSTAMP") };
}

function isNewer(one: Newest, other: Newest): boolean {
  return one.sequence === other.sequence ? one.stamp > other.stamp : one.sequence > other.sequence;
}

/** The value of the first line with this name, whatever parameters it has; empty without one. */
function valueIn(lines: readonly string[], name: string): string {
  const begins = new RegExp(`^${name}[:;]`, "i");
  const line = lines.find((each) => begins.test(each)) ?? "";
  return line.slice(line.indexOf(":") + 1).trim();
}
