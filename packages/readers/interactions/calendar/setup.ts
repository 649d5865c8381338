/** What has to be known of a whole calendar to read one of its events. */
export interface CalendarSetup {
  /** The content lines of each VTIMEZONE. */
  zones: string[][];
  /** The content lines, as far as they name it, of each event that takes the place of an instance of another one. */
  overrides: string[][];
  /** Name of the zone of times that name none: one of IANA, or what the calendar says. */
  zone: string;
  /** Milliseconds since 1970: instances of events that repeat are told from five years before until a year after. */
  now: number;
}
