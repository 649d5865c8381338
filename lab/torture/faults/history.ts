import { type Attempt, isFailed, type LoadHistory } from "../load/history.ts";

/** Shares of first attempts that may fail: in the first seconds of a fault, until its end, and after it. */
export interface Shares {
  first: number;
  meanwhile: number;
  after: number;
}

/** A fault that has happened. Times are of `now()`. */
export interface Fault {
  kind: string;
  /** The process or link that it hit. */
  target: string;
  /** Unset: as many as there are may fail while it lasts. */
  promised?: Shares;
  /** Processes that do not run, or hang, while it lasts. */
  away: string[];
  /** Processes that reach neither requests nor answers of a peer while it lasts. */
  cutOff: string[];
  /** It takes connections of clients along, so requests may stay without an answer. */
  cutsClients: boolean;
  /** Peers say something else than they should, so an answer may have any status. */
  corrupts: boolean;
  /** The fault does not end by itself, and is over when nobody uses any more what it has hit. */
  stays: boolean;
  at: number;
  /** When it was taken back, and what had ended was ready again. */
  endedAt: number;
  /** When the watch over it ended: everything had succeeded for some time, or it had taken too long. */
  watchedUntil: number;
}

/** Faults of one fleet, one after the other, and what its clients saw. */
export interface StageHistory extends LoadHistory {
  stage: string;
  faults: Fault[];
  /** Faults that could not be made, and why. */
  skipped: Record<string, string>;
  /** Prepared transactions that are there in the end, each with its server. */
  leftOver: string[];
  /** Why the fleet did not come to its end. */
  failure?: string;
}

export interface History {
  stages: StageHistory[];
}

/** First attempts that were sent between the beginning of a fault and the end of the watch over it. */
export function attemptsDuring({ attempts }: Pick<LoadHistory, "attempts">, { at, watchedUntil }: Fault): Attempt[] {
  return attempts
    .filter(({ tried, sentAt }) => tried === 1 && sentAt >= at && sentAt < watchedUntil)
    .sort((a, b) => a.sentAt - b.sentAt);
}

/** First attempts in the three windows of a fault. */
export function windowsOf(during: Attempt[], { at, endedAt }: Fault, firstMs: number): Record<keyof Shares, Attempt[]> {
  const end = Math.min(at + firstMs, endedAt);
  return {
    first: during.filter(({ sentAt }) => sentAt < end),
    meanwhile: during.filter(({ sentAt }) => sentAt >= end && sentAt < endedAt),
    after: during.filter(({ sentAt }) => sentAt >= Math.max(end, endedAt)),
  };
}

/**
 * Time from the end of a fault until all that was sent succeeded, 0 when that was before; of a fault that stays, from
 * its beginning. Infinity when the last request failed.
 */
export function wholeAfterMs(during: Attempt[], fault: Fault): number {
  const last = during.findLastIndex(isFailed);
  if (last < 0) return 0;
  const wholeAt = during[last + 1]?.sentAt ?? Number.POSITIVE_INFINITY;
  return Math.max(0, wholeAt - (fault.stays ? fault.at : fault.endedAt));
}

export function titleOf({ kind, target }: Pick<Fault, "kind" | "target">): string {
  return `${kind}: ${target}`;
}
