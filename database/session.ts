/** Settings of a session of PostgreSQL by their names; times are in milliseconds, and 0 is no limit. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Every session of ours begins with these, because a role, a database or the server may have others, and our statements
 * are written for these. docs/guides/database.md#settings-of-postgresql
 */
const SETTINGS: SessionSettings = {
  // A limit of time is the caller's: one of the role would end an import, or a backup, in the middle.
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
  transaction_timeout: 0,
  // A statement that has waited for a lock works on the row as it is then. At higher levels it fails instead.
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // The texts in which values are sent and received, also inside of the JSON that PostgreSQL makes.
  timezone: "UTC",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  extra_float_digits: 1,
  bytea_output: "hex",
  standard_conforming_strings: "on",
  array_nulls: "on",
  transform_null_equals: "off",
  quote_all_identifiers: "off",
  // Above 0 an index would leave out some of the rows it finds.
  gin_fuzzy_search_limit: 0,
  plan_cache_mode: "auto",
  // Compiling a statement takes PostgreSQL up to a second, and ours run for a few milliseconds.
  // docs/decisions/0006-processes.md
  jit: "off",
};

/**
 * Setting by which triggers do nothing in our sessions: our code itself writes what they write for processes of the
 * release before. PostgreSQL does not know it before it is set. docs/additions.md#expand-then-contract
 */
const TAKES_ALONG = "contact_workspace.takes_along";

/**
 * For connections whose statements must not wait for a synchronous standby. They read, or write what may be lost in a
 * fail-over. docs/guides/high-availability.md#while-the-standby-hangs
 */
export const WITHOUT_STANDBY: SessionSettings = { synchronous_commit: "local" };

/**
 * Settings that a session on Citus does without. A plan for any values knows no shard there, so it would ask all of
 * them; and no setting of a session reaches the workers. docs/guides/citus.md#plans
 */
const NOT_ON_CITUS = ["plan_cache_mode", "enable_seqscan"];

/**
 * The statements that give a session its settings. They are sent when it has begun and not along with its start, where
 * PgBouncer takes none but its own. Until then those of the role hold: the first two are the ones that the last
 * statement needs. That one leaves out settings that PostgreSQL does not know.
 */
export function settingsSql(own: SessionSettings = {}): string {
  const { statement_timeout, jit, ...others } = { ...SETTINGS, ...own };
  const rows = Object.entries(others).map(([name, value]) => `('${name}', '${value}')`);
  // Older versions of PostgreSQL do not know all of them. One that does not wait for its disk goes on like that.
  const notOnCitus = NOT_ON_CITUS.map((name) => `'${name}'`).join(", ");
  return `set statement_timeout = ${statement_timeout}; set jit = ${jit}; set ${TAKES_ALONG} = 'on'; select set_config(name, value, false) from (values ${rows.join(", ")}) as wanted (name, value) where current_setting(name, true) is not null and (name, current_setting(name, true)) <> ('synchronous_commit', 'off') and (name not in (${notOnCitus}) or not exists (select from pg_extension where extname = 'citus'))`;
}
