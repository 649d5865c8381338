/** What stands between a process and its peer, and what it does to it. */
export const FAULT_KINDS = ["half-open", "silent", "slow", "corrupting", "resetting"] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export const PEERS = ["PostgreSQL", "NATS"] as const;

export type Peer = (typeof PEERS)[number];

/** A fault between one process and one peer. Times are of `now()`. */
export interface Fault {
  kind: FaultKind;
  peer: Peer;
  victim: string;
  at: number;
  /** When all was as it should be again. Half-open connections stay so until the watch over this fault ends. */
  endedAt: number;
  /** When the watch ended: everything had succeeded for some time, or it had taken too long. */
  watchedUntil: number;
}

/** A request of a client. */
export interface Asked {
  what: string;
  sentAt: number;
  answeredAt: number;
  /** 0 when no answer came. */
  status: number;
  error?: string;
}

/** A question to a probe of a process. */
export interface Probe {
  process: string;
  path: "/livez" | "/readyz";
  sentAt: number;
  answeredAt: number;
  /** 0 when no answer came. */
  status: number;
}

export interface History {
  faults: Fault[];
  asked: Asked[];
  probes: Probe[];
  /** Names of records whose creation was acknowledged and that are not there. */
  lost: string[];
}

/** What was asked between the beginning of a fault and the end of the watch over it. */
export function askedDuring({ asked }: Pick<History, "asked">, { at, watchedUntil }: Fault): Asked[] {
  return asked.filter(({ sentAt }) => sentAt >= at && sentAt < watchedUntil);
}

/** From when on all that was asked succeeded, until the watch over a fault ended; Infinity when the last did not. */
export function wholeAt(history: Pick<History, "asked">, fault: Fault): number {
  const during = askedDuring(history, fault).toSorted((a, b) => a.sentAt - b.sentAt);
  const lastFailed = during.findLastIndex(({ status }) => status !== 200);
  return lastFailed < 0 ? fault.at : (during[lastFailed + 1]?.sentAt ?? Number.POSITIVE_INFINITY);
}

/**
 * Time until all requests succeeded. When existing connections are dead and new ones work, it is counted from the
 * beginning of the fault, otherwise from its end; it is 0 if all succeeded before that.
 */
export function wholeAfterMs(history: Pick<History, "asked">, fault: Fault): number {
  const since = fault.kind === "half-open" ? fault.at : fault.endedAt;
  return Math.max(0, wholeAt(history, fault) - since);
}

export function titleOf({ kind, peer, victim }: Fault): string {
  return `${kind}: ${peer} of ${victim}`;
}
