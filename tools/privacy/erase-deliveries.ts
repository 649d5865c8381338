import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { type Moment, partsOf, writtenSince } from "./candidates.ts";
import type { Marks } from "./marks.ts";
import { searched } from "./searched.ts";

const ABOUT = "workspace_id = $1 and (event_id = any($2::uuid[]) or record_id = any($3::uuid[]))";

/** Deliveries that go with a person: those of events that go, and those about the person. */
export interface Going {
  events: readonly Uuid[];
  records: readonly Uuid[];
}

/** The number of deliveries that go with a person. */
export async function countDeliveries(query: Query, workspaceId: Uuid, { events, records }: Going): Promise<number> {
  const rows = await query<{ count: number }>(`select count(*)::integer as count from deliveries where ${ABOUT}`, [
    workspaceId,
    events,
    records,
  ]);
  return rows[0]?.count ?? 0;
}

/** Deletes deliveries that go with a person, and gives how many they are. */
export async function deleteDeliveries(query: Query, workspaceId: Uuid, { events, records }: Going): Promise<number> {
  const rows = await query(`delete from deliveries where ${ABOUT} returning 1`, [workspaceId, events, records]);
  return rows.length;
}

interface Attempt {
  responseBody: string | null;
}

/** The ids of deliveries whose receivers have answered with what names a person, since that may be what was sent to them. */
export async function deliveriesNaming(
  query: Query,
  { workspaceId, marks, since = null }: { workspaceId: Uuid; marks: Marks; since?: Moment | null },
): Promise<Uuid[]> {
  const select = `select d.id, d.attempts::text as text from deliveries d
    where d.workspace_id = $1 and ${writtenSince("d", "$3")} and ${searched("d.attempts::text")} like any($2::text[])`;
  const found: Uuid[] = [];
  for await (const rows of pagesOf<{ id: Uuid; text: string }>(query, select, [workspaceId, marks.patterns, since]))
    found.push(...rows.filter(({ text }) => marks.areIn(text)).map(({ id }) => id));
  return found;
}

/** Takes answers of receivers out of deliveries where they name a person. */
export async function eraseAnswers(
  query: Query,
  workspaceId: Uuid,
  { marks, ids }: { marks: Marks; ids: readonly Uuid[] },
): Promise<void> {
  for (const part of partsOf(ids)) {
    const rows = await query<{ id: Uuid; attempts: Attempt[] }>(
      "select id, attempts from deliveries where workspace_id = $1 and id = any($2::uuid[]) order by id for update",
      [workspaceId, part],
    );
    const left = rows.map(({ attempts }) =>
      JSON.stringify(
        attempts.map((one) => (marks.areIn(one.responseBody ?? "") ? { ...one, responseBody: null } : one)),
      ),
    );
    await query(
      `update deliveries d set attempts = l.attempts::json from unnest($2::uuid[], $3::text[]) l (id, attempts)
       where d.workspace_id = $1 and d.id = l.id`,
      [workspaceId, rows.map(({ id }) => id), left],
    );
  }
}
