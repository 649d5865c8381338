import type ICAL from "ical.js";
import { IMPORTED_BOUNDS, type Participant } from "../interaction.ts";
import { eachOnce } from "../participants.ts";
import { fitted, inOneLine, plain } from "../plain-text.ts";
import { type Properties, parameterOf } from "./properties.ts";

/** Who invited whom to an event. */
export interface Invited {
  from: Participant;
  to: Participant[];
}

/**
 * The organizer and the others. Without an organizer it is the first of those who attend. Null when there are not two: an
 * entry in somebody's own calendar is no interaction.
 */
export function invitedTo(properties: Properties): Invited | null {
  const attending = (properties.get("attendee") ?? []).filter(isPerson).flatMap(participantOf);
  const organizers = (properties.get("organizer") ?? []).flatMap(participantOf);
  const [from, ...others] = eachOnce([...organizers, ...attending]);
  if (!from || others.length === 0) return null;
  return { from, to: others };
}

function isPerson(property: ICAL.Property): boolean {
  return !["RESOURCE", "ROOM"].includes(parameterOf(property, "cutype").toUpperCase());
}

/** Where calendars have no address of mail as the value, some name one in a parameter. */
function participantOf(property: ICAL.Property): Participant[] {
  const written = String(property.getFirstValue());
  const type = /^tel:/i.test(written) ? "phone" : "email";
  const own = /^(?:mailto|tel):/i.test(written) ? written.slice(written.indexOf(":") + 1) : "";
  const value = inOneLine(plain(own || parameterOf(property, "email") || (written.includes("@") ? written : "")));
  if (value === "" || value.length > IMPORTED_BOUNDS.participantValue) return [];
  const name = fitted(inOneLine(plain(parameterOf(property, "cn"))), IMPORTED_BOUNDS.participantName).text;
  return [{ type, value, ...(name !== "" && name !== value && { name }) }];
}
