import type { TurnsShare } from "../../config/shares.ts";
import { unavailable } from "../contract/errors.ts";
import { createRunningTimers, type RunningTimer } from "../loop/running-timers.ts";
import { showGauge } from "./gauges.ts";

/** Time for which a tenant counts as being here after a request. */
const HERE_MS = 1000;

/** Knows whether another tenant is here. */
interface ActiveTenants {
  note(tenant: string): void;
  /** Whether others than this tenant have asked for something lately. */
  areOthersActive(tenant: string): boolean;
}

/** It keeps the last two different tenants: at least one of them is not the one that asks. */
export function createActiveTenants(): ActiveTenants {
  let [last, lastAt] = ["", Number.NEGATIVE_INFINITY];
  let [other, otherAt] = ["", Number.NEGATIVE_INFINITY];
  return {
    note(tenant) {
      if (tenant !== last) [other, otherAt, last] = [last, lastAt, tenant];
      lastAt = performance.now();
    },
    areOthersActive(tenant) {
      const [someone, at] = tenant === last ? [other, otherAt] : [last, lastAt];
      return someone !== "" && performance.now() - at < HERE_MS;
    },
  };
}

export interface TurnRequest {
  /** Tenant with a line of its own: the workspace. */
  tenant: string;
  /**
   * The one thing of the tenant that the work is about. Works about the same thing would only wait for each other: one
   * of them runs, and the others hold no places meanwhile.
   */
  serializeBy?: string | undefined;
  /** Whether the result is no longer wanted, so that work that has waited until then need not begin. */
  isGone?: (() => boolean) | undefined;
}

export interface FairTurns {
  /** Runs work when a place is free for it, and gives its result. */
  take<Result>(asking: TurnRequest, work: () => Promise<Result>): Promise<Result>;
  /**
   * Whether a tenant waits whose work is quick. A tenant that waits for the end of work about the same thing, or rests
   * because its work is long, would not be served sooner if others did less.
   */
  hasWaiting(): boolean;
}

interface TurnBounds extends TurnsShare {
  /** Name of the places in the metrics. */
  what: string;
  atOnce: number;
  /** Tenants that are here, for all kinds of work that wait for the same database. */
  presence: ActiveTenants;
}

/** A tenant begins no more work beside work of its own that takes this many times as long as quick work may. */
const LASTING_TIMES = 3;
/** Weight of the last work in that average. */
const WEIGHT = 0.2;
/** A tenant may use the share of this many seconds at once, before it has to rest. */
const SHARE_SECONDS = 1;
/** Number of absent tenants whose average is kept. */
const TENANTS_KEPT = 1000;

/**
 * A bounded queue for one kind of work, in which tenants take turns: each has a line of its own, so that one that
 * floods waits for itself. While others are here, each holds at most its part of the places. A tenant whose work is
 * long, or was never seen, holds one place, and never the last one: that stays for the next tenant.
 * docs/guides/under-load.md#turns
 * @throws ApiError 503 when the line is full or jammed, or no place became free in time. The work was not begun then.
 */
export function createFairTurns(bounds: TurnBounds): FairTurns {
  return new Turns(bounds);
}

interface Entry extends Pick<TurnRequest, "isGone"> {
  thing: string | undefined;
  run: Run;
  patience: RunningTimer;
  go(): void;
  giveUp(): void;
}

/** The line of one tenant, and what is known of them. */
interface Line {
  waiting: Entry[];
  /** Start times of the running works, in the order of their start. */
  running: Set<Run>;
  /** Average time of its work, in milliseconds; undefined as long as none has ended. */
  averageMs: number | undefined;
  /** The milliseconds of places that they have used beyond their share, and as of when. */
  usedMs: number;
  usedAt: number;
}

interface Run {
  since: number;
}

