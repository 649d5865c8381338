import {
  createActiveTenants,
  createFairTurns,
  type FairTurns,
  type TurnRequest,
} from "../../base/budgets/fair-turns.ts";
import { type Caller, clientOf } from "../../base/contract/caller.ts";
import type { Claim } from "../../base/contract/claim.ts";
import { LARGE_PAGES_AT_ONCE, onCitus, SMALL_PAGES_AT_ONCE, TURNS, type TurnsShare } from "../../config/shares.ts";
import type { Database } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import { createDefinitionsCache, type DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import { inProgress } from "../idempotency/run-once.ts";
import type { WriteContext } from "../records/draft.ts";
import type { Reading } from "../records/read.ts";
import { hasLargePages } from "../rows/large-pages.ts";
import { type Change, type Changer, createTransacting, type WriteOptions } from "./transacting.ts";

export type { Change } from "./transacting.ts";

/**
 * Maximum number of entries of a small page, unless the entries of its workspace are known to be long
 * (engine/rows/large-pages.ts).
 */
const SMALL_PAGE_MAX = 25;

/** Access of the services of one process to records and definitions. */
export interface Store extends Reading {
  /**
   * Runs work on records in one transaction, with the definitions as of its beginning. Few run at once; others wait for
   * a turn, those of a workspace behind each other.
   */
  write<Result>(
    caller: Caller,
    work: (writing: WriteContext) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /**
   * The same for work that may have to wait for others of its kind, with `serializeBy` for nearly all of them. It waits
   * patiently in a line of its own, before it takes the turn of a write.
   */
  writePatiently<Result>(
    caller: Caller,
    work: (writing: WriteContext) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /** The same for batches, which hold a connection for long, with turns of their own. */
  writeMany<Result>(caller: Caller, work: (writing: WriteContext) => Promise<Result>): Promise<Result>;
  /**
   * Runs work that changes users, groups, members or fields, in one transaction and with the definitions of that
   * moment. In a workspace one such work runs after the other. Each raises the version of the definitions, so that
   * every process reads them again. docs/decisions/0002-catalog.md
   */
  changeDefinitions<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result>;
  /** Runs the statements of a search in one turn, each of them planned as those of filters are. */
  searchTurn<Result>(caller: Pick<Caller, "workspaceId">, work: (query: Query) => Promise<Result>): Promise<Result>;
  /**
   * True if single writes or filtered lists of this process wait for a turn. Background work on the same processors
   * does less at a time then. docs/guides/under-load.md#turns
   */
  hasWaiting(): boolean;
}

interface Shared {
  definitionsCache: DefinitionsCache;
  turns: Record<"alone" | "searches" | "writes" | "batches" | "upserts" | "smallPages" | "largePages", FairTurns>;
  unlessRunning: UnlessRunning;
  stores: Map<string, Store>;
}

const shared = new WeakMap<Database, Shared>();

/**
 * The store of a database. All services of a process share its definitions and its turns.
 * @param lane of the database, on which this store reads (database/database.ts)
 */
export function storeOf(database: Database, lane?: string): Store {
  let parts = shared.get(database);
  if (!parts) {
    parts = {
      definitionsCache: createDefinitionsCache({
        query: database.read,
        load: (sql, values, form) => database.sharedConnection("definitions").read(sql, values, form),
      }),
      turns: turnsOf(database),
      unlessRunning: createClaims(),
      stores: new Map(),
    };
    shared.set(database, parts);
  }
  let store = parts.stores.get(lane ?? "");
  if (!store) {
    store = createStore(database, lane, parts);
    parts.stores.set(lane ?? "", store);
  }
  return store;
}

/** Divides the pool's connections, so that no kind of work takes those of the others. docs/guides/under-load.md */
function turnsOf({ poolMax, aloneMax, isCitus }: Database): Shared["turns"] {
  const presence = createActiveTenants();
  const turns = (what: string, places: number, share: TurnsShare) =>
    createFairTurns({ what, atOnce: Math.max(1, Math.floor(places)), presence, ...share });
  return {
    alone: turns("filter_turns", aloneMax, isCitus ? onCitus(TURNS.filters) : TURNS.filters),
    // A connection is theirs for a statement, so filters and searches find one soon in the pool of both.
    searches: turns("search_turns", Math.ceil(aloneMax / 2), isCitus ? onCitus(TURNS.searches) : TURNS.searches),
    writes: turns("write_turns", poolMax / 2, isCitus ? onCitus(TURNS.writes) : TURNS.writes),
    batches: turns("batch_turns", poolMax / 4, TURNS.batches),
    // Fewer than those of writes, so that upserts alone never make a crowd there.
    upserts: turns("upsert_turns", poolMax / 3, TURNS.upserts),
    smallPages: turns("small_page_turns", SMALL_PAGES_AT_ONCE, TURNS.smallPages),
    largePages: turns("large_page_turns", LARGE_PAGES_AT_ONCE, TURNS.largePages),
  };
}

function askingOf(caller: Pick<Caller, "workspaceId">): TurnRequest {
  return { tenant: caller.workspaceId, isGone: clientOf(caller) };
}

function createStore(
  database: Database,
  lane: string | undefined,
  { definitionsCache, turns, unlessRunning }: Shared,
): Store {
  const { transactOnRecords, change } = createTransacting(database, definitionsCache);
  const query: Query = (sql, values, form) =>
    (lane === undefined ? database : database.sharedConnection(lane)).read(sql, values, form);
  const write: Store["write"] = (caller, work, options) =>
    turns.writes.take({ ...askingOf(caller), serializeBy: options?.serializeBy }, () =>
      transactOnRecords(caller, work, options),
    );
  return {
    query,
    pageTurn: (caller, { limit, table }, work) =>
      limit > SMALL_PAGE_MAX || hasLargePages(table, caller.workspaceId)
        ? turns.largePages.take(askingOf(caller), () => work(database.sharedConnection("large pages").read))
        : turns.smallPages.take(askingOf(caller), () => work(query)),
    queryNames: (sql, values, form) => database.sharedConnection("names").read(sql, values, form),
    queryPlanned: (sql, values, form) =>
      turns.alone.take({ tenant: String(values[0]) }, () => database.queryPlanned(sql, values, form)),
    searchTurn: (caller, work) => turns.searches.take(askingOf(caller), () => work(database.queryPlanned)),
    definitionsCache,
    hasWaiting: () => turns.writes.hasWaiting() || turns.alone.hasWaiting(),
    write: (caller, work, options) => unlessRunning(caller, () => write(caller, work, options)),
    writePatiently: (caller, work, options) =>
      unlessRunning(caller, () =>
        turns.upserts.take({ ...askingOf(caller), serializeBy: options?.serializeBy }, () =>
          write(caller, work, { ...options, serializeBy: undefined }),
        ),
      ),
    writeMany: (caller, work) =>
      unlessRunning(caller, () => turns.batches.take(askingOf(caller), () => transactOnRecords(caller, work))),
    // Works that change definitions wait for each other, so they hold one turn of their workspace.
    changeDefinitions: (changer, work) =>
      unlessRunning(changer, () =>
        turns.writes.take({ tenant: changer.workspaceId, serializeBy: changer.workspaceId }, () =>
          change(changer, work),
        ),
      ),
  };
}

/** Writer with a claim. A write without a claim is just run. */
interface Writer {
  workspaceId: string;
  userId?: string;
  claim?: Claim;
}

/** Runs the work of a caller, unless work with the same Idempotency-Key runs in this process. */
type UnlessRunning = <Result>(writer: Writer, work: () => Promise<Result>) => Promise<Result>;

/**
 * Refuses a duplicate of a request that still runs in this process with 409, at once. It would find the lock of that
 * request in the database, too (engine/idempotency/run-once.ts), but only after it has waited for a connection, and
 * others would wait behind it.
 * docs/guides/idempotency.md#while-it-runs
 */
export function createClaims(): UnlessRunning {
  const running = new Set<string>();
  return async ({ workspaceId, userId, claim }, work) => {
    if (!claim) return work();
    const key = `${workspaceId} ${userId} ${claim.key}`;
    if (running.has(key)) throw inProgress();
    running.add(key);
    try {
      return await work();
    } finally {
      running.delete(key);
    }
  };
}
