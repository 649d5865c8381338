import { NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import { type Database, run } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import { companies } from "../../model/resources/companies.ts";
import { people } from "../../model/resources/people.ts";
import { type Settled, settledStatement } from "../feed/settled.ts";
import { AT_ONCE, followLog, takeQueued } from "./log.ts";
import { lookAt } from "./look.ts";
import { KINDS, type Kind } from "./traits.ts";

// The records of a workspace are looked at behind their writes: those that its log names, those that wait because of
// others, and at first all that are there. docs/decisions/0026-duplicates.md#following-the-log

/** State of a workspace, whose row is locked. */
interface Progress {
  through: number;
  /** The last record of the older ones that was looked at; null when all were. */
  person: Uuid | null;
  company: Uuid | null;
  /** Whether records wait in the queue. */
  isQueued: boolean;
}

/** Result of a turn: whether there is more to do, and whether another process is at it. */
export interface Turn {
  hasMore: boolean;
  isBusy: boolean;
}

/**
 * Looks at some records of a workspace in one transaction. Several processes may do so, and one at a time does; nothing
 * is lost when it is killed.
 */
export function takeTurn(database: Pick<Database, "transaction">, workspaceId: Uuid): Promise<Turn> {
  return database.transaction(
    async (trx) => {
      const [[progress] = [], [settled] = []] = (await trx.opened) as [Progress[], Settled[]];
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const through = settled?.through ?? 0;
      if (!progress) return begin(query, workspaceId, through);
      const next = await lookAtSome(query, workspaceId, progress, through);
      const reached = [next.through, next.person, next.company];
      const isFurther = String(reached) !== String([progress.through, progress.person, progress.company]);
      if (isFurther) trx.last(query(REACH, [workspaceId, ...reached]));
      return { hasMore: next.hasMore, isBusy: false };
    },
    { opening: [{ text: LOCK, values: [workspaceId] }, settledStatement([workspaceId])] },
  );
}

const LOCK = `/* background */
select through::float8 as through, people_through as person, companies_through as company,
  exists (select from duplicate_queue where workspace_id = $1) as "isQueued"
from duplicate_progress where workspace_id = $1 for update skip locked`;

const REACH = `/* background */
update duplicate_progress set through = $2, people_through = $3, companies_through = $4 where workspace_id = $1`;

const BEGIN = `/* background */
insert into duplicate_progress (workspace_id, through, people_through, companies_through)
select id, $2, $3, $3 from workspaces where id = $1 for key share on conflict do nothing returning 1`;

/** Begins with a workspace: what is committed by now is looked at in slices, and what follows is in the log. */
async function begin(query: Query, workspaceId: Uuid, through: number): Promise<Turn> {
  const [begun] = await query(BEGIN, [workspaceId, through, NIL_UUID]);
  return { hasMore: begun !== undefined, isBusy: begun === undefined };
}

async function lookAtSome(query: Query, workspaceId: Uuid, progress: Progress, settled: number) {
  const log = await followLog(query, workspaceId, progress.through, settled);
  const queued = progress.isQueued ? await takeQueued(query, workspaceId) : [];
  const next = { ...progress, through: log.through, hasMore: log.hasMore || queued.length === AT_ONCE };
  for (const kind of KINDS) {
    const older = await olderRecords(query, workspaceId, kind, progress[kind]);
    next[kind] = older.length < AT_ONCE ? null : (older.at(-1) ?? null);
    next.hasMore ||= older.length > 0;
    const ids = new Set([...idsOf(kind, [...log.records, ...queued]), ...older]);
    if (ids.size > 0) await lookAt({ query, workspaceId, kind }, [...ids]);
  }
  return next;
}

function idsOf(kind: Kind, records: readonly { kind: Kind; id: Uuid }[]): Uuid[] {
  return records.flatMap((record) => (record.kind === kind ? record.id : []));
}

/** The next of the records that were there at first; none when all were looked at. */
async function olderRecords(query: Query, workspaceId: Uuid, kind: Kind, after: Uuid | null): Promise<Uuid[]> {
  if (after === null) return [];
  const rows = await query<{ id: Uuid }>(OLDER[kind], [workspaceId, after]);
  return rows.map(({ id }) => id);
}

const older = (table: string) => `/* background */
select id from ${table} where workspace_id = $1 and id > $2 order by id limit ${AT_ONCE}`;
const OLDER: Record<Kind, string> = { person: older(people.table), company: older(companies.table) };

// ---- workspaces with something to do

const due = (where: string) => `/* background */
select w.id as "workspaceId" from workspaces w left join duplicate_progress p on p.workspace_id = w.id
where ${where}(p.workspace_id is null or p.people_through is not null or p.companies_through is not null
  or p.through < (select max(l.seq) from change_log l where l.workspace_id = w.id)
  or exists (select from duplicate_queue q where q.workspace_id = w.id))`;
const DUE = due("");
const DUE_IN = due("w.id = $1 and ");

/** Workspaces in which there are records to look at. It takes a look into the log of each. */
export async function dueWorkspaces(query: Query): Promise<Uuid[]> {
  const rows = await query<{ workspaceId: Uuid }>(DUE, []);
  return rows.map(({ workspaceId }) => workspaceId);
}

/** Whether there are records to look at in a workspace. */
export async function isDue(query: Query, workspaceId: Uuid): Promise<boolean> {
  return (await query(DUE_IN, [workspaceId])).length > 0;
}

/**
 * Forgets people who are erased: their keys, which are made of their names and addresses, and their pairs. It waits for
 * the turn of another process. The transaction is the caller's, which has deleted them.
 */
export async function forgetPeople(query: Query, workspaceId: Uuid, people: readonly Uuid[]): Promise<void> {
  await query("select from duplicate_progress where workspace_id = $1 for update", [workspaceId]);
  await lookAt({ query, workspaceId, kind: "person" }, people);
}
