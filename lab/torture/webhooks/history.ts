import type { Fault } from "../random-faults.ts";

/**
 * A change of a record: the number that a write has set in it. Of one record numbers ascend by one, each in a write of
 * its own.
 */
export interface Change {
  recordId: string;
  number: number;
}

/** A change as somebody was told of it. */
export interface Told extends Change {
  eventId: string;
  /** By `now`. */
  at: number;
}

/** A delivery that came to the receiver. */
export interface Received extends Told {
  isGenuine: boolean;
}

/** All that happened, in the order in which it was seen. */
export interface History {
  /** Changes that were acknowledged. */
  written: Change[];
  received: Received[];
  /** What a reader of the feed was told, who asks for page after page. */
  read: Told[];
  /** What a reader of the stream was told, who comes again with the last id. */
  streamed: Told[];
  faults: Fault[];
}
