import { errorCode } from "../errors.ts";
import type { Query } from "../query.ts";
import { SQLSTATE } from "../sqlstates.ts";

/**
 * Finds out whether the coordinator of Citus has crashed since somebody looked, and if so whether all of its
 * transactions have ended on the workers. When they have, that is noted, and the log can be read again.
 * docs/guides/citus.md#when-the-coordinator-crashes
 * @returns false while some have not ended, or a worker does not answer
 */
export async function repairCoordinator(query: Query): Promise<boolean> {
  let [state] = await query<State>(STATE, []);
  if (state?.isRepaired) return true;
  if (!state) [state] = await query<State>(NOTICE, []);
  if (!state) return false;
  await endPrepared(query);
  const left = await query<{ success: boolean; result: string }>(
    "/* background */ select success, result from run_command_on_workers($1)",
    [leftFromBefore(state.ageS)],
  );
  if (left.some(({ success, result }) => !success || result !== "0")) return false;
  // It may have crashed again meanwhile, and then there is another notice.
  await query(REPAIRED, [state.noticedAt]);
  return true;
}

interface State {
  isRepaired: boolean;
  /** Time at which a process noticed the crash, as PostgreSQL prints it. */
  noticedAt: string;
  /** Seconds since then. */
  ageS: number;
}

const COLUMNS = `repaired_at is not null as "isRepaired", noticed_at::text as "noticedAt",
  extract(epoch from clock_timestamp() - noticed_at)::float8 as "ageS"`;

const STATE = `/* background */ select ${COLUMNS} from coordinator_repairs`;

const NOTICE = `/* background */ insert into coordinator_repairs (noticed_at) values (clock_timestamp())
  on conflict do nothing returning ${COLUMNS}`;

const REPAIRED =
  "/* background */ update coordinator_repairs set repaired_at = clock_timestamp() where noticed_at = $1::timestamptz";

/**
 * Statement that a worker answers with the number of its transactions, at work or prepared, that are older than this.
 * It compares ages, not times, because the clocks of the machines differ.
 */
function leftFromBefore(ageS: number): string {
  return `select (
    select count(*) from pg_stat_activity where datname = current_database() and application_name like 'citus_internal%'
      and clock_timestamp() - xact_start >= make_interval(secs => ${ageS})
  ) + (
    select count(*) from pg_prepared_xacts where database = current_database() and gid like 'citus\\_0\\_%'
      and clock_timestamp() - prepared >= make_interval(secs => ${ageS}))`;
}

/** Citus itself does so every minute. Only a superuser, or a role that was given the function, can have it done now. */
async function endPrepared(query: Query): Promise<void> {
  try {
    await query("/* background */ select recover_prepared_transactions()", []);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.insufficientPrivilege) throw error;
  }
}
