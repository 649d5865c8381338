import { LRUCache } from "lru-cache";
import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type Held, HeldUsers } from "./held-users.ts";
import type { Lease } from "./lease.ts";
import { type User, userKey } from "./limiter.ts";
import { answerAll, failAll, type Line, waitIn } from "./lines.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { logOf, storedOf, unitsOf } from "./request-log-of-window.ts";
import { type Exchanged, exchange, numbersOf, USERS_AT_ONCE, type Written } from "./windows.queries.ts";

/**
 * Time for which a process holds a user. Then the next one that gets a request of the user takes them, so that new
 * processes get their share.
 */
const HOLD_MS = 60_000;
/** Shortest interval between exchanges that requests wait for. */
const WAITED_EVERY_MS = 25;
/** Shortest interval between others. */
const EVERY_MS = 400;
/** Number of users held by other processes that a process remembers. */
const ELSEWHERE_KEPT = 100_000;
/** Number of users whose rows were taken away that a process remembers. */
const CONTESTED_KEPT = 10_000;

/** A user that this process wants to hold. */
interface Wish {
  user: User;
  /** Whether another holder is to give the user up. */
  insists: boolean;
  line: Line;
}

/** A wish on its way, with the number of requests that the row then says may be admitted. */
interface SentWish {
  one: Wish;
  ahead: number;
}

/** The log of a held user on its way. */
interface SentLog {
  one: Held;
  ahead: number;
  /** Number of requests that might be admitted when it was sent. */
  before: number;
  /** Whether the row has no holder then. */
  leaves: boolean;
}

/**
 * Keeps the held users and the table together, by one statement at a time: it writes logs that are due, gives users up,
 * and takes others. docs/decisions/0007-rate-limits.md
 */
