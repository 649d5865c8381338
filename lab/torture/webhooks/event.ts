import type { Told } from "./history.ts";

interface Event {
  id: string;
  type: string;
  data: { id: string; changes?: { path: string[]; value?: unknown }[] };
}

/** The changes that an event in JSON tells of; none when it is about something else. */
export function toldIn(text: string, at: number): Told[] {
  return toldBy(JSON.parse(text) as Event, at);
}

/** The changes that an event tells of; none when it is about something else. */
export function toldBy(event: Event, at: number): Told[] {
  const number = numberOf(event);
  return number === undefined ? [] : [{ eventId: event.id, recordId: event.data.id, number, at }];
}

/** The creation of a person, and the one time that a reminder fires, have the number 0. */
function numberOf({ type, data }: Event): number | undefined {
  if (type === "person.created" || type === "reminder.triggered") return 0;
  const change = type === "person.updated" ? data.changes?.find(({ path }) => path[0] === "jobTitle") : undefined;
  return change && Number(change.value);
}

/** The event of the feed or of the stream, as JSON was read. */
export type FeedEvent = Event;
