import { createLines, type Line } from "../lines.ts";
import { type Head, headOf, unfolded } from "./content-line.ts";

/** A part of a calendar, by its content lines. */
export type CalendarPart =
  /** `place` counts the events of the file, from 1. */
  | { part: "event"; place: number; lines: string[] }
  | { part: "event"; place: number; refused: string }
  | { part: "zone"; lines: string[] }
  /** The zone in which times are that name none, as some programs write it. */
  | { part: "zoneName"; name: string };

/** Finds the parts of a calendar that comes in pieces. How it is divided into pieces makes no difference. */
export interface CalendarSplitter {
  push(piece: Buffer): Generator<CalendarPart>;
  end(): Generator<CalendarPart>;
}

/** Events are found by the lines BEGIN and END alone, so that one that is broken spoils none of the others. */
export function createCalendarSplitter(): CalendarSplitter {
  const lines = createLines(COMPONENT_BYTES_MAX.VEVENT);
  let place = 0;
  let component: Component | null = null;

  function* begin(kind: Component["kind"]): Generator<CalendarPart> {
    yield* leave();
    component = createComponent(kind);
    if (kind === "VEVENT") place += 1;
  }

  /** A component that is left without its END. */
  function* leave(): Generator<CalendarPart> {
    if (component?.kind === "VEVENT") yield { part: "event", place, refused: "The event has no END:VEVENT" };
    component = null;
  }

  function* finish(finished: Component): Generator<CalendarPart> {
    component = null;
    const lines = finished.lines();
    if (finished.kind === "VTIMEZONE") {
      if (lines) yield { part: "zone", lines: ["BEGIN:VTIMEZONE", ...lines, "END:VTIMEZONE"] };
    } else if (lines) yield { part: "event", place, lines };
    else yield { part: "event", place, refused: "The event has more than 1 MiB of text" };
  }

  function* take(line: Line): Generator<CalendarPart> {
    const head = headOf(line);
    const { name, value } = head;
    if (name === "BEGIN" && isKind(value)) yield* begin(value);
    else if (name === "END" && value === "VCALENDAR") yield* leave();
    else if (!component) yield* zoneName(line, name);
    else if (name === "END" && value === component.kind) yield* finish(component);
    else component.add(line, head);
  }

  function* push(piece: Buffer): Generator<CalendarPart> {
    for (const line of lines.push(piece)) yield* take(line);
  }

  function* end(): Generator<CalendarPart> {
    for (const line of lines.end()) yield* take(line);
    yield* leave();
  }

  return { push, end };
}

function isKind(value: string): value is Component["kind"] {
  return Object.hasOwn(COMPONENT_BYTES_MAX, value);
}

function* zoneName({ bytes, isTooLong }: Line, name: string): Generator<CalendarPart> {
  if (name !== "X-WR-TIMEZONE" || isTooLong) return;
  const text = unfolded([bytes]);
  yield { part: "zoneName", name: text.slice(text.indexOf(":") + 1).trim() };
}

const KIB = 1024;

/**
 * Components that are read, and the maximum number of bytes of the lines that are kept of each.
 * docs/guides/import-interactions.md#calendars
 */
const COMPONENT_BYTES_MAX = { VEVENT: KIB * KIB, VTIMEZONE: 64 * KIB };

/** Parts of an event that are read. Alarms, attachments and everything else are dropped, however large they are. */
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
interface Component {
  kind: keyof typeof COMPONENT_BYTES_MAX;
  add(line: Line, head: Head): void;
  /** Its content lines, null when it has more than it may have. */
  lines(): string[] | null;
}

function createComponent(kind: Component["kind"]): Component {
  const bytesMax = COMPONENT_BYTES_MAX[kind];
  let lines: Buffer[][] = [];
  let bytes = 0;
  /** Number of open components, such as alarms, that are skipped. */
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