export class Exchanges {
  /** Holders of users that other processes hold, by the keys of the users. */
  readonly elsewhere = new LRUCache<string, string>({ max: ELSEWHERE_KEPT, ttl: HOLD_MS });
  /** Users whose rows were taken from this process lately. */
  readonly #contested = new LRUCache<string, true>({ max: CONTESTED_KEPT, ttl: HOLD_MS });
  readonly #held: HeldUsers;
  readonly #wishes = new Map<string, Wish>();
  readonly #units: number;
  readonly #lease: Lease;
  readonly #clock: DatabaseClock;
  readonly #pacer: Pacer = createPacer(
    () => this.#run(),
    () => this.#beginNext(),
  );

  constructor(lease: Lease, clock: DatabaseClock, policies: readonly Policy[]) {
    this.#held = new HeldUsers(policies);
    this.#units = unitsOf(policies);
    this.#lease = lease;
    this.#clock = clock;
  }

  /** The user of a key if this process holds them, and does not give them up. */
  find(key: string): Held | undefined {
    const one = this.#held.find(key);
    return one?.leaves ? undefined : one;
  }

  /** Decides about a request of a held user; null when this process loses the user before it can. */
  count(one: Held): Decision | Promise<Decision | null | undefined> {
    const decision = one.line.length === 0 ? this.#decide(one) : undefined;
    if (decision) return decision;
    this.#held.due.add(one);
    return this.#wait(one.line);
  }

  /**
   * Takes a user, and decides about a request; null when another process holds the user.
   * @param insists whether the other process is to give the user up
   */
  async take(user: User, insists: boolean): Promise<Decision | null> {
    const key = userKey(user);
    const wish = this.#wishes.get(key) ?? { user, insists, line: [] };
    wish.insists ||= insists;
    this.#wishes.set(key, wish);
    return (await this.#wait(wish.line)) ?? null;
  }

  giveUp(key: string): void {
    const one = this.#held.find(key);
    if (!one) return;
    this.#held.leaveOne(one);
    this.#pacer.begin(WAITED_EVERY_MS);
  }

  /** Writes all logs and gives all users up. */
  async giveUpAll(): Promise<void> {
    this.#held.leave();
    await this.#pacer.finish(() => this.#held.size === 0);
  }

  /** Forgets all users, because other processes may hold them by now. */
  forgetAll(): void {
    this.#held.dropAll();
  }

  #decide(one: Held): Decision | undefined {
    const now = performance.now();
    const decision = this.#lease.isValid(now) ? this.#held.decide(one, now) : undefined;
    if (this.#held.due.has(one)) this.#pacer.begin(EVERY_MS);
    return decision;
  }

  #wait(line: Line): Promise<Decision | null | undefined> {
    this.#pacer.begin(WAITED_EVERY_MS);
    return waitIn(line);
  }

  /** Error of the exchange; undefined when it has succeeded. */
  async #run(): Promise<Error | undefined> {
    this.#held.leave(performance.now());
    const given = [...this.#held.due].slice(0, USERS_AT_ONCE);
    const wanted = [...this.#wishes.values()].slice(0, USERS_AT_ONCE);
    for (const one of given) this.#held.due.delete(one);
    try {
      if (given.length + wanted.length > 0) await this.#exchange(given, wanted);
      return undefined;
    } catch (error) {
      this.#failed(given, wanted, error);
      return error as Error;
    }
  }

  async #exchange(given: Held[], wanted: Wish[]): Promise<void> {
    const until = performance.now() + HOLD_MS;
    const written = new Map(given.map((one) => [userKey(one.user), this.#sentOf(one)]));
    const taken = new Map(wanted.map((one) => [userKey(one.user), { one, ahead: this.#allowance(one) }]));
    const rows = await this.#lease.run<Exchanged>((holder) =>
      exchange(
        holder,
        [...written.values()].map((sent) => this.#rowOf(sent)),
        [...taken.values()].map(({ one, ahead }) => ({ ...one, ahead })),
        { units: this.#units, heldUntil: this.#clock.toDatabase(until) },
      ),
    );
    for (const row of rows) {
      const key = userKey(row);
      const [mine, wish] = [written.get(key), taken.get(key)];
      if (row.what === "written" && mine) {
        written.delete(key);
        this.#written(mine);
      } else if (row.what === "taken" && wish) this.#taken(wish, row, until);
      else if (row.what === "elsewhere" && wish) this.#missed(wish.one, row.holder);
    }
    // The rows of these were taken away, are gone or locked.
    for (const key of written.keys()) {
      this.#contested.set(key, true);
      this.#held.drop(key);
    }
  }

  #allowance({ user, line }: Pick<Held, "user" | "line">): number {
    return this.#held.allowance(line, this.#contested.has(userKey(user)));
  }

  /** Until the answer comes, the row may have the number of before or the new one. So the smaller one counts. */
  #sentOf(one: Held): SentLog {
    const ahead = one.leaves ? 0 : this.#allowance(one);
    one.ahead = Math.min(one.ahead, ahead);
    return { one, ahead, before: one.ahead, leaves: one.leaves };
  }

  #rowOf({ one, ahead, leaves }: SentLog): Written {
    return { user: one.user, ...storedOf(one.log, this.#units, this.#clock), ahead, leaves };
  }

  #written({ one, ahead, before, leaves }: SentLog): void {
    const key = userKey(one.user);
    if (this.#held.find(key) !== one) return;
    const admittedMeanwhile = before - one.ahead;
    one.ahead = ahead - admittedMeanwhile;
    // A user who is to be given up since this write was sent is given up by the next one.
    if (leaves) this.#held.drop(key);
    else this.#serve(one);
  }

  #taken({ one: { user, line }, ahead }: SentWish, row: Extract<Exchanged, { what: "taken" }>, until: number): void {
    const stored = { stamps: numbersOf(row.stamps), newestUnits: row.newestUnits };
    const log = logOf(stored, this.#units, this.#clock, performance.now());
    const one: Held = { user, log, ahead, until, leaves: false, line };
    const key = userKey(user);
    this.#wishes.delete(key);
    this.elsewhere.delete(key);
    this.#held.hold(one);
    this.#serve(one);
  }

  #missed({ user, line }: Wish, holder: string | null): void {
    const key = userKey(user);
    this.#wishes.delete(key);
    if (holder === null) this.elsewhere.delete(key);
    else this.elsewhere.set(key, holder);
    answerAll(line, null);
  }

  #failed(given: Held[], wanted: Wish[], error: unknown): void {
    for (const one of given) {
      failAll(one.line, error);
      if (this.#held.find(userKey(one.user)) === one) this.#held.due.add(one);
    }
    for (const { user, line } of wanted) {
      this.#wishes.delete(userKey(user));
      failAll(line, error);
    }
  }

  /** Decides about the requests that wait, in their order, as far as the user may be decided about. */
  #serve(one: Held): void {
    while (one.line.length > 0) {
      const decision = this.#decide(one);
      if (!decision) {
        this.#held.due.add(one);
        return;
      }
      one.line.shift()?.resolve(decision);
    }
  }

  #beginNext(): void {
    const { due, endsAt } = this.#held;
    const isWaitedFor = this.#wishes.size > 0 || [...due].some(({ leaves, line }) => leaves || line.length > 0);
    if (isWaitedFor) this.#pacer.begin(WAITED_EVERY_MS);
    else if (due.size > 0) this.#pacer.begin(EVERY_MS);
    else this.#pacer.begin(EVERY_MS, endsAt);
  }
}
