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
export function toldBy({ id, type, data }: Event, at: number): Told[] {
  const change = data.changes?.find(({ path }) => path[0] === "jobTitle");
  if (type !== "person.updated" || change === undefined) return [];
  return [{ eventId: id, recordId: data.id, number: Number(change.value), at }];
}

/** The event of the feed or of the stream, as JSON was read. */
export type FeedEvent = Event;
