import pLimit from "p-limit";
import { type Catalog, loadCatalog } from "../catalog/catalog.ts";
import { type Catalogs, createCatalogs } from "../catalog/catalogs.ts";
import type { Caller } from "../contract/caller.ts";
import { type Database, run } from "../database/database.ts";
import { asWrite, type Query, type Write } from "../database/query.ts";
import { CONFLICTS } from "../database/sqlstates.ts";
import type { EventDraft } from "../events/event.ts";
import { writeEvents } from "../events/outbox.ts";
import { eventsWritten } from "../events/written.ts";
import { lockOf, settle } from "../idempotency/settle.ts";
import type { Writing } from "../records/draft.ts";
import type { Reading } from "../records/read.ts";
import { sealingOf } from "../secrets/sealing.ts";
import type { Uuid } from "../values/ids.ts";
import { createClaims, type UnlessRunning } from "./running-claims.ts";
import { createTurns, type TakeTurn } from "./turns.ts";

/** How long single writes and filtered lists queue before 503. docs/decisions/0009-overload.md */
const WAITS = { waitMs: 1000, jamMs: 300 };
/** The same of batches, which take longer. */
const BATCH_WAITS = { waitMs: 6000, jamMs: 6000 };
/** How many requests of one kind may queue. One more is refused at once. docs/guides/limits.md#under-load */
const WAITING_MAX = 200;

/**
 * How many pages of lists a store reads at once. PostgreSQL sends faster than this process can make texts of it, and rows that wait
 * in memory are copied by the garbage collector again and again: twenty pages of a hundred records cost half as much again as
 * four. Small pages may be more, since what is asked for together also goes out in one write.
 */
const LARGE_PAGES_AT_ONCE = 4;
const SMALL_PAGES_AT_ONCE = 16;
/** Records of a small page. */
const SMALL_PAGE_MAX = 25;

/** How services of one process reach records and definitions. */
export interface Store extends Reading {
  /**
   * Runs work on records in one transaction, with the catalog as of its beginning. Few run at once; others wait for a turn.
   * @param options `sealed` when the result holds a secret, so that a response that is saved of it is encrypted
   */
  write<Result>(
    caller: Caller,
    work: (writing: Writing) => Promise<Result>,
    options?: { sealed?: boolean },
  ): Promise<Result>;
  /** The same for batches, which hold a connection for long, with turns of their own. */
  writeMany<Result>(caller: Caller, work: (writing: Writing) => Promise<Result>): Promise<Result>;
  /**
   * Runs work that changes users, groups, members or fields, in one transaction and with the catalog of that moment. In a
   * workspace one such work runs after the other. Each raises the version of the catalog, so that every process reads it anew.
   * docs/decisions/0002-catalog.md
   */
  change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result>;
}

/** Who changes definitions: a caller of the API, or the command line, which is no user. */
export type Changer = Caller | { workspaceId: Uuid };

/** What work that changes definitions needs. `reload` gives the catalog with what the work has written so far. */
export interface Change {
  query: Query;
  write: Write;
  catalog: Catalog;
  reload(): Promise<Catalog>;
}

/** The row of the statement that opens a transaction. `held` is whether the claim is, null without a claim. */
interface Opened {
  version: number;
  held: boolean | null;
}

interface Shared {
  catalogs: Catalogs;
  turns: Record<"alone" | "writes" | "batches", TakeTurn>;
  unlessRunning: UnlessRunning;
  stores: Map<string, Store>;
}

const shared = new WeakMap<Database, Shared>();

/**
 * The store of a database. All services of a process share its catalogs and its turns.
 * @param lane of the database, on which this store reads (lib/database/database.ts)
 */
