/** Facts about a whole calendar that are needed to read one of its events. */
export interface CalendarSetup {
  /** The content lines of each VTIMEZONE. */
  zones: string[][];
  /** The content lines, as far as they name it, of each event that takes the place of an instance of another one. */
  overrides: string[][];
  /** Name of the zone of times that name none: one of IANA, or what the calendar says. */
  zone: string;
  /** Milliseconds since 1970. Instances of repeated events are listed from five years before until one year after. */
  now: number;
}
