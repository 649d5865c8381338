import type { Caller } from "../../base/contract/caller.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { type Database, run } from "../../database/database.ts";
import { asWrite, type Query, type Write } from "../../database/query.ts";
import { CONFLICTS } from "../../database/sqlstates.ts";
import { type Definitions, loadDefinitions } from "../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import type { EventDraft } from "../../model/events.ts";
import { sendEvents } from "../events/outbox.ts";
import { eventsWritten } from "../events/written.ts";
import { lockOf, runOnce } from "../idempotency/run-once.ts";
import type { WriteContext } from "../records/draft.ts";
import { sealingOf } from "../secrets/sealing.ts";

export interface WriteOptions {
  /** Set when the result holds a secret, so that a response that is saved of it is encrypted. */
  sealed?: boolean;
  /**
   * The id of the one record that the work locks. Of several works on it one has a turn, and the others would only hold
   * connections while they wait for it.
   */
  serializeBy?: string | undefined;
}

/** Author of a change of definitions: a caller of the API, or the command line, which is no user. */
export type Changer = Caller | { workspaceId: Uuid };

/**
 * Dependencies of work that changes definitions. `reload` gives the definitions with the rows that the work has written
 * so far.
 */
export interface Change {
  query: Query;
  write: Write;
  definitions: Definitions;
  reload(): Promise<Definitions>;
}

/** The row of the statement that opens a transaction. `held` is whether the claim is, null without a claim. */
interface Opened {
  version: number;
  held: boolean | null;
}

/** Runs the works of services in transactions. */
export function createTransacting(database: Database, definitionsCache: DefinitionsCache) {
  /**
   * Runs work in one transaction; if the caller has a claim, exactly once (engine/idempotency/run-once.ts). `lock`
   * prevents other changes of the definitions of the workspace in that time.
   */
  async function transact<Result>(
    changer: Changer,
    lock: "" | " for no key update",
    work: (inside: Query, version: number, events: EventDraft[]) => Promise<Result>,
    { sealed = false }: WriteOptions = {},
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
          if (tells) trx.last((await sendEvents(inside, changer.workspaceId, events)).last);
          return result;
        };
        if (!("userId" in changer)) return { result: await effect() };
        return runOnce({ ...trx, query: inside, isHeld: held === true, sealing }, changer, effect);
      },
      { retryOn: CONFLICTS, opening: [opening] },
    );
    if ("error" in settled) throw settled.error;
    if (tells) eventsWritten(database);
    return settled.result;
  }

  function transactOnRecords<Result>(
    caller: Caller,
    work: (writing: WriteContext) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result> {
    const effect = async (inside: Query, version: number, events: EventDraft[]) => {
      const definitions = await definitionsCache.atLeast(caller.workspaceId, version);
      return work({ query: inside, definitions, caller, linked: new Map(), events });
    };
    return transact(caller, "", effect, options);
  }

  async function change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result> {
    const { workspaceId } = changer;
    await definitionsCache.rested(workspaceId);
    return transact(changer, " for no key update", async (inside, version) => {
      const reload = async (): Promise<Definitions> => {
        const definitions = await loadDefinitions(inside, workspaceId);
        if (!definitions) throw new Error(`The workspace ${workspaceId} is gone`);
        return definitions;
      };
      // The row is locked until this transaction ends, so the cached definitions of this version are current.
      const definitions = definitionsCache.inVersion(workspaceId, Number(version)) ?? (await reload());
      const result = await work({ query: inside, write: asWrite(inside), definitions, reload });
      await inside("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
      return result;
    });
  }

  return { transactOnRecords, change };
}
