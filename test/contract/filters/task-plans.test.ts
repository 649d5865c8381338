import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseQuery } from "../../../base/contract/query-string.ts";
import { newUuid, toId } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { startWorld, type TestUser, type World } from "../../../lab/harness/world.ts";
import type { ActionContext } from "../../../mixins/context.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import { tasks } from "../../../model/resources/tasks.ts";
import { readFilter } from "../../../services/gateway/operation/filter-query.ts";
import { narrowTasks, taskListParams } from "../../../services/interactions/tasks/tasks.filters.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const CROWD = 40_000;

/** What is asked for, and the index by which it is found. */
const CASES: [query: string, index: string][] = [
  ["onlyAssignedToMe=true", "tasks_assigned"],
  ["onlyAssignedToMe=true&filter[completedAt][empty]", "tasks_(assigned|open)"],
  ["filter[assigneeUserId][in]={busy}&filter[completedAt][empty]", "tasks_(assigned|open)"],
  ["filter[assigneeUserId][in]={rare}", "tasks_assigned"],
  ["filter[assigneeUserId][in]={nobody}", "tasks_assigned"],
  ["filter[entity][in]={person}", "tasks_entity"],
  ["filter[entity][in]={person}&filter[entity][in]={other}", "tasks_entity"],
  ["filter[dueAt][eq]=2026-03-01", "tasks_due"],
  ["filter[dueAt][lt]=2025-01-03", "tasks_due"],
  ["filter[dueAt][gt]=2027-09-25", "tasks_due"],
  ["filter[completedAt][empty]", "tasks_open"],
  ["filter[completedAt][empty]&filter[dueAt][lt]=2025-02-01", "tasks_(due|open)"],
  ["filter[createdAt][gt]=2100-01-01", "tasks_pkey"],
  ["", "tasks_pkey"],
];

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

// The statements that lists of tasks really run, as PostgreSQL plans them: docs/guides/tasks.md#lists
describe(`Lists of ${CROWD} tasks`, () => {
  const asked: { sql: string; values: readonly unknown[] }[] = [];
  let home: TestDatabase;
  let world: World;
  let rare: TestUser;
  let database: Database;
  let names: Record<string, string>;

  beforeAll(async () => {
    home = await testDatabase();
    world = await startWorld(home.database);
    const [workspace, beside] = [await world.workspace(), await world.workspace()];
    rare = await workspace.user("Rare Assignee");
    const [person, other] = [newUuid(), newUuid()];
    for (const { uuid, ada } of [workspace, beside])
      await home.database.queryPlanned(GATHER, [uuid, ada.uuid, rare.uuid, person, other, CROWD]);
    await home.database.queryPlanned("analyze tasks");
    const [{ busy = "" } = {}] = await home.database.queryPlanned<{ busy: string }>("select md5('1')::uuid as busy");
    await home.database.queryPlanned(BUSY, [workspace.uuid, busy]);
    names = {
      busy: `usr_${busy}`,
      rare: rare.id,
      nobody: toId("user", newUuid()),
      person: toId("person", person),
      other: toId("person", other),
    };
    const note: Database["read"] = (sql, values = [], form) => {
      asked.push({ sql, values });
      return home.database.queryPlanned(sql, values, form);
    };
    database = { ...home.database, queryPlanned: note, sharedConnection: () => ({ read: note }), read: note };
  });

  afterAll(async () => {
    await world.stop();
    await home.drop();
  });

  /** The nodes of the plan by which a list finds its page. */
  async function planOf(query: string): Promise<Plan[]> {
    const parameters = parseQuery(query.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ""));
    const filter = readFilter(parameters, []);
    const others = parameters.flatMap(({ name, value }) => (name.startsWith("filter") ? [] : [[name, value]]));
    const { list } = resourceActions(tasks, storeOf(database), {
      list: { params: taskListParams, narrow: narrowTasks },
    });
    asked.length = 0;
    const ctx = { meta: { caller: rare.caller }, params: { ...Object.fromEntries(others), filter, limit: 20 } };
    await list.handler(ctx as unknown as ActionContext<object>);
    const statement = asked.find(({ sql }) => sql.includes("from tasks"));
    if (!statement) throw new Error("The list has asked for no tasks");
    const [row] = await home.database.queryPlanned<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `explain (analyze, format json) ${statement.sql}`,
      statement.values,
    );
    const [root] = row?.["QUERY PLAN"] ?? [];
    return root ? nodesOf(root.Plan) : [];
  }

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  it.each(CASES)("%s is found through its index (%s), and looks at few others", async (query, index) => {
    const nodes = await planOf(query);
    const ofTasks = nodes.filter((node) => node["Relation Name"] === "tasks");
    expect(ofTasks.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
    const used = nodes.flatMap((node) => node["Index Name"] ?? []);
    expect(used).toContainEqual(expect.stringMatching(new RegExp(`^${index}$`)));
    const passedOver = ofTasks.map((node) => node["Rows Removed by Filter"] ?? 0);
    expect(Math.max(0, ...passedOver)).toBeLessThan(CROWD / 20);
  });
});

/**
 * As after some years: those that were made first are completed, one in twenty is open. Ten users have nearly all of
 * them, another one has twenty, half of which are open.
 */
const GATHER = `
insert into tasks (workspace_id, id, created_at, created_by, entity_kind, entity_id, made_as, title, due_at, time_zone, first_due_at,
  completed_at, is_public, assigned_user_ids)
select $1, ('01980000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, now(), $2, 'person',
  case when i % 4000 = 0 then $4 when i % 4000 = 1 then $5 else gen_random_uuid() end, 'task', 'Task ' || i,
  date '2025-01-01' + i % 1000, 'UTC', date '2025-01-01' + i % 1000, case when i <= $6 * 0.95 then now() end, i % 7 <> 0,
  case when i % 4000 = 2 or i > $6 - 10 then array[$3::uuid] else array[md5((i % 10)::text)::uuid] end
from generate_series(1, $6::int) i`;

/** Filters know the users of the workspace alone. */
const BUSY = `
with added as (
  insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
  values ($1, $2, 'busy@example.test', 'busy@example.test', 'Busy', 'member', now())
) update workspaces set catalog_version = catalog_version + 1 where id = $1`;
