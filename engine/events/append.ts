import type { Source } from "../../base/contract/caller.ts";
import { divide, mapInSlices } from "../../base/loop/in-slices.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { textArray, uuidArray } from "../../database/array-parameter.ts";
import type { Query } from "../../database/query.ts";
import type { LogEntry } from "../../model/log.ts";
import { type StoredBody, storedBody } from "./long-texts.ts";
import { periodOf } from "./periods.ts";

// A reader must not pass over a number that is committed later. So whoever appends first takes a shared lock that names
// the workspace and the newest number of that moment, which is lower than all that it draws. `log_settled` looks at
// these locks. docs/decisions/0013-events.md#the-order
const takePlace = (lock: string) => `select pg_advisory_xact_lock_shared(${lock},
  (((pg_sequence_last_value('change_log_seq'::regclass) + 2147483648) & 4294967295) - 2147483648)::int)`;

/** SQL of a row that takes the lock, whose first number is $2, before another table of the FROM gives its rows. */
export const TAKE_PLACE = `(${takePlace("$2")})`;

const APPEND = `
insert into change_log (workspace_id, id, type, record_id, user_id, key_id, request_id, source, body, more)
select $1, e.id, e.type, e.record_id, $8, $9, $10, $11, e.body::json, e.more::json
from ${TAKE_PLACE} l,
  unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[]) e (id, type, record_id, body, more)`;

/**
 * The same on Citus for a few entries, behind `PLACE`. It sends an insert of values to a worker as it is; of one that
 * selects it makes a COPY and a commit in two phases, which costs three times as much. The numbers are drawn on the
 * coordinator, where the lock is.
 */
function appendListed(count: number): string {
  const list = (n: number) =>
    `($1, ($2::uuid[])[${n}], ($3::text[])[${n}], ($4::uuid[])[${n}], $7, $8, $9, $10, ($5::text[])[${n}]::json, ($6::text[])[${n}]::json)`;
  return `
insert into change_log (workspace_id, id, type, record_id, user_id, key_id, request_id, source, body, more)
values ${Array.from({ length: count }, (_, i) => list(i + 1)).join(", ")}`;
}

const LISTED_MAX = 16;

const PLACE = takePlace("$1");

/** Puts long texts into the period of the moment, unless they stand there already. */
const APPEND_TEXTS = `
insert into log_texts (workspace_id, record_id, id, period, entry_id, text)
select $1, t.record_id, t.id, ${periodOf("pg_sequence_last_value('change_log_seq'::regclass)")}, t.entry_id, t.text
from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) t (record_id, id, entry_id, text)
on conflict do nothing`;

/** The same as `APPEND` for entries with long texts. */
const APPEND_WITH_TEXTS = `
insert into change_log (workspace_id, id, type, record_id, user_id, key_id, request_id, source, body, more, text_bytes)
select $1, e.id, e.type, e.record_id, $8, $9, $10, $11, e.body::json, e.more::json, e.text_bytes
from ${TAKE_PLACE} l,
  unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[], $12::int[]) e (id, type, record_id, body, more, text_bytes)`;

/** Author of a change: the workspace, the user, and what the change came through. */
export interface Origin {
  workspaceId: Uuid;
  /** Absent where nobody did it: the work of the server itself. */
  userId?: Uuid;
  keyId?: Uuid | null;
  requestId?: string | undefined;
  source?: Source | undefined;
  /** Whether the database is one of Citus. */
  isCitus?: boolean;
}

/**
 * Appends entries to the log of a workspace in their order, in the transaction of their changes, which is the caller's.
 * The changed things are locked. One statement, two with long texts or on Citus, more for thousands of entries or for
 * very long ones, and none without entries. The caller calls `logAppended` after the commit.
 * docs/guides/events.md#no-change-without-its-event
 * @returns the last statement, when all others are through: COMMIT may be sent behind it
 */
export async function sendToLog(
  query: Query,
  origin: Origin,
  entries: readonly LogEntry[],
): Promise<{ last: Promise<void> }> {
  const written = await mapInSlices(entries, ({ type, recordId, body, more }) => ({
    type,
    recordId,
    ...storedBody(body),
    more: more ?? null,
  }));
  const parts = divide(written, lengthOf, LENGTH_PER_STATEMENT);
  for (const part of parts.slice(0, -1)) await appendSome(query, origin, part);
  return { last: appendSome(query, origin, parts.at(-1) ?? []) };
}

/** The same, waiting for the last statement too. */
export async function appendToLog(query: Query, origin: Origin, entries: readonly LogEntry[]): Promise<void> {
  await (await sendToLog(query, origin, entries)).last;
}

/**
 * One statement appends no more than this, in UTF-16 units: values of records may be long, and thousands of notes go
 * with a record.
 */
const LENGTH_PER_STATEMENT = 2 * 1024 * 1024;
/** Approximate length of an entry without its body. */
const LENGTH_AROUND = 200;

/** An entry, and its body as it is stored. */
interface Written extends Pick<LogEntry, "type" | "recordId">, StoredBody {
  /** JSON text. */
  more: string | null;
}

function lengthOf({ json, more, texts }: Written): number {
  let length = json.length + (more?.length ?? 0) + LENGTH_AROUND;
  for (const text of texts.values()) length += text.length;
  return length;
}

async function appendSome(query: Query, origin: Origin, entries: readonly Written[]): Promise<void> {
  if (entries.length === 0) return;
  const { workspaceId, userId = null, keyId = null, requestId = null, source = userId ? "api" : "system" } = origin;
  // Not earlier: the time in it is to be near the commit.
  const ids = entries.map(() => newUuid());
  const values = [
    workspaceId,
    lockKeyOf(workspaceId),
    uuidArray(ids),
    textArray(entries.map(({ type }) => type)),
    uuidArray(entries.map(({ recordId }) => recordId)),
    textArray(entries.map(({ json }) => json)),
    textArray(entries.map(({ more }) => more)),
    userId,
    keyId,
    requestId,
    source,
  ];
  const texts = entries.flatMap(({ recordId, texts }, i) =>
    [...texts].map(([id, text]) => ({ recordId, id, entryId: ids[i] as Uuid, text })),
  );
  if (texts.length === 0) {
    const [workspace, lock, ...others] = values;
    if (!origin.isCitus || entries.length > LISTED_MAX) await query(APPEND, values);
    else await Promise.all([query(PLACE, [lock]), query(appendListed(entries.length), [workspace, ...others])]);
    return;
  }
  await Promise.all([
    query(APPEND_TEXTS, [
      workspaceId,
      uuidArray(texts.map(({ recordId }) => recordId)),
      uuidArray(texts.map(({ id }) => id)),
      uuidArray(texts.map(({ entryId }) => entryId)),
      textArray(texts.map(({ text }) => text)),
    ]),
    query(APPEND_WITH_TEXTS, [...values, entries.map(({ toldBytes }) => toldBytes)]),
  ]);
}

/**
 * The first number of the locks of a workspace: the last 32 bits of its id. Workspaces that share one only wait longer.
 */
export function lockKeyOf(workspaceId: Uuid): number {
  return Number.parseInt(workspaceId.slice(-8), 16) | 0;
}