export function storeOf(database: Database, lane?: string): Store {
  let parts = shared.get(database);
  if (!parts) {
    parts = {
      catalogs: createCatalogs(database.read),
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

/** Divides the pool's connections, so that no kind of work takes those of the others. docs/guides/limits.md#under-load */
function turnsOf({ poolMax, aloneMax }: Database): Shared["turns"] {
  const turns = (connections: number, waits: typeof WAITS) =>
    createTurns({ atOnce: Math.max(1, Math.floor(connections)), waitingMax: WAITING_MAX, ...waits });
  return { alone: turns(aloneMax, WAITS), writes: turns(poolMax / 2, WAITS), batches: turns(poolMax / 4, BATCH_WAITS) };
}

function createStore(database: Database, lane: string | undefined, { catalogs, turns, unlessRunning }: Shared): Store {
  /**
   * Runs work in one transaction; when the caller has a claim, exactly once (lib/idempotency/settle.ts). `lock` keeps others from
   * changing definitions of the workspace meanwhile.
   */
  async function transact<Result>(
    changer: Changer,
    lock: "" | " for no key update",
    work: (inside: Query, version: number, events: EventDraft[]) => Promise<Result>,
    { sealed = false }: { sealed?: boolean } = {},
  ): Promise<Result> {
    let tells = false;
    const sealing = sealed ? await sealingOf(database) : undefined;
    const claim = "userId" in changer ? lockOf(changer) : null;
    const held = claim === null ? "null" : "pg_try_advisory_xact_lock($2)";
    const opening = {
      text: `select catalog_version as version, ${held} as held from workspaces where id = $1${lock}`,
      values: claim === null ? [changer.workspaceId] : [changer.workspaceId, claim],
    };
    const settled = await database.transaction(
      async (trx) => {
        const inside: Query = (sql, values, form) => run(trx, sql, values, form);
        const [[row] = []] = trx.opened as Opened[][];
        const { version, held } = row ?? { version: 0, held: true };
        const effect = async () => {
          const events: EventDraft[] = [];
          const result = await work(inside, version, events);
          tells = events.length > 0;
          if (tells) trx.last(writeEvents(inside, changer.workspaceId, events));
          return result;
        };
        if (!("userId" in changer)) return { result: await effect() };
        return settle({ ...trx, query: inside, isHeld: held === true, sealing }, changer, effect);
      },
      { retryOn: CONFLICTS, opening: [opening] },
    );
    if ("error" in settled) throw settled.error;
    if (tells) eventsWritten(database);
    return settled.result;
  }

  function transactOnRecords<Result>(
    caller: Caller,
    work: (writing: Writing) => Promise<Result>,
    options?: { sealed?: boolean },
  ): Promise<Result> {
    const effect = async (inside: Query, version: number, events: EventDraft[]) => {
      const catalog = await catalogs.atLeast(caller.workspaceId, version);
      return work({ query: inside, catalog, caller, linked: new Map(), events });
    };
    return transact(caller, "", effect, options);
  }

  function change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result> {
    const { workspaceId } = changer;
    return transact(changer, " for no key update", async (inside) => {
      const reload = async (): Promise<Catalog> => {
        const catalog = await loadCatalog(inside, workspaceId);
        if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
        return catalog;
      };
      const result = await work({ query: inside, write: asWrite(inside), catalog: await reload(), reload });
      await inside("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
      return result;
    });
  }

  const [smallPages, largePages] = [pLimit(SMALL_PAGES_AT_ONCE), pLimit(LARGE_PAGES_AT_ONCE)];

  return {
    query: (sql, values, form) => (lane === undefined ? database : database.lane(lane)).read(sql, values, form),
    pageTurn: (limit, work) => (limit <= SMALL_PAGE_MAX ? smallPages(work) : largePages(work)),
    queryNames: (sql, values, form) => database.lane("names").read(sql, values, form),
    queryAlone: (sql, values, form) => turns.alone(() => database.queryAlone(sql, values, form)),
    catalogs,
    write: (caller, work, options) =>
      unlessRunning(caller, () => turns.writes(() => transactOnRecords(caller, work, options))),
    writeMany: (caller, work) => unlessRunning(caller, () => turns.batches(() => transactOnRecords(caller, work))),
    change: (changer, work) => unlessRunning(changer, () => turns.writes(() => change(changer, work))),
  };
}