class Turns implements FairTurns {
  readonly #bounds: TurnBounds;
  readonly #waitPatiently = createRunningTimers(() => this.#count());
  readonly #lines = new Map<string, Line>();
  /** Tenant at the end of the lines. */
  #latest = "";
  /** Tenants who wait, in the order in which they are served next. */
  readonly #order = new Set<string>();
  /** Keys of the work that runs. */
  readonly #busy = new Set<string>();
  #running = 0;
  #waiting = 0;
  #refused = 0;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
    const { what } = bounds;
    showGauge("contact_workspace_held", { what }, () => this.#running);
    showGauge("contact_workspace_waiting", { what }, () => this.#waiting);
    showGauge("contact_workspace_refused_total", { what }, () => this.#refused);
  }

  async take<Result>(
    { tenant, serializeBy: about, isGone }: TurnRequest,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.#bounds.presence.note(tenant);
    const line = this.#lineOf(tenant);
    const thing = about === undefined ? undefined : `${tenant} ${about}`;
    const run = { since: 0 };
    if (line.waiting.length === 0 && this.#mayBegin(tenant, line) && this.#isFree(thing)) this.#begin(line, thing, run);
    else await this.#wait(tenant, line, { thing, isGone, run });
    try {
      return await work();
    } finally {
      this.#end(line, thing, run);
    }
  }

  hasWaiting(): boolean {
    for (const tenant of this.#order) {
      const line = this.#lines.get(tenant);
      if (line && this.#isQuick(line) && line.waiting.some(({ thing }) => this.#isFree(thing))) return true;
    }
    return false;
  }

  #lineOf(tenant: string): Line {
    const known = this.#lines.get(tenant);
    if (known && tenant === this.#latest) return known;
    this.#latest = tenant;
    if (known) this.#lines.delete(tenant);
    else if (this.#lines.size >= TENANTS_KEPT) this.#forgetOne();
    const line = known ?? { waiting: [], running: new Set<Run>(), averageMs: undefined, usedMs: 0, usedAt: 0 };
    // The tenant that was here last stands last, and is forgotten last.
    this.#lines.set(tenant, line);
    return line;
  }

  #forgetOne(): void {
    for (const [tenant, { running, waiting }] of this.#lines) {
      if (running.size > 0 || waiting.length > 0) continue;
      this.#lines.delete(tenant);
      if (tenant === this.#latest) this.#latest = "";
      return;
    }
  }

  #mayBegin(tenant: string, line: Line): boolean {
    return this.#hasPlace(line) && (!this.#bounds.presence.areOthersActive(tenant) || this.#hasShare(line));
  }

  /** Whether the work of a tenant has been quick on average, and what they have running has not taken long yet. */
  #isQuick({ averageMs, running }: Line): boolean {
    const { quickMs } = this.#bounds;
    if (averageMs === undefined || averageMs > quickMs) return false;
    const [oldest] = running;
    return !oldest || performance.now() - oldest.since <= LASTING_TIMES * quickMs;
  }

  /** Whether a tenant may have one more place while others are here. */
  #hasShare(line: Line): boolean {
    const { atOnce, partOfOne } = this.#bounds;
    if (this.#isQuick(line)) return line.running.size < Math.ceil(partOfOne * atOnce);
    return line.running.size === 0 && this.#usedMs(line) <= SHARE_SECONDS * this.#bounds.shareMs;
  }

  #usedMs({ usedMs, usedAt }: Line): number {
    return Math.max(0, usedMs - ((performance.now() - usedAt) * this.#bounds.shareMs) / 1000);
  }

  #hasPlace(line: Line): boolean {
    const { atOnce } = this.#bounds;
    if (this.#running < atOnce - 1 || atOnce === 1) return this.#running < atOnce;
    return this.#running < atOnce && (this.#isQuick(line) || (line.averageMs === undefined && line.running.size === 0));
  }

  #isFree(thing: string | undefined): boolean {
    return thing === undefined || !this.#busy.has(thing);
  }

  #begin(line: Line, thing: string | undefined, run: Run): void {
    this.#running += 1;
    run.since = performance.now();
    line.running.add(run);
    if (thing !== undefined) this.#busy.add(thing);
  }

  #end(line: Line, thing: string | undefined, run: Run): void {
    const tookMs = performance.now() - run.since;
    this.#running -= 1;
    line.running.delete(run);
    line.averageMs = line.averageMs === undefined ? tookMs : line.averageMs + WEIGHT * (tookMs - line.averageMs);
    line.usedMs = this.#usedMs(line) + tookMs;
    line.usedAt = performance.now();
    if (thing !== undefined) this.#busy.delete(thing);
    this.#serve();
  }

  /** Gives free places to those who wait, a tenant after the other. */
  #serve(): void {
    let isServed = this.#waiting > 0;
    while (isServed && this.#running < this.#bounds.atOnce) {
      isServed = false;
      for (const tenant of [...this.#order]) isServed = this.#serveOne(tenant) || isServed;
    }
  }

  /** Starts the oldest waiting work of a tenant if there is a free place. Then it is the turn of the others. */
  #serveOne(tenant: string): boolean {
    const line = this.#lines.get(tenant);
    if (!line || !this.#mayBegin(tenant, line)) return false;
    const at = line.waiting.findIndex(({ thing }) => this.#isFree(thing));
    const [entry] = at < 0 ? [] : line.waiting.splice(at, 1);
    if (!entry) return false;
    this.#waiting -= 1;
    this.#order.delete(tenant);
    if (line.waiting.length > 0) this.#order.add(tenant);
    this.#begin(line, entry.thing, entry.run);
    entry.patience.end();
    entry.go();
    return true;
  }

  /** Lets those go whose clients have gone, and serves who has rested. */
  #count(): void {
    for (const tenant of this.#order)
      for (const { isGone, giveUp } of [...(this.#lines.get(tenant)?.waiting ?? [])]) if (isGone?.()) giveUp();
    this.#serve();
  }

  #wait(tenant: string, line: Line, asking: Pick<Entry, "thing" | "isGone" | "run">): Promise<void> {
    const { atOnce, waitingMax, waitMs, jamMs } = this.#bounds;
    const [oldest] = line.waiting;
    const isJammed = oldest !== undefined && line.waiting.length >= atOnce && oldest.patience.waitedMs() > jamMs;
    if (line.waiting.length >= waitingMax || isJammed) return Promise.reject(this.#refusal());
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        patience.end();
        line.waiting.splice(line.waiting.indexOf(entry), 1);
        this.#waiting -= 1;
        if (line.waiting.length === 0) this.#order.delete(tenant);
        reject(this.#refusal());
      };
      const patience = this.#waitPatiently(waitMs, giveUp);
      const entry: Entry = { ...asking, patience, go: resolve, giveUp };
      line.waiting.push(entry);
      this.#waiting += 1;
      this.#order.add(tenant);
    });
  }

  #refusal() {
    this.#refused += 1;
    return unavailable("Too many requests of this kind are being processed. Try again.");
  }
}
