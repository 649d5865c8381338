import type { Uuid } from "../../../base/values/ids.ts";
import { REQUEST_LOG_WAITING_MAX, REQUESTS_LOGGED, REQUESTS_LOGGED_AT_ONCE } from "../../../config/limits.ts";
import type { Database } from "../../../database/database.ts";
import { type AnsweredRequest, deleteOld, insertRequests } from "./request-logs.queries.ts";

/** The requests that the gateways of this process have answered, on their way into the log. */
export interface RequestLog {
  /** Takes a request, and drops an older one of its workspace when there are too many. Never fails. */
  add(request: AnsweredRequest): void;
  /**
   * Writes the gathered requests, and deletes the oldest of workspaces that have too many. Requests that cannot be
   * written are kept for the next time.
   * @throws Error of the database
   */
  flush(): Promise<void>;
  /** Runs a statement on the connection of the log. */
  query: Database["read"];
}

/**
 * Number of requests of a workspace after which its log is tidied. It may have some more than are kept, which costs
 * less than to tidy it each time.
 */
const TIDIED_AFTER = REQUESTS_LOGGED / 5;

/** A connection of its own, on which no request waits for the log. */
const LANE = "request log";

const logs = new WeakMap<object, RequestLog>();

/** The log of the process that has opened this database. */
export function requestLogOf(database: Pick<Database, "sharedConnection">): RequestLog {
  const known = logs.get(database);
  if (known) return known;
  const log = createRequestLog((sql, values, form) => database.sharedConnection(LANE).read(sql, values, form));
  logs.set(database, log);
  return log;
}

/**
 * Gathers requests and writes them together: a statement for each request would cost a tenth of the request itself. A
 * workspace that floods drops its own requests, and no others. docs/guides/request-log.md#what-is-kept
 */
export function createRequestLog(query: Database["read"]): RequestLog {
  let waiting = new Map<Uuid, AnsweredRequest[]>();
  let count = 0;
  const sinceTidied = new Map<Uuid, number>();

  /** Everything that waits; nothing does then. */
  function take(): AnsweredRequest[] {
    const taken = [...waiting.values()].flat();
    waiting = new Map();
    count = 0;
    return taken;
  }

  function add(request: AnsweredRequest): void {
    const { workspaceId } = request.caller;
    const own = waiting.get(workspaceId);
    if (own && own.length >= REQUESTS_LOGGED_AT_ONCE) own.shift();
    else if (count >= REQUEST_LOG_WAITING_MAX) return;
    else count += 1;
    if (own) own.push(request);
    else waiting.set(workspaceId, [request]);
  }

  // Each waits for the one before it, so that a reader who has waited for a flush finds the earlier requests.
  let flushing: Promise<unknown> = Promise.resolve();

  function flush(): Promise<void> {
    const flushed = flushing.then(write);
    flushing = flushed.catch(() => undefined);
    return flushed;
  }

  async function write(): Promise<void> {
    if (count === 0) return;
    const taken = take();
    try {
      await insertRequests(query, taken);
    } catch (error) {
      for (const request of [...taken, ...take()]) add(request);
      throw error;
    }
    await tidy(taken);
  }

  async function tidy(written: AnsweredRequest[]): Promise<void> {
    for (const { caller } of written)
      sinceTidied.set(caller.workspaceId, (sinceTidied.get(caller.workspaceId) ?? 0) + 1);
    const due = [...sinceTidied].flatMap(([workspaceId, added]) => (added >= TIDIED_AFTER ? [workspaceId] : []));
    if (due.length === 0) return;
    await deleteOld(query, due);
    for (const workspaceId of due) sinceTidied.delete(workspaceId);
  }

  return { add, flush, query };
}
