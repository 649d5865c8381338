import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { PLAN_ONCE } from "../../../database/statement.ts";
import { emptyGroups } from "../../../engine/definitions/empty-groups.ts";
import { ABOUT_COLUMNS, deleteAbout, deleteWithIndexes } from "../../../engine/records/gone-with.ts";
import { createRowSets } from "../../../engine/records/row-sets.ts";
import { tablesWith } from "../../../engine/records/tables-with.ts";
import { people } from "../../../model/resources/people.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const CROWD = 5_000;
/** Rows that a statement about one or two people may look at. */
const ROWS_MAX = 40;

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

const workspaceId = newUuid();
const [large, small] = [newUuid(), newUuid()];
/** Uuid of the person with a number, in SQL. */
const PERSON = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid";
const INTERACTION = "('00000000-0000-7000-9000-' || lpad((n + k * 100000)::text, 12, '0'))::uuid";
const personOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}` as Uuid;
const FROM = `from generate_series(1, ${CROWD}) n`;
const THRICE = `${FROM}, generate_series(1, 3) k`;
const FILL = [
  `insert into people (workspace_id, id, created_at, created_by, first_name, last_name, full_name, description, gender,
     job_title, addresses, emails, phones, urls, company_ids, memberships)
   select $1, ${PERSON}, now(), $1, '', '', 'Name ' || n, '', '', '', '[]', '[]', '[]', '[]', '{}', '[]' ${FROM}`,
  `insert into person_search (workspace_id, id, created_by, folded_texts, folded_lists, text_keys)
   select $1, ${PERSON}, $1, 'x', 'x', '{}' ${FROM}`,
  `insert into person_companies (workspace_id, person_id, company_id) select $1, ${PERSON}, $1 ${FROM}`,
  `insert into notes (workspace_id, id, created_at, created_by, entity_kind, entity_id, visibility, content, search)
   select $1, gen_random_uuid(), now(), $1, 'person', ${PERSON}, 'public', '', '' ${FROM}`,
  `insert into tasks (workspace_id, id, created_at, created_by, entity_kind, entity_id, made_as, title, due_at, time_zone,
     first_due_at, is_public, assigned_user_ids)
   select $1, gen_random_uuid(), now(), $1, 'person', ${PERSON}, 'task', '', now(), 'UTC', now(), true, '{}' ${FROM}`,
  `insert into enrichments (workspace_id, id, created_at, created_by, entity_id, status)
   select $1, gen_random_uuid(), now(), $1, ${PERSON}, 'pending' ${FROM}`,
  `insert into interactions (workspace_id, id, created_at, created_by, interaction_type, date_time, privacy_level, content, user_ids)
   select $1, ${INTERACTION}, now(), $1, 'logged', now(), 'full', '', '{}' ${THRICE}`,
  `insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time,
     interaction_type, user_ids)
   select $1, ${INTERACTION}, ${PERSON}, 'person', 0, now(), 'logged', '{}' ${THRICE}`,
  `insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids)
   select $1, ${PERSON}, ${INTERACTION}, now(), '{}' ${THRICE}`,
  `insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id)
   select $1, ${PERSON}, $1, 1, now(), $1 ${FROM}`,
];
const OF_GROUPS = [
  "insert into groups (workspace_id, id, name, visibility, created_at) select $1, g, 'Group', 'public', now() from unnest(array[$2, $3]::uuid[]) g",
  `insert into person_groups (workspace_id, person_id, group_id)
   select $1, ${PERSON}, g ${FROM}, unnest(array[$2, $3]::uuid[]) g where n <= 2 or g = $2`,
  `insert into person_values (workspace_id, person_id, group_id, field_id, position)
   select $1, ${PERSON}, g, $1, k ${THRICE}, unnest(array[$2, $3]::uuid[]) g where n <= 2 or g = $2`,
];

let test: TestDatabase;
let session: pg.Client;

beforeAll(async () => {
  test = await testDatabase();
  const { read } = test.database;
  await read("insert into workspaces (id, slug, name, created_at) values ($1, 'acme', 'Acme', now())", [workspaceId]);
  await read("insert into credits values ($1, 100, 5000)", [workspaceId]);
  for (const sql of FILL) await read(sql, [workspaceId]);
  for (const sql of OF_GROUPS) await read(sql, [workspaceId, large, small]);
  await read("analyze", []);
  session = new pg.Client(test.url);
  await session.connect();
  for (const [name, value] of Object.entries(PLAN_ONCE)) await session.query(`set ${name} = ${value}`);
  await session.query("set contact_workspace.takes_along = 'on'");
});

afterAll(async () => {
  await session.end();
  await test.drop();
});

/** The tables that a plan scans → the number of rows that it looks at there. */
function lookedAt(plan: Plan, rows: Record<string, number> = {}): Record<string, number> {
  const table = plan["Relation Name"];
  const { "Actual Rows": found = 0, "Rows Removed by Filter": removed = 0, "Actual Loops": loops = 1 } = plan;
  if (table !== undefined) rows[table] = (rows[table] ?? 0) + (found + removed) * loops;
  for (const below of plan.Plans ?? []) lookedAt(below, rows);
  return rows;
}

/** Runs statements as sessions of ours do, and notes those that look at too many rows. */
function explaining(costly: string[], seen: string[]): Query {
  let queue: Promise<unknown> = Promise.resolve();
  const explain = async <Row>(sql: string, values: readonly unknown[], form?: string): Promise<Row[]> => {
    const literals = values.map((value) => `'${String(value)}'`).join(", ");
    await session.query(`savepoint explained; prepare explained as ${sql}`);
    const { rows } = await session.query(`explain (analyze, format json) execute explained (${literals})`);
    await session.query("deallocate explained; rollback to savepoint explained");
    const [{ Plan: plan }] = rows[0]["QUERY PLAN"] as [{ Plan: Plan }];
    seen.push(sql);
    if (Object.values(lookedAt(plan)).some((count) => count > ROWS_MAX)) costly.push(`${sql}\n${JSON.stringify(plan)}`);
    const result = await session.query({ text: sql, values: [...values] });
    return form === "texts" ? result.rows.map((row) => Object.values(row) as Row) : result.rows;
  };
  return (sql, values, form) => {
    const answered = queue.then(() => explain(sql, values, form)) as Promise<never>;
    queue = answered.catch(() => undefined);
    return answered;
  };
}

// docs/decisions/0008-batches.md
it("no statement of a deletion looks at more of a workspace than what goes", async () => {
  const [costly, seen]: [string[], string[]] = [[], []];
  const query = explaining(costly, seen);
  await session.query("begin");
  const uuids = [personOf(7), personOf(4000)];
  const tables = await tablesWith(query, workspaceId, ABOUT_COLUMNS, uuids);
  await deleteAbout(query, workspaceId, tables, uuids);
  const sets = createRowSets({ query, caller: { workspaceId } });
  deleteWithIndexes(sets, people, uuids);
  await sets.written();
  await emptyGroups(query, workspaceId, [small]);
  const { rows } = await session.query("select count(*)::int as count from interactions");
  await session.query("rollback");
  expect(rows).toEqual([{ count: 3 * CROWD - 6 }]);
  expect(seen.length).toBeGreaterThan(15);
  expect(costly).toEqual([]);
});

it("a statement that looks at a whole workspace would be noted", async () => {
  const [costly, seen]: [string[], string[]] = [[], []];
  await session.query("begin");
  await explaining(costly, seen)("delete from person_values where workspace_id = $1 and group_id = $2", [
    workspaceId,
    small,
  ]);
  await session.query("rollback");
  expect(costly).toHaveLength(1);
});
