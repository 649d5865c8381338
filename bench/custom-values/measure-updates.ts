import type { Client } from "pg";
import { BIG_GROUP, F, personId, WORKSPACE } from "./data.ts";
import type { Change, Membership, Sql } from "./design.ts";
import { type Loaded, measure, type Scale, transaction } from "./runs.ts";
import { cell } from "./table.ts";

/** The numbers of the people of an update lie so far apart that each is on a page of its own. */
const STRIDE = 7919;

/**
 * One value of a person, and one of its texts. After the load all pages are full, so that the new version of a row goes to another
 * page and every index gets an entry for it. The next update on such a page finds the room of the old version there, and may be
 * "heap only" (HOT), without new entries.
 */
export async function measureUpdates(designs: Loaded[], source: Client, scale: Scale): Promise<void> {
  const count = scale.runs * 8;
  const numbers = (from: number) => Array.from({ length: count }, (_, run) => from + ((run * STRIDE) % scale.people));
  for (const [label, from] of [["page full", 1] as const, ["room in the page", 2] as const]) {
    const changed = await changes(source, numbers(from));
    await time(designs, `one value, ${label}`, count, ({ design }, run) => design.update(changed[run] as Change));
  }
  // On pages that have not been touched yet.
  for (const [label, from] of [["page full", 51] as const, ["room in the page", 52] as const]) {
    const renamed = await renames(source, numbers(from));
    await time(designs, `one text, ${label}`, count, ({ design }, run) => design.rename(...(renamed[run] as Renaming)));
  }
}

type Renaming = [person: string, name: string, description: string];

async function time(designs: Loaded[], row: string, count: number, sql: (loaded: Loaded, run: number) => Sql[]) {
  const hotBefore = await Promise.all(designs.map(hotUpdates));
  const work = (loaded: Loaded, run: number) => transaction(loaded.client, sql(loaded, run), "commit");
  const done = await measure(designs, { chapter: "Updates", row }, count, work, { wal: true });
  for (const [i, loaded] of designs.entries()) {
    const hot = (await hotUpdates(loaded)) - (hotBefore[i] ?? 0);
    cell("Updates, heap only (HOT)", row, loaded.design.key, `${hot} of ${done[i]}`);
  }
}

/** How many updates of the rows that records are read from were heap only. */
async function hotUpdates({ client }: Loaded): Promise<number> {
  await client.query("select pg_stat_force_next_flush()");
  const { rows } = await client.query(
    "select sum(n_tup_hot_upd) as hot from pg_stat_user_tables where schemaname = current_schema() and relname in ('people', 'person_groups')",
  );
  return Number(rows[0].hot);
}

/** A new number for each person. */
async function changes(source: Client, numbers: number[]): Promise<Change[]> {
  const { rows } = await source.query<{ n: number; memberships: Membership[] }>(
    `select n, jsonb_agg(jsonb_build_object('groupId', group_id, 'values', "values") order by group_number) as memberships
     from source where workspace_id = $1 and person_id = any($2) group by n`,
    [WORKSPACE, numbers.map(personId)],
  );
  return rows.map(({ n, memberships }, value) => {
    for (const { groupId, values } of memberships) if (groupId === BIG_GROUP) values[F.number] = value;
    return { person: personId(n), field: F.number, value, memberships };
  });
}

/** A new name for each person. */
async function renames(source: Client, numbers: number[]): Promise<Renaming[]> {
  const { rows } = await source.query<{ n: number; full_name: string; description: string }>(
    "select n, full_name, description from source_people where n = any($1)",
    [numbers],
  );
  return rows.map(({ n, full_name, description }) => [personId(n), `${full_name} Renamed`, description]);
}
