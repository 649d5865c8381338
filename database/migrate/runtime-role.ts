import { Refusal } from "contact-workspace-postgres/refusal";
import type { Query } from "../query.ts";

/** Names are quoted. */
interface Facts {
  role: string;
  owner: string;
  schema: string;
  isSuperuser: boolean;
  isOwner: boolean;
  creates: boolean;
}

/**
 * Gives a role the rights of a running server: it reads and writes all rows, and makes, changes or drops no table. The
 * same holds for tables that later migrations and `maintain` make. The connection is the owner's, and the caller
 * commits. docs/guides/deploying.md#two-roles
 * @throws Error that says what to do when there is no such role, or it may do more than that
 */
export async function grantToRuntime(query: Query, name: string): Promise<void> {
  const { role, schema } = await refuseRole(query, name);
  const inSchema = `alter default privileges in schema ${schema} grant`;
  await query(`grant usage on schema ${schema} to ${role}`, []);
  await query(`${inSchema} select, insert, update, delete on tables to ${role}`, []);
  await query(`${inSchema} usage, select, update on sequences to ${role}`, []);
  await query(`${inSchema} execute on functions to ${role}`, []);
  const { tables, sequences, functions } = await owned(query);
  if (tables) await query(`grant select, insert, update, delete on ${tables} to ${role}`, []);
  if (sequences) await query(`grant usage, select, update on sequence ${sequences} to ${role}`, []);
  if (functions) await query(`grant execute on function ${functions} to ${role}`, []);
  // The list of migrations is the owner's alone.
  if (tables) await query(`revoke insert, update, delete on migrations, migrations_lock from ${role}`, []);
}

async function refuseRole(query: Query, name: string): Promise<Facts> {
  const [facts] = await query<Facts>(
    `select quote_ident(rolname) as role, quote_ident(current_user) as owner, quote_ident(current_schema()) as schema,
       rolsuper as "isSuperuser", pg_has_role(oid, current_user, 'MEMBER') as "isOwner",
       has_schema_privilege(oid, current_schema(), 'CREATE') as creates
     from pg_roles where rolname = $1`,
    [name],
  );
  if (!facts)
    throw new Refusal(`There is no role "${name}": let a superuser run: create role NAME login password 'PASSWORD'`);
  const { role, owner, schema } = facts;
  if (facts.isSuperuser) throw new Refusal(`The role ${role} is a superuser, which may do everything: take another.`);
  if (facts.isOwner)
    throw new Refusal(`The role ${role} is ${owner}, or a member of it, which owns the tables: take another role.`);
  if (facts.creates)
    throw new Refusal(
      `The role ${role} may create tables in the schema ${schema}. Let its owner run: revoke create on schema ${schema} from public, ${role}`,
    );
  return facts;
}

/** Lists of what the owner has, each with commas between; null for none. Extensions belong to others. */
async function owned(query: Query) {
  const [lists] = await query<Record<"tables" | "sequences" | "functions", string | null>>(
    `with mine as (
       select c.oid::regclass::text as name, relkind from pg_class c
       where relnamespace = current_schema()::regnamespace and relowner = current_user::regrole
     )
     select (select string_agg(name, ', ') from mine where relkind in ('r', 'p')) as tables,
       (select string_agg(name, ', ') from mine where relkind = 'S') as sequences,
       (select string_agg(oid::regprocedure::text, ', ') from pg_proc
         where pronamespace = current_schema()::regnamespace and proowner = current_user::regrole) as functions`,
    [],
  );
  return lists ?? { tables: null, sequences: null, functions: null };
}
