import { createHash } from "node:crypto";
import type { Caller } from "../../../base/contract/caller.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { REQUESTS_LOGGED } from "../../../config/limits.ts";
import { type Binder, createBinder } from "../../../database/binder.ts";
import type { Database } from "../../../database/database.ts";

type Read = Database["read"];

/** An answered request with a key. */
export interface AnsweredRequest {
  id: Uuid;
  caller: Pick<Caller, "workspaceId" | "userId">;
  method: string;
  /** Route as in the table of routes; null for a path that leads nowhere. */
  route: string | null;
  tool: string | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  idempotencyKey: string | undefined;
  /** Whether it was a write that was tried and not kept. */
  isPreview: boolean;
  /** Rest of the quota of its user; null when limits are off. */
  rateLimitRemaining: number | null;
}

/** A request as it stands in the log. */
export interface LoggedRow extends Omit<AnsweredRequest, "caller" | "idempotencyKey"> {
  userId: Uuid;
  idempotencyKeyHash: string | null;
}

/** Type of a column, and its value for a request, in the order of the statement. */
const COLUMNS: readonly [type: string, value: (request: AnsweredRequest) => unknown][] = [
  ["uuid", ({ caller }) => caller.workspaceId],
  ["uuid", ({ id }) => id],
  ["uuid", ({ caller }) => caller.userId],
  ["text", ({ method }) => method],
  ["text", ({ route }) => route],
  ["text", ({ tool }) => tool],
  ["smallint", ({ status }) => status],
  ["text", ({ errorCode }) => errorCode],
  ["real", ({ durationMs }) => durationMs],
  ["text", ({ idempotencyKey }) => (idempotencyKey === undefined ? null : hashOfKey(idempotencyKey))],
  ["int", ({ rateLimitRemaining }) => rateLimitRemaining],
  ["boolean", ({ isPreview }) => isPreview],
];

const INSERT = `/* background */
insert into request_logs (workspace_id, id, user_id, method, route, tool, status, error_code, duration_ms, idempotency_key_hash, rate_limit_remaining, dry_run)
select * from unnest(${COLUMNS.map(([type], i) => `$${i + 1}::${type}[]`).join(", ")}) on conflict do nothing`;

/** Hash of an Idempotency-Key, with which its owner finds its requests: SHA-256 in hexadecimal digits. */
function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Writes requests in one statement. */
export async function insertRequests(query: Read, requests: AnsweredRequest[]): Promise<void> {
  await query(
    INSERT,
    COLUMNS.map(([, value]) => requests.map(value)),
  );
}

const DELETE_OLD = `/* background */
with due as (
  select w.id as workspace_id, (
    select l.id from request_logs l where l.workspace_id = w.id order by l.workspace_id desc, l.id desc offset ${REQUESTS_LOGGED} limit 1
  ) as last
  from unnest($1::uuid[]) w (id)
)
delete from request_logs l using due where l.workspace_id = due.workspace_id and l.id <= due.last`;

/** Deletes requests of these workspaces that are older than the kept ones. */
export async function deleteOld(query: Read, workspaceIds: Uuid[]): Promise<void> {
  await query(DELETE_OLD, [workspaceIds]);
}

/** Which requests of a workspace are wanted. */
export interface Wanted {
  workspaceId: Uuid;
  /** Only requests of this user. */
  userId: Uuid | undefined;
  requestId: string | undefined;
  onlyErrors: boolean;
  /** Only those that came at this time or later: the first uuid of the time. */
  since: Uuid | undefined;
  /** Only those that came before the one with this id. */
  after: string | undefined;
  limit: number;
}

/** Requests, the newest first. */
export function readRequests(query: Read, wanted: Wanted): Promise<LoggedRow[]> {
  const bind = createBinder();
  const sql = `select id, user_id as "userId", method, route, tool, status, error_code as "errorCode", duration_ms as "durationMs",
  idempotency_key_hash as "idempotencyKeyHash", rate_limit_remaining as "rateLimitRemaining", dry_run as "isPreview"
from request_logs where ${conditions(wanted, bind).join(" and ")} order by workspace_id desc, id desc limit ${wanted.limit}`;
  return query<LoggedRow>(sql, bind.values);
}

function conditions({ workspaceId, userId, requestId, onlyErrors, since, after }: Wanted, bind: Binder): string[] {
  return [
    `workspace_id = ${bind(workspaceId)}`,
    ...(userId === undefined ? [] : [`user_id = ${bind(userId)}`]),
    ...(requestId === undefined ? [] : [`id = ${bind(requestId)}`]),
    ...(onlyErrors ? ["(status >= 400 or error_code is not null)"] : []),
    ...(since === undefined ? [] : [`id >= ${bind(since)}`]),
    ...(after === undefined ? [] : [`id < ${bind(after)}`]),
  ];
}
