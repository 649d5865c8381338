import { ReadError } from "../../read-error.ts";
import { inOrder } from "../in-order.ts";
import { startParser } from "../parser.ts";
import type { Read } from "../read.ts";
import type { Source } from "../source.ts";
import { createCopyFinder } from "./copies.ts";
import type { EventRead } from "./event.ts";
import type { CalendarSetup } from "./setup.ts";
import { type CalendarPart, createCalendarSplitter } from "./splitter.ts";

interface CalendarOptions {
  /** Time zone of times that name none, if the calendar does not name one either. */
  zone: string;
  /** True if the user named the zone, which then counts more than the zone of the calendar. */
  isZoneGiven: boolean;
  /** Milliseconds since 1970. */
  now: number;
  onBytes?: ((bytes: number) => void) | undefined;
}

/** A calendar with more zones, or with more single instances that were changed, is none that a program has written. */
const ZONES_MAX = 1000;
const OVERRIDES_MAX = 200_000;

/**
 * The events of a calendar. It is read twice, because an instance that was changed may stand anywhere behind the event
 * that repeats. docs/guides/import-interactions.md#calendars
 */
export async function* readCalendar(source: Source, options: CalendarOptions): AsyncGenerator<Read> {
  const { onBytes = () => undefined } = options;
  const { copies, ...calendar } = await setupOf(source, options);
  const parser = startParser<string[], EventRead>({ reads: "events", calendar });
  try {
    const events = inOrder(eventsOf(partsOf(source.pieces((bytes) => onBytes(source.bytes + bytes)))), {
      sizeOf: (event) => ("lines" in event ? event.lines.reduce((sum, { length }) => sum + length, 0) : 0),
      work: async (event) => ({
        place: event.place,
        read: copies.has(event.place)
          ? { leftOut: "copies" as const }
          : "lines" in event
            ? await parser.parse(event.lines)
            : { refused: event.refused },
      }),
    });
    for await (const { place, read } of events) yield* readsOf(place, read);
  } finally {
    await parser.close();
  }
}

/** Results of the first reading, and the places of events that are older copies of another event of the file. */
async function setupOf(
  source: Source,
  { zone, isZoneGiven, now, onBytes }: CalendarOptions,
): Promise<CalendarSetup & { copies: ReadonlySet<number> }> {
  const setup: CalendarSetup = { zones: [], overrides: [], zone, now };
  const { see, copies } = createCopyFinder();
  for await (const part of partsOf(source.pieces(onBytes))) {
    if (part.part === "zone") setup.zones.push(part.lines);
    else if (part.part === "event") {
      setup.overrides.push(...overrideIn(part));
      see(part);
    } else if (!isZoneGiven && part.name !== "") setup.zone = part.name;
    if (setup.zones.length > ZONES_MAX || setup.overrides.length > OVERRIDES_MAX)
      throw new ReadError(
        `${source.name} has more than ${ZONES_MAX} time zones or ${OVERRIDES_MAX} changed instances of events: divide it.`,
      );
  }
  return { ...setup, copies };
}

/** Lines that identify an event which replaces an instance; empty for other events. */
function overrideIn(event: EventPart): string[][] {
  const naming = "lines" in event ? event.lines.filter((line) => /^(?:UID|RECURRENCE-ID)[:;]/i.test(line)) : [];
  return naming.some((line) => /^RECURRENCE-ID/i.test(line)) ? [naming] : [];
}

async function* partsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<CalendarPart> {
  const splitter = createCalendarSplitter();
  for await (const piece of pieces) yield* splitter.push(piece);
  yield* splitter.end();
}

type EventPart = Extract<CalendarPart, { part: "event" }>;

async function* eventsOf(parts: AsyncIterable<CalendarPart>): AsyncGenerator<EventPart> {
  for await (const part of parts) if (part.part === "event") yield part;
}

function* readsOf(place: number, read: EventRead): Generator<Read> {
  if (!("instances" in read)) {
    yield { place, ...read };
    return;
  }
  const { interaction, isCut, instances, hasMore } = read;
  for (const { id, startTime, endTime } of instances) {
    const content = { ...interaction.content, startTime, endTime };
    yield { place, interaction: { ...interaction, id, dateTime: startTime, content }, isCut };
  }
  if (hasMore) yield { place, leftOut: "furtherInstances" };
}
