import { AsyncLocalStorage, createHook, executionAsyncResource } from "node:async_hooks";
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";

/** Cause of running code: a request, or the name of other work. */
export interface Holder {
  what: string;
  requestId?: string;
}

/** For how long one holder held the event loop in one turn of it. */
export interface Hold extends Holder {
  /** Milliseconds of processor time, all its pieces together, without collecting garbage. */
  ms: number;
  /** The longest of its pieces: what ran from one callback or continuation of a promise to the next. */
  longestMs: number;
}

/** Watches the event loop of this thread. */
export interface LoopGuard {
  /** The longest time in milliseconds that a request held the loop in one turn since this was asked last. */
  takeMaxMs(): number;
  end(): void;
}

interface Watch {
  run(holder: Holder, work: () => void): void;
  holder(): Holder | undefined;
}

/** Measurements of a turn: longer pieces, and the milliseconds of all short ones of each holder. */
interface Turn {
  pieces: Piece[];
  shorts: Map<Holder, number>;
}

/** A part of a turn in which one holder ran. */
interface Piece {
  holder: Holder;
  from: number;
  to: number;
  ms: number;
}

/** Pieces shorter than this are counted by the clock. */
const SHORT_MS = 1;
const OUTSIDE: Holder = { what: "outside of callbacks" };
const GARBAGE: Holder = { what: "garbage collection" };

let watch: Watch | undefined;

/**
 * Reports who held the event loop for longer than a limit in one turn of it, in which nobody else was served. What
 * counts is the processor time of this thread, so that a machine that is busy with other things is nobody's fault. It
 * is for development and tests: it measures every callback and every continuation of a promise, which makes a request
 * some tenths slower.
 * docs/guides/monitoring.md#who-held-the-event-loop
 */
export function guardLoop(limitMs: number, report: (hold: Hold) => void): LoopGuard {
  const requests = new AsyncLocalStorage<Holder>();
  const clock = openClock();
  const outer: Holder[] = [];
  let maxMs = 0;
  let isOver = false;

  const hook = createHook({
    before() {
      const within = outer.length > 0 ? clock.holder() : undefined;
      outer.push(clock.holder());
      // A callback within another one, like that of a chunk in the bytes of a socket, is of the same holder unless it
      // is a request's.
      clock.turnTo(requests.getStore() ?? within ?? ofResource(executionAsyncResource()));
    },
    after: () => clock.turnTo(outer.pop() ?? OUTSIDE),
  });
  const garbage: PerformanceEntry[] = [];
  const collections = new PerformanceObserver((list) => garbage.push(...list.getEntries()));

  // An immediate without a reference runs once in each turn and does not make an idle loop turn.
  function endTurn(): void {
    if (isOver) return;
    // An entry that an exception left here would shift all that follow.
    outer.splice(0, outer.length - 1);
    garbage.push(...collections.takeRecords());
    for (const hold of holdsOf(clock.take(), garbage.splice(0))) {
      if (hold.requestId !== undefined) maxMs = Math.max(maxMs, hold.ms);
      if (hold.ms > limitMs) report(hold);
    }
    setImmediate(endTurn).unref();
  }

  watch = {
    run(holder, work) {
      const before = clock.holder();
      clock.turnTo(holder);
      try {
        requests.run(holder, work);
      } finally {
        clock.turnTo(before);
      }
    },
    holder: () => requests.getStore(),
  };
  collections.observe({ entryTypes: ["gc"] });
  hook.enable();
  setImmediate(endTurn).unref();
  return {
    takeMaxMs() {
      const max = maxMs;
      maxMs = 0;
      return max;
    },
    end() {
      isOver = true;
      watch = undefined;
      hook.disable();
      collections.disconnect();
    },
  };
}

/**
 * The same work, for which this holder is named when it holds the event loop. Without a guard it is the work itself.
 */
export function heldBy(holder: () => Holder, work: () => void): () => void {
  if (!watch) return work;
  const { run } = watch;
  const named = holder();
  return () => run(named, work);
}

/** Whether the guard runs, and the code that runs now has no name yet. */
export function isUnnamed(): boolean {
  return watch !== undefined && watch.holder() === undefined;
}

/** Holders by the cause of the resource. The guard asks before each callback, so its name is put together once. */
const resources = new Map<unknown, Holder>();

function ofResource(resource: object): Holder {
  const madeBy = resource.constructor;
  let known = resources.get(madeBy);
  if (!known) {
    known = { what: `callbacks of ${madeBy.name}` };
    resources.set(madeBy, known);
  }
  return known;
}

/**
 * Gives the processor time that passes to the running holder. A call to the system for it takes a microsecond, too long
 * for thousands of callbacks in a turn: those of less than a millisecond count by the clock, and only longer ones ask
 * the system.
 */
function openClock() {
  let pieces: Piece[] = [];
  let shorts = new Map<Holder, number>();
  let holder = OUTSIDE;
  let from = performance.now();
  /** The processor time when the system was asked last, and what short pieces have taken since. */
  let asked = threadMs();
  let shortMs = 0;

  function endPiece(to: number): void {
    const lasted = to - from;
    if (lasted < SHORT_MS) {
      shorts.set(holder, (shorts.get(holder) ?? 0) + lasted);
      shortMs += lasted;
      return;
    }
    const now = threadMs();
    pieces.push({ holder, from, to, ms: Math.min(lasted, Math.max(0, now - asked - shortMs)) });
    [asked, shortMs] = [now, 0];
  }

  return {
    holder: () => holder,
    turnTo(next: Holder) {
      if (next === holder) return;
      const to = performance.now();
      endPiece(to);
      [holder, from] = [next, to];
    },
    take() {
      const taken = { pieces, shorts };
      [pieces, shorts] = [[], new Map()];
      // Short waits for something to happen are short pieces too, but no processor time: they must not add up from turn
      // to turn.
      [asked, shortMs] = [threadMs(), 0];
      return taken;
    },
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * One hold for each holder. Garbage is collected in the middle of any work, whatever made it, so it is a hold of its
 * own.
 */
function holdsOf({ pieces, shorts }: Turn, garbage: PerformanceEntry[]): Hold[] {
  const holds = new Map<Holder, Hold>(
    [...shorts].map(([holder, ms]) => [holder, { ...holder, ms, longestMs: Math.min(ms, SHORT_MS) }]),
  );
  const add = (holder: Holder, ms: number) => {
    const hold = holds.get(holder) ?? { ...holder, ms: 0, longestMs: 0 };
    holds.set(holder, hold);
    hold.ms += ms;
    hold.longestMs = Math.max(hold.longestMs, ms);
  };
  for (const { holder, from, to, ms } of pieces) {
    const within = garbage.filter(({ startTime }) => startTime >= from && startTime < to);
    // Duration by the clock; on a busy machine a part of it was the processor time of others.
    const share = to > from ? Math.min(1, ms / (to - from)) : 1;
    const collecting = share * within.reduce((sum, { duration }) => sum + duration, 0);
    add(holder, Math.max(0, ms - collecting));
    if (collecting > 0) add(GARBAGE, collecting);
  }
  return [...holds.values()];
}
