import { Refusal } from "contact-workspace-postgres/refusal";
import type { Client } from "../client.ts";
import { endConnection } from "../connection.ts";
import { openClient } from "../open-client.ts";
import type { Query } from "../query.ts";
import { SQLSTATE } from "../sqlstates.ts";
import { migrationConnection } from "./migration-lock.ts";

/** The oldest PostgreSQL that serves. docs/guides/database.md#embedded-or-your-own */
export const MAJOR_VERSION_LEAST = 15;

/** Extensions that the first migration makes. */
const EXTENSIONS = ["pg_trgm", "btree_gin"];

interface Facts {
  version: string;
  version_number: number;
  encoding: string;
  standby: boolean;
  read_only: boolean;
  database: string;
}

/** Reason why no server can run on a database, in words that say what to do; null if there is none. */
type Rule = (facts: Facts) => string | null;

const isOld: Rule = ({ version, version_number }) =>
  version_number < MAJOR_VERSION_LEAST * 10_000
    ? `This is PostgreSQL ${version}, and ${MAJOR_VERSION_LEAST} or later is needed: update it, or set DATABASE_URL to another one.`
    : null;

const isOtherEncoding: Rule = ({ encoding, database }) =>
  encoding === "UTF8"
    ? null
    : `The database ${database} has the encoding ${encoding}, and UTF8 is needed. Make another one, and set DATABASE_URL to it: create database NAME encoding 'UTF8' template template0`;

const takesNoWrites: Rule = ({ standby, read_only, database }) => {
  if (standby) return "This PostgreSQL is a standby, which takes no writes: set DATABASE_URL to the primary.";
  return read_only
    ? `The database ${database} is read only: alter database ${database} reset default_transaction_read_only, and look at the settings of the role too.`
    : null;
};

/** Version of a PostgreSQL, and the reason why it or the database is of no use: words that say what to do, or null. */
export interface Fitness {
  version: string;
  encoding: string;
  faults: { version: string | null; encoding: string | null; writes: string | null };
}

/** Asks a PostgreSQL and a database what they are, and judges it. docs/guides/database.md#embedded-or-your-own */
export async function fitness(query: Query): Promise<Fitness> {
  const [facts] = await query<Facts>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
       current_setting('transaction_read_only') = 'on' as read_only, quote_ident(current_database()) as database`,
    [],
  );
  if (!facts) throw new Error("PostgreSQL tells nothing of itself.");
  const faults = { version: isOld(facts), encoding: isOtherEncoding(facts), writes: takesNoWrites(facts) };
  return { version: facts.version, encoding: facts.encoding, faults };
}

/**
 * @throws Error that says what to do when the PostgreSQL or the database is of no use. One that takes no writes may
 *   become the primary soon, so its error counts as "away"
 */
export async function refuseUnfit(query: Query): Promise<void> {
  const { faults } = await fitness(query);
  const refusal = faults.version ?? faults.encoding;
  if (refusal !== null) throw new Refusal(refusal);
  if (faults.writes !== null) throw new Refusal(faults.writes, { code: SQLSTATE.readOnlyTransaction });
}

/**
 * Looks whether an empty database is empty, and the role may make in it what the first migration makes.
 * @throws Error that says what to do
 */
export async function refuseUnprepared(query: Query): Promise<void> {
  const [facts] = await query<{ schema: string | null; creates: boolean; role: string; tables: string[] }>(
    `select quote_ident(current_schema()) as schema, has_schema_privilege(current_schema(), 'CREATE') as creates,
       quote_ident(current_user) as role,
       array(select relname::text from pg_class c join pg_namespace n on n.oid = relnamespace
         where nspname = current_schema() and relkind in ('r', 'p', 'v', 'm') and relname not like 'migrations%'
           and not exists (select from pg_depend where objid = c.oid and deptype = 'e') order by relname limit 4) as tables`,
    [],
  );
  const role = facts?.role ?? "";
  const schema = facts?.schema ?? null;
  if (schema === null)
    throw new Refusal(
      `There is no schema that the role ${role} works in. Let a superuser run: create schema public authorization ${role}`,
    );
  if (!facts?.creates)
    throw new Refusal(
      `The role ${role} may not create tables in the schema ${schema}. Let its owner run: grant create on schema ${schema} to ${role}`,
    );
  if (facts.tables.length > 0)
    throw new Refusal(
      `The database is not empty, and was not made by this server: the schema ${schema} has ${facts.tables.slice(0, 3).join(", ")}${facts.tables.length > 3 ? " and more" : ""}. Set DATABASE_URL to an empty database of its own: create database NAME owner ${role} encoding 'UTF8' template template0`,
    );
  await refuseExtensions(query, role);
}

async function refuseExtensions(query: Query, role: string): Promise<void> {
  const rows = await query<{ name: string; available: boolean; creatable: boolean; database: string }>(
    `select name, v.name is not null as available, quote_ident(current_database()) as database,
       coalesce(not v.superuser or (v.trusted and has_database_privilege(current_database(), 'CREATE')), false)
         or (select rolsuper from pg_roles where rolname = current_user) as creatable
     from unnest($1::text[]) as wanted (name) left join lateral (
       select name, bool_and(superuser) as superuser, bool_or(trusted) as trusted
       from pg_available_extension_versions a where a.name = wanted.name group by 1) v using (name)
     where not exists (select from pg_extension where extname = name)`,
    [EXTENSIONS],
  );
  const away = rows.filter(({ available }) => !available).map(({ name }) => name);
  if (away.length > 0)
    throw new Refusal(
      `This PostgreSQL has no extension ${away.join(" and ")}: install the package with its additional modules (postgresql-contrib).`,
    );
  const refused = rows.filter(({ creatable }) => !creatable);
  const [first] = refused;
  if (first)
    throw new Refusal(
      `The role ${role} may not create the extensions ${refused.map(({ name }) => name).join(" and ")} in the database ${first.database}. Let a superuser run in it: ${refused.map(({ name }) => `create extension ${name}`).join("; ")}`,
    );
}

/**
 * Looks whether a connection has a session of its own. A pooler that gives it another one for each transaction loses
 * prepared statements and locks: two connections then share one session.
 * @throws Error that says what to do
 */
export async function refuseSharedSessions(databaseUrl: string): Promise<void> {
  const clients: Client[] = [];
  const pids = new Set<number>();
  try {
    // One after the other: the pooler gives the second connection the session that the first one has just left.
    while (clients.length < 2) {
      const client = await openClient(migrationConnection(databaseUrl));
      clients.push(client);
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      pids.add(rows[0]?.pid ?? 0);
    }
  } finally {
    for (const client of clients) await endConnection(client).catch(() => undefined);
  }
  if (pids.size < clients.length)
    throw new Refusal(
      "A connection pooler in front of PostgreSQL gives each transaction another session, which loses prepared statements and locks: set DATABASE_URL to PostgreSQL itself, or let the pooler give each connection a session of its own (pool_mode = session of PgBouncer).",
    );
}
