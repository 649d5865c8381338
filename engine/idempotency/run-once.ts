import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Answer } from "../../base/contract/answer.ts";
import type { Caller } from "../../base/contract/caller.ts";
import type { Claim } from "../../base/contract/claim.ts";
import { ApiError, isApiError, unsaved } from "../../base/contract/errors.ts";
import { dataBody, errorBody } from "../../base/contract/reply.ts";
import { ALWAYS_SAVED_BYTES_MAX, SAVED_BYTES_OF_USER_MAX, SAVED_RESPONSE_BYTES_MAX } from "../../config/limits.ts";
import { type Database, run, type Transaction } from "../../database/database.ts";
import { errorCode, isUnavailable, violatedConstraint } from "../../database/errors.ts";
import type { Query } from "../../database/query.ts";
import { CONFLICTS, SQLSTATE } from "../../database/sqlstates.ts";
import { isStaleStatement } from "../../database/statement.ts";
import { RunAgain } from "../../database/transaction.ts";
import type { Sealing } from "../secrets/cipher.ts";
import { responsePurpose } from "../secrets/purposes.ts";

// Claim, effect, saved response and whatever else a write leaves are one transaction: a crash at any moment leaves all
// of it or nothing, and the key is free again as soon as the crashed process is gone.
// docs/guides/idempotency.md#crashes

type Claiming = Pick<Caller, "workspaceId" | "userId" | "claim">;
type Claimed = Claiming & { claim: Claim };

/** Result of the work, which holds once its transaction is committed: its result, or the error that was saved. */
export type Settled<Result> = { result: Result } | { error: ApiError };

/** A transaction, as far as a claim needs it. */
interface Inside extends Pick<Transaction, "opened" | "last" | "restart"> {
  query: Query;
  /** Encrypts the result before it is saved, which holds a secret. Errors hold none. */
  sealing?: Sealing | undefined;
}

/** Age of a period up to which it is new. No request, and no transaction of one, takes that long. */
const NEW_MS = 60 * 60 * 1000;

/** The rows of the two statements that have tried to take a claim. */
interface Held {
  /** False while another transaction has it. */
  held: boolean;
  /** The period in which the response is to be saved. */
  period: number;
  /** Whether that began a short while ago. */
  isNew: boolean;
}

const PERIOD = "pg_sequence_last_value('saved_responses_period'::regclass)";

/**
 * The statements that open the transaction of a write with a claim. The first tries to take it: it reads the row of the
 * workspace, so that the lock is taken on the machine that has the workspace. The second reads the period when the lock
 * is held, so that it is not before that of the transaction that held it last.
 * @param also SQL of further columns to read of the row of the workspace, and of the lock on it
 */
export function claiming(
  caller: Claimed,
  also: { columns?: string; lock?: string } = {},
): { text: string; values: unknown[] }[] {
  return [
    { text: take("$1", "$2", also), values: [caller.workspaceId, lockOf(caller)] },
    { text: PERIOD_NOW, values: [] },
  ];
}

function take(workspace: string, lock: string, also: { columns?: string; lock?: string } = {}): string {
  const columns = [`pg_try_advisory_xact_lock(${lock}) as held`, ...(also.columns ? [also.columns] : [])];
  return `select ${columns.join(", ")} from workspaces where id = ${workspace}${also.lock ?? ""}`;
}

const PERIOD_NOW = `select ${PERIOD}::float8 as period, extract(epoch from now()) * 1000 - ${PERIOD} < ${NEW_MS} as "isNew"`;

/**
 * The number of the lock that is the claim of a write, which the statement that opens its transaction tries to take,
 * without waiting (`pg_try_advisory_xact_lock`): another transaction that holds it runs the same request. The lock ends
 * with the transaction, also when the process dies. Null without a key.
 */
export function lockOf({ workspaceId, userId, claim }: Claiming): bigint | null {
  if (!claim) return null;
  return createHash("sha256").update(`${workspaceId} ${userId} ${claim.key}`).digest().readBigInt64BE();
}

