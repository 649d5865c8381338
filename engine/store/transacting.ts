import type { Answer } from "../../base/contract/answer.ts";
import type { Caller, CommandRun, Preview } from "../../base/contract/caller.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { type Database, run, type Transaction } from "../../database/database.ts";
import { asWrite, type Query, type Write } from "../../database/query.ts";
import { CONFLICTS } from "../../database/sqlstates.ts";
import { RunAgain } from "../../database/transaction.ts";
import { type Definitions, loadDefinitions } from "../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import type { LogEntry } from "../../model/log.ts";
import { sendToLog } from "../events/append.ts";
import { logAppended } from "../events/appended.ts";
import { claiming, inProgress, runOnce, type Settled, saveFailure } from "../idempotency/run-once.ts";
import type { WriteContext } from "../records/draft.ts";
import { sealingOf } from "../secrets/sealing.ts";
import { runOrTry } from "./dry-run.ts";
import { previewed } from "./foreseen.ts";

export interface WriteOptions {
  /** Set when the result holds a secret, so that a response that is saved of it is encrypted. */
  sealed?: boolean;
  /**
   * The id of the one record that the work locks. Of several works on it one has a turn, and the others would only hold
   * connections while they wait for it.
   */
  serializeBy?: string | undefined;
}

/** Author of a change of definitions: a caller of the API, or a run of the command line, which is no user. */
export type Changer = Caller | ({ workspaceId: Uuid } & Partial<CommandRun>);

/**
 * Dependencies of work that changes definitions. `reload` gives the definitions with the rows that the work has written
 * so far.
 */
export interface Change {
  query: Query;
  write: Write;
  /** Takes an entry of the log for each thing that changes. They make no events. */
  log: LogEntry[];
  definitions: Definitions;
  reload(): Promise<Definitions>;
}

/** The row of the first statement of a transaction. `held` is whether the claim is, null without a claim. */
interface Opened {
  version: number;
  held: boolean | null;
}

/** The version of the definitions with which work begins; undefined when it waits for the present one. */
interface Assumption {
  version: number | undefined;
}

function openingOf(changer: Changer, lock: string): { text: string; values: unknown[] }[] {
  const columns = "catalog_version as version";
  const claim = "userId" in changer ? changer.claim : undefined;
  if (claim && "userId" in changer) return claiming({ ...changer, claim }, { columns, lock });
  return [
    { text: `select ${columns}, null as held from workspaces where id = $1${lock}`, values: [changer.workspaceId] },
  ];
}

async function openedBy({ opened }: Pick<Transaction, "opened">): Promise<Opened> {
  const [[row] = []] = (await opened) as Opened[][];
  return row ? { ...row, version: Number(row.version) } : { version: 0, held: true };
}

/**
 * Confirms what a transaction has assumed, before it leaves anything.
 * @throws RunAgain when there are later definitions, ApiError 409 when the claim is not held
 */
async function confirm(trx: Pick<Transaction, "opened">, assumption: Assumption): Promise<void> {
  const { version, held } = await openedBy(trx);
  if (assumption.version !== undefined && version > assumption.version) {
    assumption.version = undefined;
    throw new RunAgain("The definitions have changed");
  }
  if (held === false) throw inProgress();
}

function previewOf(changer: Changer): Preview | undefined {
  return "userId" in changer ? changer.preview : undefined;
}

/** The result of work, or what a preview of it answers. Work of a caller who wants a preview gives an `Answer`. */
function asPreview<Result>(
  changer: Changer,
  result: Result,
  log: readonly LogEntry[],
  definitions: Definitions,
): Result {
  const preview = previewOf(changer);
  if (!preview || !("userId" in changer)) return result;
  return previewed(result as Answer, log, { caller: changer, definitions, preview }) as Result;
}

/** The transaction, as work sees it. */
type Inside = Pick<WriteContext, "query" | "last" | "log" | "isCitus">;

/** Runs the works of services in transactions. */
export function createTransacting(database: Database, definitionsCache: DefinitionsCache) {
  /**
   * Runs work in one transaction; if the caller has a claim, exactly once (engine/idempotency/run-once.ts). `lock`
   * prevents other changes of the definitions of the workspace in that time.
   *
   * Without `lock` the work begins at once with the definitions that the process has, so that its first statement goes
   * out together with BEGIN. What was assumed is confirmed before the commit: that no later definitions are there, and
   * that the claim is held.
   */
  async function transact<Result>(
    changer: Changer,
    lock: "" | " for no key update",
    work: (inside: Inside, version: number) => Promise<Result>,
    { sealed = false }: WriteOptions = {},
  ): Promise<Result> {
    let tells = false;
    const assumption: Assumption = {
      version: lock === "" ? definitionsCache.keptVersion(changer.workspaceId) : undefined,
    };
    const sealing = sealed ? await sealingOf(database) : undefined;
    const isPreview = previewOf(changer) !== undefined;
    const options = { retryOn: CONFLICTS, opening: openingOf(changer, lock) };
    const committed = runOrTry(
      isPreview,
      (inTransaction: (trx: Transaction) => Promise<Settled<Result>>) => database.transaction(inTransaction, options),
      async (trx) => {
        const query: Query = (sql, values, form) => run(trx, sql, values, form);
        const effect = async () => {
          const log: LogEntry[] = [];
          const version = assumption.version ?? (await openedBy(trx)).version;
          // A preview has no commit that could tell an error of its last statements.
          const last = isPreview ? {} : { last: trx.last };
          const working = work({ query, ...last, log, isCitus: database.isCitus }, version);
          // An error of work that has assumed what is no longer so tells nothing.
          await working.catch(() => undefined);
          await confirm(trx, assumption);
          const result = await working;
          tells = log.length > 0 && !isPreview;
          if (tells) trx.last((await sendToLog(query, { ...changer, isCitus: database.isCitus }, log)).last);
          return result;
        };
        if (!("userId" in changer)) return { result: await effect() };
        return runOnce({ ...trx, query, sealing }, changer, effect);
      },
    );
    const settled = await committed.catch((error: unknown) => {
      if ("userId" in changer) return saveFailure(database, changer, error);
      throw error;
    });
    if ("error" in settled) throw settled.error;
    if (tells) logAppended(database, changer.workspaceId);
    return settled.result;
  }

  function transactOnRecords<Result>(
    caller: Caller,
    work: (writing: WriteContext) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result> {
    const effect = async (inside: Inside, version: number) => {
      const definitions = await definitionsCache.atLeast(caller.workspaceId, version);
      const result = await work({ ...inside, definitions, caller, linked: new Map() });
      return asPreview(caller, result, inside.log, definitions);
    };
    return transact(caller, "", effect, options);
  }

  async function change<Result>(changer: Changer, work: (change: Change) => Promise<Result>): Promise<Result> {
    const { workspaceId } = changer;
    await definitionsCache.rested(workspaceId);
    return transact(changer, " for no key update", async ({ query: inside, log }, version) => {
      const reload = async (): Promise<Definitions> => {
        const definitions = await loadDefinitions(inside, workspaceId);
        if (!definitions) throw new Error(`The workspace ${workspaceId} is gone`);
        return definitions;
      };
      // The row is locked until this transaction ends, so the cached definitions of this version are current.
      const definitions = definitionsCache.inVersion(workspaceId, version) ?? (await reload());
      const result = await work({ query: inside, write: asWrite(inside), log, definitions, reload });
      await inside("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
      return asPreview(changer, result, [], definitions);
    });
  }

  return { transactOnRecords, change };
}
