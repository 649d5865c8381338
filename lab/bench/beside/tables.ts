import pg from "pg";
import { uuidOf } from "../../../base/values/ids.ts";
import { companyOf, personOf } from "../against/content.ts";
import type { Contents } from "../against/seed.ts";

/** Role that PostgREST logs in with, and the role that it takes for a request, as its documentation recommends. */
export const AUTHENTICATOR = "authenticator";
export const MEMBER = "member";
const ROWS_AT_ONCE = 2000;

/**
 * Typed tables of people, companies and their links, with an index for each measured filter. The ids are of version 7,
 * so their order is that of creation, and a list needs no index besides the primary key.
 */
const TABLES = `
create extension pg_trgm;
create schema api;
create table api.companies (
  id uuid primary key default uuidv7(),
  created_at timestamptz not null default now(),
  name text not null,
  description text not null default '',
  industry text not null default '',
  urls text[] not null default '{}'
);
create table api.people (
  id uuid primary key default uuidv7(),
  created_at timestamptz not null default now(),
  first_name text not null default '',
  last_name text not null default '',
  full_name text not null generated always as (first_name || ' ' || last_name) stored,
  description text not null default '',
  birthday date,
  gender text not null default 'Unknown',
  job_title text not null default '',
  emails text[] not null default '{}',
  email text generated always as (lower(emails[1])) stored,
  phones text[] not null default '{}',
  addresses text[] not null default '{}',
  urls text[] not null default '{}'
) with (fillfactor = 90);
create table api.people_companies (
  person_id uuid references api.people on delete cascade,
  company_id uuid references api.companies on delete cascade,
  primary key (person_id, company_id)
);
create index on api.people (email);
create index on api.people (birthday);
create index on api.people using gin (full_name gin_trgm_ops);
create index on api.people_companies (company_id, person_id);
grant usage on schema api to ${MEMBER};
grant all on all tables in schema api to ${MEMBER};
`;

/** The grants go with the database, and the roles belong to all of them. */
const ROLES = `
do $$ begin
  if to_regrole('${AUTHENTICATOR}') is null then create role ${AUTHENTICATOR} login noinherit; end if;
  if to_regrole('${MEMBER}') is null then create role ${MEMBER} nologin; end if;
end $$;
grant ${MEMBER} to ${AUTHENTICATOR};
`;

/** Columns of a person that are written. The names of the fields in REST are the same in camel case. */
const PERSON = "first_name last_name description birthday gender job_title emails phones addresses urls".split(" ");
const COMPANY = "name description industry urls".split(" ");

/** A record with its columns in the place of its fields. */
export function columnsOf(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** Makes a database of this name on the server of the URL, in the place of one that is there; gives its URL. */
export async function newDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Makes the tables in an empty database and fills them with the records that the other side has, by the same ids. */
export async function fillTables(url: string, { people, companies, sizes }: Contents): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(ROLES);
    await client.query(TABLES);
    const insert = (table: string, columns: string[], rows: object[]): Promise<void> =>
      insertRows(client, table, columns, rows);
    const records = people.map((id, n) => ({ id: uuidOf("person", id), person: personOf(n, sizes) }));
    await insert(
      "companies",
      ["id", ...COMPANY],
      companies.map((id, n) => ({ id: uuidOf("company", id), ...companyOf(n) })),
    );
    await insert(
      "people",
      ["id", ...PERSON],
      records.map(({ id, person: { fields } }) => ({
        gender: "Unknown",
        description: "",
        addresses: [],
        urls: [],
        id,
        ...columnsOf(fields),
      })),
    );
    const links = records.flatMap(({ id, person }) =>
      person.companies.map((place) => ({ person_id: id, company_id: uuidOf("company", companies[place] ?? "") })),
    );
    await insert("people_companies", ["person_id", "company_id"], links);
    await client.query("update api.people set created_at = uuid_extract_timestamp(id)");
    // The update leaves dead rows, which would make each list slower.
    await client.query("vacuum full");
    await client.query("vacuum analyze");
  });
}

async function insertRows(client: pg.Client, table: string, columns: string[], rows: object[]): Promise<void> {
  const list = columns.join(", ");
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await client.query(
      `insert into api.${table} (${list}) select ${list} from json_populate_recordset(null::api.${table}, $1)`,
      [JSON.stringify(rows.slice(from, from + ROWS_AT_ONCE))],
    );
  }
}

/** Opens a client for some work and closes it. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
