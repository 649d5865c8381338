import type { Client } from "pg";
import { F, id, personId, WORDS, WORKSPACE, word } from "./data.ts";
import { C_SLIM } from "./design-c.ts";
import { FILTERS, PAGE } from "./filters.ts";
import { mb } from "./measure-size.ts";
import { inserting } from "./measure-writes.ts";
import { type Loaded, medianOf, transaction } from "./runs.ts";
import { TYPED_INDEXES, VALUE_ROWS_KEYS } from "./value-rows.ts";

/** What the indexes of C2 bring and cost; prints at once, and leaves rows, keys and indexes as it found them. */
export async function studyIndexes(loaded: Loaded, source: Client, runs: number): Promise<void> {
  await timeFilters(loaded, runs);
  await timeWrites(loaded, source, runs);
  await restore(loaded.client);
}

/** What each index of the typed rows of C2 brings: the time of the filter that it serves, with it, without it, and with its rivals. */
async function timeFilters(loaded: Loaded, runs: number): Promise<void> {
  const { client } = loaded;
  console.log("### Indexes on the typed rows of C2\n\n| index | MB | filter, median / p95 ms |\n|---|---|---|");
  for (const study of studies()) {
    await client.query("begin");
    if (study.drop) await client.query(`drop index ${study.drop}`);
    if (study.index) await client.query(`create index study on person_values ${study.index}`);
    const size = study.index
      ? mb(Number((await client.query("select pg_relation_size('study') as bytes")).rows[0].bytes))
      : "";
    const text = `select v.person_id from person_values v where v.workspace_id = $1 and ${study.filter} order by v.person_id limit ${PAGE}`;
    const times = await medianOf(loaded, Math.min(runs, 15), async () => {
      await client.query({ text, values: [WORKSPACE, ...study.params] });
    });
    await client.query("rollback");
    console.log(`| ${study.label} | ${size} | ${times} |`);
  }
}

type Study = { label: string; filter: string; params: unknown[]; index?: string; drop?: string };
/** A function, as the first filter gets its value from `prepare`. */
function studies(): Study[] {
  const like = { filter: `v.field_id = '${F.text}' and v.folded_text like $2`, params: [`%${word(WORDS - 10)}%`] };
  const eq = [FILTERS[0]?.value];
  const user = { filter: `v.field_id = '${F.user}' and v.item = $2::uuid`, params: [id("user", 7)] };
  const number = { filter: `v.field_id = '${F.number}' and v.number_value > $2::numeric`, params: [999_900] };
  const date = { filter: `v.field_id = '${F.date}' and v.date_value < $2::date`, params: ["1990-01-10"] };
  return [
    { label: "like: none", drop: "person_values_folded_text", ...like },
    {
      label: "like: btree (workspace_id, field_id), the field's texts are read",
      drop: "person_values_folded_text",
      index: "(workspace_id, field_id) where folded_text is not null",
      ...like,
    },
    {
      label: "like: gin (folded_text gin_trgm_ops)",
      drop: "person_values_folded_text",
      index: "using gin (folded_text gin_trgm_ops) where folded_text is not null",
      ...like,
    },
    {
      label: "like: gin (workspace_id, field_id, folded_text gin_trgm_ops)",
      drop: "person_values_folded_text",
      index: "using gin (workspace_id, field_id, folded_text gin_trgm_ops) where folded_text is not null",
      ...like,
    },
    {
      label: "eq: none of its own, item = md5(text)::uuid",
      filter: `v.field_id = '${F.text}' and v.item = md5($2::text)::uuid`,
      params: eq,
    },
    {
      label: "eq: btree (workspace_id, field_id, md5(folded_text), person_id)",
      index: "(workspace_id, field_id, md5(folded_text), person_id) where folded_text is not null",
      filter: `v.field_id = '${F.text}' and md5(v.folded_text) = md5($2::text) and v.folded_text is not null`,
      params: eq,
    },
    {
      label: "eq: btree (workspace_id, field_id, folded_text, person_id), breaks above 2,704 bytes",
      index: "(workspace_id, field_id, folded_text, person_id) where folded_text is not null",
      filter: `v.field_id = '${F.text}' and v.folded_text = $2::text`,
      params: eq,
    },
    { label: "in: primary key (workspace_id, item, field_id, person_id)", ...user },
    {
      label: "in: btree (workspace_id, field_id, item, person_id) besides",
      index: "(workspace_id, field_id, item, person_id)",
      ...user,
    },
    { label: "number: none", drop: "person_values_number", ...number },
    {
      label: "number: btree (workspace_id, field_id, number_value, person_id)",
      drop: "person_values_number",
      index: "(workspace_id, field_id, number_value, person_id) where number_value is not null",
      ...number,
    },
    { label: "date: none", drop: "person_values_date", ...date },
    {
      label: "date: btree (workspace_id, field_id, date_value, person_id)",
      drop: "person_values_date",
      index: "(workspace_id, field_id, date_value, person_id) where date_value is not null",
      ...date,
    },
  ];
}

async function timeWrites(loaded: Loaded, source: Client, runs: number): Promise<void> {
  const { client } = loaded;
  console.log(
    "\n### What the keys and indexes of C2 cost\n\n| typed rows with | insert 100 people, ms | group off 1,000 people, ms |\n|---|---|---|",
  );
  const cost = async (label: string, change: string): Promise<void> => {
    await client.query(change);
    const people = (run: number) => Array.from({ length: 1000 }, (_, n) => personId(20_001 + run * 1000 + n));
    const removal = await medianOf(loaded, 5, (_, run) =>
      transaction(client, C_SLIM.removeGroup(people(run)), "rollback"),
    );
    const inserts = await medianOf(loaded, runs, await inserting(source));
    console.log(`| ${label} | ${inserts} | ${removal} |`);
  };
  await cost("all", "select 1");
  await cost(
    "a trigger per statement instead of the foreign key",
    `
    alter table person_values drop constraint person_values_membership_fkey;
    create function forget_values() returns trigger language plpgsql as $$ begin
      delete from person_values v using gone g where v.workspace_id = g.workspace_id and v.person_id = g.person_id and v.group_id = g.group_id;
      return null;
    end $$;
    create trigger forget_values after delete on person_groups referencing old table as gone for each statement execute function forget_values()`,
  );
  await cost("… without the trigrams", "drop index person_values_folded_text");
  await cost("… and without number and date", "drop index person_values_number; drop index person_values_date");
  console.log("");
}

/** Undoes what `timeWrites` did to keys, indexes and rows. */
async function restore(client: Client): Promise<void> {
  await client.query("drop trigger forget_values on person_groups; drop function forget_values");
  await client.query("delete from people where workspace_id = $1 and id >= $2", [WORKSPACE, personId(2_000_000)]);
  await client.query(
    "delete from person_values v where not exists (select 1 from person_groups m where m.workspace_id = v.workspace_id and m.person_id = v.person_id and m.group_id = v.group_id)",
  );
  await client.query(`${VALUE_ROWS_KEYS("")[1]}; ${TYPED_INDEXES.join("; ")}`);
  await client.query("vacuum analyze person_values");
}