/**
 * Runs work under the claim of its caller, and saves its result in the same transaction, whose first opening statement
 * has tried to take the claim (`claiming`). The work throws `inProgress` when it is not held. An error that is saved is
 * given back, so that the transaction commits; the code that opened the transaction throws it afterwards.
 * docs/guides/idempotency.md#what-is-saved
 * @throws ApiError 409 while another request with the key runs, or has just ended; every error that is not saved, as it
 * is
 */
export async function runOnce<Result>(
  { query, opened, last, restart, sealing }: Inside,
  caller: Claiming,
  work: () => Promise<Result>,
): Promise<Settled<Result>> {
  const { claim } = caller;
  if (!claim) return { result: await work() };
  try {
    const result = await work();
    const { deprecations, tellsRequest, requestId } = claim;
    const body = dataBody(result as Answer, deprecations, tellsRequest ? requestId : undefined);
    const purpose = responsePurpose({ ...caller, key: claim.key });
    last(
      save(query, { ...caller, claim }, await heldBy(opened), {
        status: 200,
        body: sealing?.seal(body, purpose) ?? body,
      }),
    );
    return { result };
  } catch (error) {
    const answered = errorToSave(error, claim);
    // The rollback releases the lock; if another request takes it meanwhile, this one gets 409, and finds the answer of
    // that one when it is repeated.
    const retaken = restart([take(`'${caller.workspaceId}'`, String(lockOf(caller))), PERIOD_NOW]);
    const held = await heldBy(retaken);
    await save(query, { ...caller, claim }, held, { status: answered.code, body: answered.data.body ?? "" });
    return { error: answered };
  }
}

/**
 * Saves an error of the commit, which undid the transaction: that of a statement that was not waited for. The claim was
 * released with it, and is taken once more.
 * @throws ApiError 409 while another request has taken the key; every error that is not saved, as it is
 */
export async function saveFailure(
  database: Pick<Database, "transaction">,
  caller: Claiming,
  error: unknown,
): Promise<Settled<never>> {
  const { claim } = caller;
  if (!claim) throw error;
  const answered = errorToSave(error, claim);
  return database.transaction(
    async (trx) => {
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const held = await heldBy(trx.opened);
      await save(query, { ...caller, claim }, held, { status: answered.code, body: answered.data.body ?? "" });
      return { error: answered };
    },
    { opening: claiming({ ...caller, claim }) },
  );
}

/** The 409 of a key whose request still runs, or has just ended. docs/guides/idempotency.md#while-it-runs */
export function inProgress(): ApiError {
  const message = "A request with the same Idempotency-Key is still being processed. Try again.";
  return unsaved(new ApiError("IDEMPOTENCY_REQUEST_IN_PROGRESS", message, undefined, { "Retry-After": "1" }));
}

/**
 * The error as it is saved and sent, with its body, which is made only once.
 * @throws the error itself when it is not to be saved, because another try may end differently, or another definition
 *   would change the answer. docs/guides/idempotency.md#what-is-not-saved
 */
function errorToSave(error: unknown, { requestId, publicUrl }: Claim): ApiError {
  if (isApiError(error) ? error.data.unsaved || error.code === 503 : isUnavailable(error) || isRetried(error))
    throw error;
  const answered = isApiError(error)
    ? error
    : Object.assign(
        new ApiError("INTERNAL_SERVER_ERROR", "Something went wrong here. Name the requestId when you report it."),
        { cause: error },
      );
  answered.data.body = errorBody(answered, requestId, publicUrl);
  return answered;
}

/** Whether the transaction is run again after this error (engine/store/store.ts). */
function isRetried(error: unknown): boolean {
  return error instanceof RunAgain || isStaleStatement(error) || CONFLICTS.includes(errorCode(error) ?? "");
}

const HOUR_MS = 60 * 60 * 1000;
/**
 * Number of users that are remembered at once: the one that has saved nothing for the longest time is forgotten first.
 */
const USERS_KEPT = 10_000;

