// Bounds of everything that workspaces share in one process, and the share that one workspace can have of each.
// docs/guides/under-load.md, docs/guides/under-load.md#turns, docs/decisions/0009-overload.md

/** A kind of work of which few run at once, and the others wait for a turn (base/budgets/fair-turns.ts). */
export interface TurnsShare {
  /** Maximum number of waiting requests of one tenant. One more is refused at once. */
  waitingMax: number;
  /** Longest wait, not counting while the event loop is held (base/loop/running-timers.ts). */
  waitMs: number;
  /**
   * Refuse a tenant at once whose oldest has waited `jamMs`, while at least `atOnce` of theirs wait: they send more
   * than can be served. Fewer who wait are no jam, however slow the machine is.
   */
  jamMs: number;
  /**
   * Milliseconds of places that a tenant with long work may use in a second, on average, while others are here. A
   * tenant that uses more rests meanwhile: the places, and the time of the database, are for the others.
   */
  shareMs: number;
  /**
   * Work that takes longer than this, on average, is long. Quick work takes less even while the database is busy with
   * others, so it is not taken for long work.
   */
  quickMs: number;
  /**
   * The part of the places that one tenant may have while others are here, also when their work was quick: the next may
   * be long.
   */
  partOfOne: number;
}

export const TURNS = {
  /**
   * Most of the time of a write is waiting for the disk: its own time is three connections', and a slow one is nobody's
   * fault.
   */
  writes: { waitingMax: 200, waitMs: 1000, jamMs: 300, shareMs: 3000, quickMs: 400, partOfOne: 0.8 },
  /** Filtered lists take long because they use a processor. */
  filters: { waitingMax: 200, waitMs: 1000, jamMs: 300, shareMs: 600, quickMs: 100, partOfOne: 0.5 },
  /** Searches over everything run several statements each, and are short beside a batch. */
  searches: { waitingMax: 200, waitMs: 6000, jamMs: 6000, shareMs: 800, quickMs: 200, partOfOne: 0.5 },
  /** Batches take longer. */
  batches: { waitingMax: 200, waitMs: 6000, jamMs: 6000, shareMs: 800, quickMs: 100, partOfOne: 0.5 },
  /**
   * Single upserts, before they wait for the turn of a write: those of one value run one behind the other, and many may
   * come in one rush. docs/guides/upsert.md#at-the-same-moment
   */
  upserts: { waitingMax: 200, waitMs: 6000, jamMs: 6000, shareMs: 3000, quickMs: 400, partOfOne: 0.8 },
  /** Pages have places for the time in which they are made. */
  smallPages: { waitingMax: 200, waitMs: 2000, jamMs: 2000, shareMs: 4000, quickMs: 100, partOfOne: 0.75 },
  largePages: { waitingMax: 200, waitMs: 2000, jamMs: 2000, shareMs: 1000, quickMs: 100, partOfOne: 0.5 },
  /** An answer that would wait longer than this for a compressor is sent uncompressed. */
  compression: { waitingMax: 50, waitMs: 250, jamMs: 250, shareMs: 500, quickMs: 20, partOfOne: 0.5 },
  /**
   * Bodies that a worker reads: one that has waited this long is refused and not read, since its remaining time would
   * not do. Batches wait as long. The bytes of those that wait are counted among those of all bodies.
   */
  largeBodies: { waitingMax: 100, waitMs: 6000, jamMs: 6000, shareMs: 500, quickMs: 100, partOfOne: 0.5 },
} as const satisfies Record<string, TurnsShare>;

/**
 * The share on a database of Citus. The coordinator and a worker both plan each statement, so the work takes up to four
 * times as long, and requests may wait for it four times as long. docs/guides/citus.md#what-it-costs
 */
export function onCitus(share: TurnsShare): TurnsShare {
  return { ...share, waitMs: 4 * share.waitMs, jamMs: 4 * share.jamMs };
}

/**
 * Number of pages of lists that a process reads at once. PostgreSQL sends faster than this process can make texts of
 * it, and the garbage collector copies rows that wait in memory again and again: twenty pages of a hundred records cost
 * half as much again as four. Small pages may be more, because reads that are asked for together also go out in one
 * write.
 */
export const LARGE_PAGES_AT_ONCE = 4;
export const SMALL_PAGES_AT_ONCE = 16;
/** Number of the four threads of a process that compress: others are for files and for looking up names. */
export const COMPRESSORS = 2;
/**
 * Threads that read large bodies. Two would read twice as much at once, and hold twice the memory. One reads ten
 * megabytes in less than a second, and a batch takes the database longer than the worker.
 */
export const BODY_THREADS = 1;

/**
 * Work that begins in one turn of the event loop; the rest waits for the next turns, the tenants in turns
 * (`createTurnLimit`). Such a turn takes about ten milliseconds: it begins these requests and refusals, and answers as
 * many earlier ones.
 */
export const PER_TURN = {
  requests: 16,
  refusals: 12,
  /** Some of them are as large as a hundred records. */
  pages: 4,
  /** To copy a thousand pages of a megabyte to the system takes most of a second. */
  largePages: 1,
  /**
   * Attempts of webhooks. Each takes some tenths of a millisecond, to read, sign and send, and a hundred receivers that
   * answer at once would leave no time for requests in between.
   */
  attempts: 2,
} as const;

/**
 * Maximum number of requests of a workspace, or without a known key of an address, that wait to be begun; one more is
 * refused. To begin them takes a third of a second, which leaves the rest of a second to the database.
 */
export const WAITING_MAX = 500;
/** The same of all together whose keys are not known. Those of known keys must not be refused for them. */
export const WAITING_UNKNOWN_MAX = 2000;
/** Large pages of the documentation that wait to be sent, which need no key; one more is 503. */
export const WAITING_LARGE_PAGES_MAX = 200;

/**
 * Requests of a kind that one workspace has under way in a gateway at once; one more is refused at once. So many may
 * come in one rush. Batches have fewer connections to wait for, which takes them longer.
 */
export const AT_ONCE_MAX = { read: 200, list: 100, write: 200, batch: 220 } as const;
/** Requests of all workspaces together, as a multiple of those of one: the rest is for the others. */
export const WORKSPACES_AT_ONCE = 2;
/**
 * Requests of all kinds that are under way at once, those without a valid key or over a quota too: refusing them takes
 * time as well.
 */
export const REQUESTS_MAX = 2000;
/**
 * Uploads: requests whose body is still on its way. They are not under way, and are many because they cost little: a
 * connection and what has come of the body, which is counted by itself.
 */
export const UPLOADS_MAX = 1000;
/**
 * Maximum number of unanswered requests of one connection; one more is refused. Few clients send the next before they
 * have the answer, and a client that is gone would need none of the answers to requests that it sent in a row.
 */
export const IN_A_ROW_MAX = 128;

/**
 * Seconds whose share of large answers (ANSWER_BYTES_PER_S) a workspace may be sent at once, before its requests have
 * to wait. A sent megabyte exists several times for a while, as rows, as texts and as bytes, so the memory of the
 * process is several times as much.
 */
export const ANSWER_SHARE_SECONDS = 1;
/** A request that would wait longer for its share is refused. */
export const ANSWER_WAIT_MS_MAX = 4000;
