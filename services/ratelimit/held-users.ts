import { admit, type Decision, hasRoom, type Log, type Policy } from "../../base/contract/rate-windows.ts";
import { type User, userKey } from "./limiter.ts";
import { answerAll, type Line } from "./lines.ts";

/** A log is due as soon as no more than this share of what may be admitted without a write is left. */
const DUE_SHARE = 0.75;

/** A user that this process holds. */
export interface Held {
  user: User;
  log: Log;
  /** Number of requests that may be admitted before the log is written again. */
  ahead: number;
  /** When the hold ends, in milliseconds of performance.now(). */
  until: number;
  /** The process gives the user up, and decides nothing about them any more. */
  leaves: boolean;
  line: Line;
}

/** The users that a process holds, and decides about in its memory. */
export class HeldUsers {
  /** Users whose logs are to be written: little is left to admit, requests wait, or the user is given up. */
  readonly due = new Set<Held>();
  readonly #users = new Map<string, Held>();
  readonly #policies: readonly Policy[];
  readonly #smallestQuota: number;
  readonly #aheadMax: number;

  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
    this.#smallestQuota = Math.min(...policies.map(({ quota }) => quota));
    this.#aheadMax = Math.max(1, Math.floor(this.#smallestQuota / 2));
  }

  get size(): number {
    return this.#users.size;
  }

  /** When the first hold ends: each lasts as long as the others, so that is the oldest one. */
  get endsAt(): number {
    const [oldest] = this.#users.values();
    return oldest?.until ?? Number.POSITIVE_INFINITY;
  }

  find(key: string): Held | undefined {
    return this.#users.get(key);
  }

  /**
   * Number of requests that may be admitted after the next write: those that wait, which are decided as soon as it is
   * done, and half of the smallest quota more.
   * @param isContested whether a process of the release before, which counts in the table, may take the row at any time
   */
  allowance(line: Line, isContested: boolean): number {
    return Math.min(this.#smallestQuota, line.length + (isContested ? 0 : this.#aheadMax));
  }

  hold(one: Held): void {
    const key = userKey(one.user);
    this.drop(key);
    this.#users.set(key, one);
  }

  /** Holds a user no longer. The requests that wait look for the holder. */
  drop(key: string): void {
    const one = this.#users.get(key);
    if (!one) return;
    this.#users.delete(key);
    this.due.delete(one);
    answerAll(one.line, null);
  }

  dropAll(): void {
    for (const key of [...this.#users.keys()]) this.drop(key);
  }

  /** Gives up the users whose holds have ended at a time, or all of them. */
  leave(endedAt = Number.POSITIVE_INFINITY): void {
    for (const one of this.#users.values()) {
      if (one.until > endedAt) return;
      this.leaveOne(one);
    }
  }

  leaveOne(one: Held): void {
    one.leaves = true;
    this.due.add(one);
  }

  /**
   * Decides about a request of a held user; undefined when the log has to be written first. A refusal changes nothing,
   * so it needs no write.
   */
  decide(one: Held, now: number): Decision | undefined {
    if (one.leaves || now >= one.until) return undefined;
    if (one.ahead <= 0 && hasRoom(one.log, this.#policies, now)) return undefined;
    const decision = admit(one.log, this.#policies, now);
    if (decision.exceeded === null) {
      one.ahead -= 1;
      // Early enough that even a user who sends twice as fast as usual does not wait for the write.
      if (one.ahead <= DUE_SHARE * this.#aheadMax) this.due.add(one);
    }
    return decision;
  }
}
