/** The requests of the others begin so many milliseconds before the attack. */
export const BEFORE_MS = 500;

/** A request of somebody who has nothing to do with the attack, and what came of it. */
export interface Asked {
  /** What was asked for: `get`, `list`, …. */
  kind: string;
  /** When it was due, in milliseconds since the requests began. */
  dueMs: number;
  /** From then until the whole answer was there. */
  ms: number;
  /** 0 when no whole answer came. */
  status: number;
  error?: string;
}

/** A turn of the event loop that somebody held for too long, as the guard of the server logged it. */
export interface Turn {
  /** The route of the request, or what the server did for none. */
  what: string;
  /** False for what was done for no request, such as collecting garbage. */
  isRequest: boolean;
  ms: number;
}

/** What the server was seen to do during a phase, and at rest behind it. */
export interface Watched {
  /** Highest resident memory. */
  peakMb: number;
  /** The longest that one request held the event loop; undefined when the server does not measure it. */
  turnMaxMs?: number;
  /** What the guard logged, longest first. */
  turns: Turn[];
  /** Other lines of the log, warnings and worse, the first of them. */
  logged: string[];
  /** The gauges of what is held and of who waits that are not 0 when the server should be at rest. */
  heldAtRest: Record<string, number>;
  hasGauges: boolean;
  isAlive: boolean;
  /** How long `/livez` took at rest; Infinity when it gave no answer of 200. */
  livezMs: number;
}

/** What an attacker was answered: counts by status, or by what else came of a request or a connection. */
export type Answered = Record<string, number>;

/** One attack, or nobody's, and what the others saw of it. */
export interface Phase extends Watched {
  name: string;
  victims: Asked[];
  attacker: Answered;
  /** The share of all processors that other programs of the machine took meanwhile. */
  elsewhere: number;
  /** Whether it broke a promise and was made again, so that the next phase is the one that counts. */
  isRepeated?: boolean;
  /** Why the attack could not be made. */
  failure?: string;
}

/** A whole run: the first phase is one in which nobody attacks. */
export interface History {
  phases: Phase[];
}
