import type { Caller } from "../lib/caller.ts";
import { type Catalog, createCatalogs, loadCatalog, type Query } from "../lib/catalog.ts";
import { type Database, run } from "../lib/database.ts";
import { settle } from "../lib/idempotency.ts";
import type { Writing } from "../lib/records/draft.ts";
import type { Reading } from "../lib/records/read.ts";
import { createTurns } from "./turns.ts";

/** Two writers of one name, or of a record that goes away: the work runs again and finds what the other left. */
const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const RETRY_ON = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION];

/** Batches leave most connections of the pool to everybody else, and end in time to be answered. */
const BATCH_TURNS = { atOnce: 4, waitingMax: 200, waitMs: 6000 };

/** How services of one process reach records and definitions. */
export interface Store extends Reading {
  /** Runs work on records in one transaction, with the catalog as of its beginning. */
  write<Result>(caller: Caller, work: (writing: Writing) => Promise<Result>): Promise<Result>;
  /** The same for batches, which hold a connection for long: few at once, the others wait for their turn. */
  writeMany<Result>(caller: Caller, work: (writing: Writing) => Promise<Result>): Promise<Result>;
  /**
   * Runs work on users, groups, members or fields in one transaction: one at a time in a workspace, with the catalog of
   * that moment, and raises its version, so that every process reads it anew.
   */
  change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result>;
}

/** Who changes definitions: a caller of the API, or the command line, which is no user. */
export type Changer = Caller | { workspaceId: string };

/** What work on definitions gets. `reload` gives the catalog with what the work has written so far. */
export interface Change {
  query: Query;
  catalog: Catalog;
  reload(): Promise<Catalog>;
}

const stores = new WeakMap<Database, Store>();

/** The store of a database; services of one process share it, and so the catalogs it keeps. */
export function storeOf(database: Database): Store {
  let store = stores.get(database);
  if (!store) {
    store = createStore(database);
    stores.set(database, store);
  }
  return store;
}

function createStore(database: Database): Store {
  const query: Query = (sql, values) => database.read(sql, values);
  const catalogs = createCatalogs(query);

  /** One transaction; with a claim, exactly once (lib/idempotency.ts). */
  async function transact<Result>(changer: Changer, work: (inside: Query) => Promise<Result>): Promise<Result> {
    const settled = await database.transaction(
      async (trx) => {
        const inside: Query = (sql, values) => run(trx, sql, values);
        return "userId" in changer ? settle(inside, changer, () => work(inside)) : { result: await work(inside) };
      },
      { retryOn: RETRY_ON },
    );
    if ("error" in settled) throw settled.error;
    return settled.result;
  }

  function write<Result>(caller: Caller, work: (writing: Writing) => Promise<Result>): Promise<Result> {
    return transact(caller, async (inside) => {
      const [row] = await inside<{ version: number }>(VERSION, [caller.workspaceId]);
      const catalog = await catalogs.atLeast(caller.workspaceId, Number(row?.version ?? 0));
      return work({ query: inside, catalog, caller });
    });
  }

  const takeTurn = createTurns(BATCH_TURNS);

  function writeMany<Result>(caller: Caller, work: (writing: Writing) => Promise<Result>): Promise<Result> {
    return takeTurn(() => write(caller, work));
  }

  function change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result> {
    const { workspaceId } = changer;
    return transact(changer, async (inside) => {
      await inside(`${VERSION} for no key update`, [workspaceId]);
      const reload = async (): Promise<Catalog> => {
        const catalog = await loadCatalog(inside, workspaceId);
        if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
        return catalog;
      };
      const result = await work({ query: inside, catalog: await reload(), reload });
      await inside("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
      return result;
    });
  }

  return { query, ask: (sql, values) => database.ask(sql, values), catalogs, write, writeMany, change };
}

const VERSION = "select catalog_version as version from workspaces where id = $1";
