import { RECORD_KINDS, RECORD_TABLES, type RecordType } from "../resources/record-type.ts";
import { type Id, type RecordKind, toId, type Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";

/**
 * Makes links and custom values that name merged records name the survivor. The transaction is the caller's.
 * docs/guides/merging.md#links-and-mentions
 */
export async function moveTies(
  { query, caller }: Writing,
  resource: RecordType,
  survivor: Uuid,
  merged: Uuid[],
): Promise<void> {
  const { workspaceId } = caller;
  for (const { table, owner } of TIES[resource.kind]) {
    const [from, to] = [`${owner}_id`, resource.ownColumn];
    // The records that have the links are locked against deletion, since the new link of a deleted one would stay behind.
    await query(
      `with owners as (
         select id from ${RECORD_TABLES[owner].table} where workspace_id = $1
           and id in (select ${from} from ${table} where workspace_id = $1 and ${to} = any($3::uuid[])) order by id for key share
       )
       insert into ${table} (workspace_id, ${from}, ${to}, position)
       select $1, ${from}, $2, min(position) from ${table}
       where workspace_id = $1 and ${to} = any($3::uuid[]) and ${from} in (select id from owners) group by ${from}
       on conflict (workspace_id, ${from}, ${to}) do update set position = least(${table}.position, excluded.position)`,
      [workspaceId, survivor, merged],
    );
  }
  for (const kind of RECORD_KINDS)
    await moveMentions(query, workspaceId, kind, {
      survivor,
      merged,
      ids: { survivor: toId(resource.kind, survivor), merged: merged.map((uuid) => toId(resource.kind, uuid)) },
    });
}

/** Kind of record → the tables in which others are linked to it, and the kind of those others. */
const TIES: Record<RecordKind, { table: string; owner: RecordKind }[]> = {
  person: [{ table: "object_people", owner: "object" }],
  company: [
    { table: "person_companies", owner: "person" },
    { table: "object_companies", owner: "object" },
  ],
  object: [],
};

interface Mentions {
  survivor: Uuid;
  merged: Uuid[];
  ids: { survivor: Id; merged: Id[] };
}

/**
 * Makes the custom values of one kind of record that name a merged record name the survivor: once, in the place of the first. The
 * rows for filters tell where those values are.
 */
async function moveMentions(
  query: Writing["query"],
  workspaceId: Uuid,
  kind: RecordKind,
  { survivor, merged, ids }: Mentions,
): Promise<void> {
  const own = `${kind}_id`;
  await query(
    `with mentions as (
       select distinct ${own}, group_id, field_id from ${kind}_values where workspace_id = $1 and item = any($2::uuid[])
     ), renamed as (
       select n.${own}, n.group_id, jsonb_object_agg(n.field_id::text, (
         select jsonb_agg(entry order by first) from (
           select case when e = any($3::text[]) then $4 else e end as entry, min(place) as first
           from jsonb_array_elements_text(m."values" -> n.field_id::text) with ordinality as list(e, place) group by 1
         ) entries
       )) as stored
       from mentions n join ${kind}_groups m on m.workspace_id = $1 and m.${own} = n.${own} and m.group_id = n.group_id
       group by n.${own}, n.group_id
     )
     update ${kind}_groups m set "values" = m."values" || r.stored from renamed r
     where m.workspace_id = $1 and m.${own} = r.${own} and m.group_id = r.group_id`,
    [workspaceId, merged, ids.merged, ids.survivor],
  );
  await query(
    `delete from ${kind}_values v where v.workspace_id = $1 and v.item = any($2::uuid[]) and exists (
       select from ${kind}_values o where o.workspace_id = $1 and o.${own} = v.${own} and o.group_id = v.group_id and o.field_id = v.field_id
         and o.item = any($2::uuid[]) and o.position < v.position)`,
    [workspaceId, [...merged, survivor]],
  );
  await query(`update ${kind}_values set item = $3 where workspace_id = $1 and item = any($2::uuid[])`, [
    workspaceId,
    merged,
    survivor,
  ]);
}
