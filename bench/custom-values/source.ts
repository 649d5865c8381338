import type { Client } from "pg";
import { F, FIELDS, type Field, fieldOf, id, NEIGHBOUR, WORDS, WORKSPACE, word } from "./data.ts";
import { FILTERS } from "./filters.ts";
import type { Scale } from "./runs.ts";

/** Holds what all designs are loaded from. */
export const SCHEMA = "bench_custom_values";

/** Fills `source`, from which every design is loaded, so that all hold the same values. */
export async function prepare(client: Client, scale: Scale): Promise<void> {
  await client.query(`create schema ${SCHEMA}; set search_path = ${SCHEMA}, public; set client_min_messages = warning;
    create extension if not exists pg_trgm; create extension if not exists btree_gin;
    create function bench_id(kind text, n bigint) returns uuid language sql immutable as $$ select md5(kind || '-' || n)::uuid $$;
    create function person_id(n bigint) returns uuid language sql immutable as
      $$ select (lpad(to_hex(1760000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid $$;
    create table words (n int primary key, word text not null);
    create function folded(full_name text, description text) returns text language sql immutable as
      $$ select lower(full_name) || 'F' || lower(description) || 'Fperson@example.com' $$;
    create function keys_of(full_name text, description text) returns uuid[] language sql immutable as
      $$ select array[md5('1' || full_name)::uuid, md5('2' || description)::uuid, md5('3person@example.com')::uuid,
        md5('4' || split_part(full_name, ' ', 1))::uuid, md5('5' || split_part(full_name, ' ', 2))::uuid,
        md5('6')::uuid, md5('7')::uuid, md5('8')::uuid, md5('9')::uuid] $$;
    create function compact(document jsonb) returns text language sql immutable as
      $$ select replace(replace(document::text, '": ', '":'), '", "', '","') $$;
    create table source (workspace_id uuid, person_id uuid, group_id uuid, group_number int, n int, "values" jsonb);
    create table source_people (workspace_id uuid, person_id uuid, n int, full_name text, description text, company_ids uuid[]);
    create table source_companies (workspace_id uuid, id uuid, n int, name text, description text);
    select setseed(0.42);`);
  await client.query("insert into words select n - 1, word from unnest($1::text[]) with ordinality w(word, n)", [
    Array.from({ length: WORDS }, (_, n) => word(n)),
  ]);
  await client.query("analyze words");
  const { people } = scale;
  await fillSource(client, scale, { workspace: WORKSPACE, group: 1, first: 1, last: people, step: 1 });
  await fillSource(client, scale, { workspace: WORKSPACE, group: 2, first: 1, last: people, step: 10 });
  await fillSource(client, scale, {
    workspace: NEIGHBOUR,
    group: 1,
    first: people + 1,
    last: people + Math.ceil(people / 5),
    step: 1,
  });
  await fillRecords(client, people);
  await client.query(
    "create index on source (person_id); create index on source_people (n); analyze source; analyze source_people",
  );
  const sample = await client.query(
    `select max("values" ->> $1) filter (where n >= $2) as text, max("values" -> $3 ->> 0) filter (where n <= $2) as contact from source
     where workspace_id = $4 and group_number = 1 and n between $2 - 20 and $2 + 20`,
    [F.text, Math.round(people * 0.6), F.contact, WORKSPACE],
  );
  for (const filter of FILTERS) {
    if (filter.operator === "eq" && filter.field === "text") filter.value = sample.rows[0].text;
    if (filter.field === "contact") filter.value = [sample.rows[0].contact];
  }
}

/**
 * 400 first names, 5,000 last names, six words about everybody. Of ten people, two have no company, one has two, the others have
 * one; ten people share a company.
 */
async function fillRecords(client: Client, people: number): Promise<void> {
  const companies = Math.ceil(people / 10);
  // A random number that is the same in every run.
  const random = (seed: number | string, below: number) => `mod(abs(hashint8extended(record.n, ${seed})), ${below})`;
  const oneWord = (seed: number, below: number) => `(select word from words w where w.n = ${random(seed, below)})`;
  const words = (seed: number, count: number) =>
    `(select string_agg(w.word, ' ' order by k) from generate_series(1, ${count}) k join words w on w.n = ${random(`${seed} + k`, WORDS)})`;
  await client.query(`
    insert into source_companies
    select workspace, bench_id('company', record.n), record.n + 1, ${words(10, 2)}, ${words(20, 6)}
    from generate_series(0, ${companies - 1}) record(n), unnest(array['${WORKSPACE}', '${NEIGHBOUR}']::uuid[]) workspace;
    insert into source_people
    select workspace_id, person_id, n, ${oneWord(1, 400)} || ' ' || ${oneWord(2, 5000)}, ${words(30, 6)}, array(
      select bench_id('company', (${random(3, companies)} + link) % ${companies})
      from generate_series(1, case when n % 10 < 2 then 0 when n % 10 = 2 then 2 else 1 end) link)
    from source record where group_number = 1 order by n`);
}

type Members = { workspace: string; group: number; first: number; last: number; step: number };
/** Every `step`th person from `first` to `last` becomes a member of the group, with values for its eight fields. */
async function fillSource(client: Client, scale: Scale, members: Members): Promise<void> {
  const { workspace, group, first, last, step } = members;
  const items = (kind: string, start: string, count: string, stride: number, of: string) =>
    `(select jsonb_agg(bench_id('${kind}', ((${start})::int + j * ${stride}) % (${of})) order by j) from generate_series(0, (${count})::int - 1) j)`;
  const fields: Record<Field, string> = {
    text: `case when r[1] < 0.9 then (select string_agg(w.word, ' ' order by k) from generate_series(2, 7) k join words w on w.n = floor(r[k] * r[k] * ${WORDS})::int) || ' ' || n end`,
    number: `case when n % 10000 <> 9999 then round(r[8]::numeric * 1000000, 2) end`,
    date: `case when r[9] < 0.9 then to_char(date '1990-01-01' + (r[10] * 13000)::int, 'YYYY-MM-DD') end`,
    single: `case when r[11] < 0.9 then bench_id('option', (r[12] * 9)::int) end`,
    multiple: `case when r[13] < 0.9 then ${items("option", "floor(r[14] * 20)", "floor(r[15] * 3) + 1", 7, "20")} end`,
    user: `case when r[16] < 0.9 then ${items("user", "floor(r[17] * 50)", "floor(r[18] * 2) + 1", 9, "50")} end`,
    contact: `case when r[19] < 0.9 then (select jsonb_agg(person_id(1 + ((floor(r[20] * ${scale.people}))::int + j * 77) % ${scale.people}) order by j) from generate_series(0, floor(r[21] * 2)::int) j) end`,
    object: `case when r[22] < 0.9 then ${items("object", "floor(r[23] * 5000)", "floor(r[24] * 2) + 1", 13, "5000")} end`,
  };
  const pairs = FIELDS.map((field) => `'${fieldOf(group, field)}', ${fields[field]}`);
  // Values wider than 1 kB leave the planner without statistics on the jsonb.
  if (scale.wide)
    pairs.push(
      `'${id("field-note", group)}', (select string_agg(md5(n::text || k), ' ') from generate_series(1, 40) k)`,
    );
  await client.query(
    `insert into source select '${workspace}', person_id(n), '${id("group", group)}', ${group}, n, jsonb_strip_nulls(jsonb_build_object(${pairs.join()}))
     from (select n, array(select random() from generate_series(1, 24) where n > 0) as r from generate_series($1::int, $2::int, $3::int) n) people order by n`,
    [first, last, step],
  );
}