const mayBeSaved = savedBytes();

/**
 * The bytes of an answer, or null when it is not to be kept, since it is too large, or its user has many kept already.
 * No character takes less than one byte. docs/guides/idempotency.md#large-answers
 */
function kept(body: string | Buffer, user: Pick<Caller, "workspaceId" | "userId">): Buffer | null {
  if (body.length > SAVED_RESPONSE_BYTES_MAX) return null;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return bytes.length <= SAVED_RESPONSE_BYTES_MAX && mayBeSaved(user, bytes.length, performance.now()) ? bytes : null;
}

/** The claim that the first two of these statements have taken. @throws ApiError 409 when they have not */
async function heldBy(opened: Promise<readonly unknown[][]>): Promise<Held> {
  const [[row] = [], [now] = []] = (await opened) as Held[][];
  if (!row?.held || !now) throw inProgress();
  return { ...now, held: true };
}

/** $8 is the period; `unless` is SQL that is true when another response is there. */
const saving = (unless: string) => `
insert into saved_responses (workspace_id, user_id, key, fingerprint, status, body, expires_at, period)
values ($1, $2, $3, $4, $5, $6, case when ${unless} then null else now() + make_interval(secs => $7) end, $8)`;

/**
 * Saves a response under its key. It is undone when another request has saved its own since this one has looked the
 * key up: the primary key refuses a second response in the period. One in the period before would not be found by that,
 * so as long as the period is new the statement looks by itself.
 */
const SAVE = saving("false");
const SAVE_IN_NEW_PERIOD = saving(`(
  select expires_at > now() from saved_responses where workspace_id = $1 and user_id = $2 and key = $3 order by period desc limit 1)`);

/** Begin of the names of the constraints by which a second response is refused. */
const OURS = /^(saved_responses|idempotency_keys)_/;

/**
 * Saves an answer under its key.
 * @throws ApiError 409 when another request with the key has ended since the key was looked up. This request is then
 *   undone as a whole, and its next try gets the saved answer of the other one.
 */
async function save(
  query: Query,
  { workspaceId, userId, claim }: Claimed,
  { period, isNew }: Held,
  { status, body }: { status: number; body: string | Buffer },
): Promise<void> {
  try {
    await query(isNew ? SAVE_IN_NEW_PERIOD : SAVE, [
      ...[workspaceId, userId, claim.key, claim.fingerprint, status],
      ...[kept(body, { workspaceId, userId }), claim.ttlS, period],
    ]);
  } catch (error) {
    const isThere = errorCode(error) === SQLSTATE.notNullViolation || OURS.test(violatedConstraint(error) ?? "");
    throw isThere ? inProgress() : error;
  }
}

/** Bytes saved for a user in the hour starting at `since` and in the hour before it. */
interface Hours {
  since: number;
  bytes: number;
  before: number;
}

/**
 * Gives a function that says whether the bytes of an answer may be saved for a user, and counts them if so. The hour
 * slides: the bytes of the hour before count by the part that it still covers. Each process counts by itself.
 * docs/guides/idempotency.md#large-answers
 */
export function savedBytes() {
  const users = new LRUCache<string, Hours>({ max: USERS_KEPT });
  return ({ workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">, bytes: number, now: number): boolean => {
    if (bytes <= ALWAYS_SAVED_BYTES_MAX) return true;
    const key = `${workspaceId} ${userId}`;
    const hours = users.get(key) ?? { since: now, bytes: 0, before: 0 };
    const passed = Math.floor((now - hours.since) / HOUR_MS);
    const current: Hours =
      passed === 0
        ? hours
        : { since: hours.since + passed * HOUR_MS, bytes: 0, before: passed === 1 ? hours.bytes : 0 };
    const reached = current.before * (1 - (now - current.since) / HOUR_MS);
    const fits = current.bytes + reached + bytes <= SAVED_BYTES_OF_USER_MAX;
    if (fits) current.bytes += bytes;
    users.set(key, current);
    return fits;
  };
}
