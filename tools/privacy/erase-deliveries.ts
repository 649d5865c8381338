import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { idsNaming, type Searching } from "./candidates.ts";
import type { Marks } from "./identifiers.ts";
import { rewrite } from "./rewrite.ts";

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

/** Ids of deliveries whose receivers answered with a text that names a person: receivers often repeat what they got. */
export function deliveriesNaming(query: Query, searching: Searching): Promise<Uuid[]> {
  return idsNaming(query, "deliveries", "attempts::text", searching);
}

/** Takes answers of receivers out of deliveries where they name a person. */
export async function eraseAnswers(
  query: Query,
  workspaceId: Uuid,
  { marks, ids }: { marks: Marks; ids: readonly Uuid[] },
): Promise<void> {
  const without = (one: Attempt) => (marks.areIn(one.responseBody ?? "") ? { ...one, responseBody: null } : one);
  await rewrite<{ attempts: Attempt[] }>(
    query,
    { workspaceId, table: "deliveries", columns: { attempts: "json" } },
    ids,
    (rows) => rows.map(({ attempts }) => ({ attempts: JSON.stringify(attempts.map(without)) })),
  );
}
