import type { Line } from "../lines.ts";
import { type Head, unfolded } from "./content-line.ts";

const KIB = 1024;

/** The components that are read, and how many bytes each may have of what is read of it. docs/guides/import.md#calendars */
export const COMPONENT_BYTES_MAX = { VEVENT: KIB * KIB, VTIMEZONE: 64 * KIB };

/** What of an event is read. Alarms, attachments and all else are dropped, however large they are. */
const READ = [
  "UID",
  "DTSTART",
  "DTEND",
  "DURATION",
  "SUMMARY",
  "DESCRIPTION",
  "LOCATION",
  "ORGANIZER",
  "ATTENDEE",
  "STATUS",
  "CLASS",
  "RRULE",
  "RDATE",
  "EXDATE",
  "EXRULE",
  "RECURRENCE-ID",
  "SEQUENCE",
  "LAST-MODIFIED",
  "DTSTAMP",
];

/** A component whose lines come one by one. */
export interface Component {
  kind: keyof typeof COMPONENT_BYTES_MAX;
  add(line: Line, head: Head): void;
  /** Its content lines, null when it has more than it may have. */
  lines(): string[] | null;
}

export function createComponent(kind: Component["kind"]): Component {
  const bytesMax = COMPONENT_BYTES_MAX[kind];
  let lines: Buffer[][] = [];
  let bytes = 0;
  /** How many alarms and the like are open. */
  let depth = 0;
  let isKeeping = false;

  function add(line: Line, { isFolded, name }: Head): void {
    if (name === "BEGIN") depth += 1;
    if (!isFolded) isKeeping = kind === "VTIMEZONE" || (depth === 0 && READ.includes(name));
    if (name === "END") depth = Math.max(depth - 1, 0);
    if (isKeeping) keep(line, isFolded);
  }

  function keep({ bytes: line, isTooLong }: Line, isFolded: boolean): void {
    bytes += isTooLong ? bytesMax + 1 : line.length;
    if (bytes > bytesMax) lines = [];
    else if (isFolded) lines.at(-1)?.push(line);
    else lines.push([line]);
  }

  return { kind, add, lines: () => (bytes > bytesMax ? null : lines.map(unfolded)) };
}
