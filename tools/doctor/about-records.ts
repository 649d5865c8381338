import type { Query } from "../../database/query.ts";
import { ANYBODY, activityOfCounts } from "../../engine/interactions/activity.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import { ABOUT_TABLES } from "../../model/tables.ts";

/** Enrichments that have ended stay when their person is deleted; examineEnrichments looks at them. */
const TABLES = [...ABOUT_TABLES.filter((table) => table !== "enrichments"), "interaction_entities"];

/** Whether everything that is about a record, its notes for example, has its record. docs/guides/notes.md#entities */
export async function examineAboutRecords(query: Query) {
  for (const table of TABLES) {
    const records = ALL_RECORD_TYPES.map(
      ({ kind, table: of }) => `select workspace_id, id, '${kind}' as kind from ${of}`,
    );
    const [left] = await query<{ id: string; kind: string }>(
      `select t.entity_id as id, t.entity_kind as kind from ${table} t left join (${records.join(" union all ")}) r
         on r.workspace_id = t.workspace_id and r.id = t.entity_id and r.kind = t.entity_kind
       where r.id is null limit 1`,
      [],
    );
    if (left)
      return {
        ok: false,
        message: `${table} is about the ${left.kind} ${left.id}, which is not there: delete these rows`,
      };
  }
  const [row] = await query<{ count: number }>(
    `select ${TABLES.map((table) => `(select count(*) from ${table})`).join(" + ")} as count`,
    [],
  );
  return { ok: true, message: `${row?.count ?? 0} notes, tasks and interactions belong to a record` };
}

/**
 * Checks that the counted interactions and those that wait to be counted add up to all interactions. One statement
 * counts them again, so that writes at the same time do not matter. docs/decisions/0012-interactions.md
 */
export async function examineCounts(query: Query) {
  const wrong = await query<{ id: string; count: number; wanted: number }>(RECOUNT, [ANYBODY]);
  const [first] = wrong;
  if (first)
    return {
      ok: false,
      message: `The person ${first.id} counts ${first.count} interactions, or another last one, but has ${first.wanted} (${wrong.length} such counts): ${REMEDY}`,
    };
  const [shown] = await query<{ id: string }>(
    `select r.id from people r where r.activity is distinct from ${activityOfCounts("r.workspace_id")} limit 1`,
    [],
  );
  if (shown)
    return { ok: false, message: `The person ${shown.id} shows other counts than those that are kept: ${REMEDY}` };
  const [row] = await query<{ count: number }>("select count(*)::int as count from interactions", []);
  return { ok: true, message: `${row?.count ?? 0} interactions are counted as they are` };
}

const REMEDY = "log an interaction with a new person and merge that one into this, which counts anew";

const RECOUNT = `
with told as (
  select workspace_id, entity_id, user_id, sum(n)::int as n, max(last_at) as last_at from (
    select workspace_id, entity_id, user_id, count as n, last_at from interaction_counts
    union all
    select q.workspace_id, q.entity_id, u.user_id, 1, case when q.date_time <= now() then q.date_time end
    from interaction_uncounted q cross join lateral unnest($1::uuid || q.user_ids) u (user_id)) parts
  group by 1, 2, 3
), wanted as (
  select e.workspace_id, e.entity_id, u.user_id, count(*)::int as n, max(e.date_time) filter (where e.date_time <= now()) as last_at
  from interaction_entities e cross join lateral unnest($1::uuid || e.user_ids) u (user_id)
  where e.entity_kind = 'person' group by 1, 2, 3
)
select coalesce(t.entity_id, w.entity_id) as id, coalesce(t.n, 0) as count, coalesce(w.n, 0) as wanted
from told t full join wanted w on w.workspace_id = t.workspace_id and w.entity_id = t.entity_id and w.user_id = t.user_id
where t.n is distinct from w.n or t.last_at is distinct from w.last_at`;
