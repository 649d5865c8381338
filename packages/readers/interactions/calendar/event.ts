import { createHash } from "node:crypto";
import type ICAL from "ical.js";
import { IMPORTED_BOUNDS, type ImportedCalendar, type Participant } from "../interaction.ts";
import { eachOnce } from "../participants.ts";
import { fitted, inOneLine, plain } from "../plain-text.ts";
import type { LeftOut } from "../read.ts";
import { type Properties, parameterOf, propertiesOf, textOf } from "./properties.ts";
import type { CalendarSetup } from "./setup.ts";
import { createMoments, type MomentsOf, type Times, timesOfEvent } from "./times.ts";
import { createClocks } from "./zones.ts";

/** An event: the common data of all instances, and their differences. */
export interface EventInstances {
  interaction: ImportedCalendar;
  isCut: boolean;
  instances: Instance[];
  /** True if the event has more instances than are listed. */
  hasMore: boolean;
}

export interface Instance {
  id: string;
  startTime: string;
  endTime: string;
}

export type EventRead = EventInstances | { refused: string } | { leftOut: LeftOut };

/** CLASS → privacy level. */
const LEVELS = new Map([
  ["PRIVATE", "sensitive"],
  ["CONFIDENTIAL", "internal"],
] as const);

/** Reads the events of a calendar, each by its content lines. docs/guides/import-interactions.md#calendars */
export function createEventReader(setup: CalendarSetup): (lines: string[]) => EventRead {
  const momentsOf = createMoments(createClocks(setup.zones), setup.zone);
  const replaced = new Set(setup.overrides.flatMap((lines) => replacedBy(lines, momentsOf)));
  return (lines) => {
    try {
      return readEvent(propertiesOf(lines), { lines, momentsOf, replaced, now: setup.now });
    } catch (error) {
      return { refused: `The event cannot be read: ${(error as Error).message}` };
    }
  };
}

/** The instance of another event that this one replaces; none if it cannot be read, which its own reading reports. */
function replacedBy(lines: string[], momentsOf: MomentsOf): string[] {
  try {
    const properties = propertiesOf(lines);
    return momentsOf(properties, "recurrence-id").map(({ instant }) => instanceId(uidOf(properties, lines), instant));
  } catch {
    return [];
  }
}

interface Known {
  lines: string[];
  momentsOf: MomentsOf;
  /** Ids of the instances that another event replaces. */
  replaced: Set<string>;
  now: number;
}

function readEvent(properties: Properties, { lines, momentsOf, replaced, now }: Known): EventRead {
  if (textOf(properties, "status").toUpperCase() === "CANCELLED") return { leftOut: "cancelled" };
  const invited = invitedTo(properties);
  if (!invited) return { leftOut: "withoutOthers" };
  if (invited.to.length > IMPORTED_BOUNDS.recipients)
    return { refused: `The event has ${invited.to.length} guests, more than ${IMPORTED_BOUNDS.recipients}` };
  const times = timesOfEvent(properties, momentsOf, now);
  const instances = instancesOf(idOf(properties, lines, momentsOf), times).filter(
    ({ id }) => !replaced.has(id) || !times.repeats,
  );
  const [first] = instances;
  if (!first) return { leftOut: "outsideWindow" };
  const { content, isCut } = contentOf(properties, first);
  const privacyLevel = LEVELS.get(textOf(properties, "class").toUpperCase() as "PRIVATE" | "CONFIDENTIAL");
  const interaction: ImportedCalendar = {
    id: first.id,
    interactionType: "calendar",
    dateTime: first.startTime,
    title: content.title,
    content,
    ...invited,
    ...(privacyLevel && { privacyLevel }),
  };
  return { interaction, isCut, instances, hasMore: times.hasMore };
}

function contentOf(properties: Properties, { startTime, endTime }: Instance) {
  const title = fitted(inOneLine(plain(textOf(properties, "summary"))), IMPORTED_BOUNDS.title);
  const description = fitted(plain(textOf(properties, "description")).trimEnd(), IMPORTED_BOUNDS.text);
  const location = fitted(plain(textOf(properties, "location")).trim(), IMPORTED_BOUNDS.location);
  const content = { title: title.text, description: description.text, location: location.text, startTime, endTime };
  return { content, isCut: title.isCut || description.isCut || location.isCut };
}

/** Longest that an id may be with the start of an instance behind it. */
const UID_LENGTH_MAX = IMPORTED_BOUNDS.id - ":20260301T093000Z".length;

/** The UID, or a hash instead of it: of a UID that is too long, or of the whole event without one. */
function uidOf(properties: Properties, lines: string[]): string {
  const uid = inOneLine(plain(textOf(properties, "uid")));
  if (uid !== "" && uid.length <= UID_LENGTH_MAX) return uid;
  return `sha256:${createHash("sha256")
    .update(uid || lines.join("\n"))
    .digest("hex")}`;
}

/** An event that stands in the place of an instance is known by the start that the instance had. */
function idOf(properties: Properties, lines: string[], momentsOf: MomentsOf): string {
  const [replaced] = momentsOf(properties, "recurrence-id");
  const uid = uidOf(properties, lines);
  return replaced ? instanceId(uid, replaced.instant) : uid;
}

function instancesOf(id: string, { starts, durationMs, repeats }: Times): Instance[] {
  return starts.map((start) => ({
    id: repeats ? instanceId(id, start) : id,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + durationMs).toISOString(),
  }));
}

/** `uid:20260301T093000Z` */
function instanceId(uid: string, start: number): string {
  return `${uid}:${new Date(start).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}

/** Organizer and attendees of an event. */
interface Invited {
  from: Participant;
  to: Participant[];
}

/**
 * The organizer and the attendees. Without an organizer it is the first attendee. Null if there are not two people: an
 * entry in one's own calendar is not an interaction.
 */
function invitedTo(properties: Properties): Invited | null {
  const attending = (properties.get("attendee") ?? []).filter(isPerson).flatMap(participantOf);
  const organizers = (properties.get("organizer") ?? []).flatMap(participantOf);
  const [from, ...others] = eachOnce([...organizers, ...attending]);
  if (!from || others.length === 0) return null;
  return { from, to: others };
}

function isPerson(property: ICAL.Property): boolean {
  return !["RESOURCE", "ROOM"].includes(parameterOf(property, "cutype").toUpperCase());
}

/** Some calendars name the email address in a parameter if the value is not one. */
function participantOf(property: ICAL.Property): Participant[] {
  const written = String(property.getFirstValue());
  const type = /^tel:/i.test(written) ? "phone" : "email";
  const own = /^(?:mailto|tel):/i.test(written) ? written.slice(written.indexOf(":") + 1) : "";
  const value = inOneLine(plain(own || parameterOf(property, "email") || (written.includes("@") ? written : "")));
  if (value === "" || value.length > IMPORTED_BOUNDS.participantValue) return [];
  const name = fitted(inOneLine(plain(parameterOf(property, "cn"))), IMPORTED_BOUNDS.participantName).text;
  return [{ type, value, ...(name !== "" && name !== value && { name }) }];
}
