import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

/** What does not begin with workspace_id, and why that is right. */
const EXCEPTIONS: Record<string, string> = {
  settings: "belongs to the installation, not to a workspace",
  settings_pkey: "belongs to the installation, not to a workspace",
  coordinator_repairs: "belongs to the installation, not to a workspace",
  coordinator_repairs_pkey: "belongs to the installation, not to a workspace",
  workspaces: "is the workspace",
  workspaces_pkey: "finds the workspace itself, by its id",
  workspace_slugs_slug_key: "finds the workspace itself, by its slug",
  key_hashes_hash_key: "finds the workspace of a request, by its key",
  workspaces_slug: "is for processes of the release before: a later release drops it",
  api_keys_hash: "is for processes of the release before: a later release drops it",
  person_search_text_keys: "has keys that are those of one workspace",
  company_search_text_keys: "has keys that are those of one workspace",
  object_search_text_keys: "has keys that are those of one workspace",
  person_search_words: "has lexemes that are those of one workspace",
  company_search_words: "has lexemes that are those of one workspace",
  object_search_words: "has lexemes that are those of one workspace",
  person_values_words: "has lexemes that are those of one workspace",
  company_values_words: "has lexemes that are those of one workspace",
  object_values_words: "has lexemes that are those of one workspace",
  notes_words: "has lexemes that are those of one workspace",
  tasks_words: "has lexemes that are those of one workspace",
  interaction_uncounted_time: "finds what has come due, of all workspaces at once",
  tasks_next_trigger: "finds what has come due, of all workspaces at once",
  outbox_pkey: "is taken over into the log, of all workspaces at once",
  webhook_queues_due: "finds what is due, of all workspaces at once",
  webhook_queues_due_failing: "finds what is due, of all workspaces at once",
  enrichments_due: "finds what is due, of all workspaces at once",
};

interface Named {
  name: string;
  first: string;
}

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.drop());

/** Knex keeps its books in `migrations` and `migrations_lock`. */
const OURS = "n.nspname = 'public' and c.relname not like 'migrations%'";

const offending = (found: Named[]) =>
  found.filter(({ name, first }) => first !== "workspace_id" && !(name in EXCEPTIONS));

// workspace_id comes first everywhere, so that the database can be spread by workspace (Citus, partitions) without a
// redesign. docs/architecture.md#data
it("every table belongs to a workspace, by a column that is never null", async () => {
  const tables = await test.database.read<Named & { nullable: boolean }>(
    `select c.relname as name, coalesce(a.attname, '') as first, not coalesce(a.attnotnull, false) as nullable
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     left join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' where c.relkind in ('r', 'p') and ${OURS}`,
  );
  expect(tables.length).toBeGreaterThan(15);
  expect(offending(tables)).toEqual([]);
  expect(tables.filter(({ name, nullable }) => nullable && !(name in EXCEPTIONS))).toEqual([]);
});

it("workspace_id leads every primary key and every other index", async () => {
  const indexes = await test.database.read<Named>(
    `select i.relname as name, pg_get_indexdef(x.indexrelid, 1, true) as first
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  );
  expect(indexes.length).toBeGreaterThan(30);
  expect(offending(indexes)).toEqual([]);
});

it("workspace_id leads every foreign key, on both sides", async () => {
  const keys = await test.database.read<Named & { target: string; targetFirst: string }>(
    `select k.conname as name, f.relname as target,
       (select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1]) as first,
       (select attname from pg_attribute where attrelid = k.confrelid and attnum = k.confkey[1]) as "targetFirst"
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_class f on f.oid = k.confrelid where k.contype = 'f' and ${OURS}`,
  );
  expect(keys.length).toBeGreaterThan(15);
  expect(offending(keys)).toEqual([]);
  expect(
    keys.filter(({ target, targetFirst }) => targetFirst !== (target === "workspaces" ? "id" : "workspace_id")),
  ).toEqual([]);
});

it("every primary key is there: a row without one cannot be moved", async () => {
  const without = await test.database.read<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${OURS} and not exists (select 1 from pg_index x where x.indrelid = c.oid and x.indisprimary)`,
  );
  expect(without).toEqual([]);
});

// The planner needs the statistics. They also hold the places: a migration that is released names the field of each,
// and a field that is given another place afterwards, whose stored rows would be read wrongly, has none of its name
// there.
it.each([people, companies, objects])(
  "$searchTable has statistics of every text that filters find, named after field and place",
  async (resource) => {
    const kept = await test.database.read<{ name: string; expression: string }>(
      `select stxname as name, unnest(pg_get_statisticsobjdef_expressions(oid)) as expression from pg_statistic_ext
     where stxrelid = $1::regclass order by 1`,
      [resource.searchTable],
    );
    const expected = (["texts", "lists"] as const).flatMap((column) =>
      resource.searchPlaces[column].flatMap((field, i) => {
        const found = resource.columns.find(({ name }) => name === field);
        const place = i + 1;
        const name = place <= resource.initialPlaces[column] ? `${column}_${place}` : found?.storage.column;
        return found
          ? [
              {
                name: `${resource.searchTable}_folded_${name}`,
                expression: `split_part(folded_${column}, 'F'::text, ${place})`,
              },
            ]
          : [];
      }),
    );
    expect(kept).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)));
  },
);

it("no exception outlives what it was made for", async () => {
  const rows = await test.database.read<{ name: string }>(
    "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public'",
  );
  expect(Object.keys(EXCEPTIONS).filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});
