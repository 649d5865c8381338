import type { Entry } from "./bundles.ts";

/** Entries that wait for the end of the turn are sent sooner when they have more characters than this. */
const WAITING_LENGTH_MAX = 256 * 1024;

/** Calls and answers that leave together. */
export interface Gathering {
  /** Lets an entry leave with the others of this turn for the same subject. */
  add(subject: string, entry: Entry): void;
  /** Sends at once what is gathered. */
  send(): void;
}

/**
 * Lets all calls and answers of a turn of the event loop for one node leave as one message. Each message costs a seal,
 * a system call here and there, and the work of NATS: with 20 clients that read one record they are most of what a hop
 * costs.
 */
export function createGathering(send: (subject: string, entries: Entry[]) => void): Gathering {
  let waiting = new Map<string, Entry[]>();
  let length = 0;

  function sendAll(): void {
    if (waiting.size === 0) return;
    const leaving = waiting;
    waiting = new Map();
    length = 0;
    for (const [subject, entries] of leaving) send(subject, entries);
  }

  function add(subject: string, entry: Entry): void {
    const others = waiting.get(subject);
    if (others) others.push(entry);
    else {
      if (waiting.size === 0) setImmediate(sendAll);
      waiting.set(subject, [entry]);
    }
    length += entry.head.length + entry.text.length;
    if (length > WAITING_LENGTH_MAX) sendAll();
  }

  return { add, send: sendAll };
}
