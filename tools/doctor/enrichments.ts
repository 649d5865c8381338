import type { Query } from "../../database/query.ts";

interface Fault {
  workspace: string;
  wrong: string;
}

/**
 * Workspaces that have used another number of credits than their enrichments cost, completed ones and those that have not finished.
 * One statement, since enrichments end while it runs.
 */
const MISCOUNTED = `
select w.slug as workspace, format('has used %s credits, but its enrichments cost %s', coalesce(c.used, 0), coalesce(e.cost, 0)) as wrong
from workspaces w
left join credits c on c.workspace_id = w.id
left join (
  select workspace_id, count(*) as cost from enrichments where status in ('pending', 'in_progress', 'completed') group by 1
) e on e.workspace_id = w.id
where coalesce(c.used, 0) <> coalesce(e.cost, 0) order by 1`;

/** Enrichments of people who are gone, and were not told of it by the trigger. */
const ORPHANED = `
select w.slug as workspace, format('has an enrichment of a person who is not there, %s', e.id) as wrong
from enrichments e join workspaces w on w.id = e.workspace_id
where (e.entity_name is null or e.due_at is not null)
  and not exists (select from people p where p.workspace_id = e.workspace_id and p.id = e.entity_id) order by e.id`;

const REMEDIES = [
  [MISCOUNTED, "correct the column used of its row in credits"],
  [ORPHANED, "delete this row from enrichments, and correct what the workspace has used"],
] as const;

/** Whether enrichments and credits fit each other, and the people. docs/guides/running.md#doctor */
export async function examineEnrichments(query: Query) {
  for (const [sql, remedy] of REMEDIES) {
    const [first, ...more] = await query<Fault>(sql, []);
    if (first) {
      const others = more.length > 0 ? ` (and ${more.length} more)` : "";
      return { ok: false, message: `${first.workspace} ${first.wrong}${others}: ${remedy}` };
    }
  }
  const [row] = await query<{ count: number }>("select count(*)::int as count from enrichments", []);
  return { ok: true, message: `${row?.count ?? 0} enrichments cost what was used` };
}
