import { type Group, refuseRole, roleIn } from "../catalog.ts";
import { ApiError, unprocessable } from "../errors.ts";
import { madeAt, newUuid, toId, uuidOf } from "../ids.ts";
import { custom, type Issue, type Path } from "../issues.ts";
import { type RecordKind, type Resource, TARGETS } from "../resource.ts";
import { applyPlans } from "./apply.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import type { Scope } from "./scope.ts";
import type { Link, Membership, RecordRow } from "./select.ts";
import { lockRows } from "./write.ts";

/** Entries of a united list that are kept. gaps 4, "Merge". */
const LIST_MAX = 20;
const KINDS = Object.keys(TARGETS) as RecordKind[];

/** Entries of a list that a merge had to leave out. */
export interface Truncation {
  code: "LIST_TRUNCATED";
  message: string;
  path: Path;
}

/**
 * Merges records into the survivor: empty fields are filled, lists, groups and values united, links and mentions moved;
 * the merged ids become aliases of the survivor. Gives what lists had to leave out. gaps 4, "Merge".
 * @throws ApiError 403, 422; the transaction is the caller's
 */
export async function mergeRecords(
  writing: Writing,
  resource: Resource,
  scope: Scope,
  survivor: RecordRow,
  records: { id: string }[],
): Promise<Truncation[]> {
  const merged = await findMerged(writing, resource, scope, survivor, records);
  needContributor(writing, [survivor, ...merged]);
  const truncations: Truncation[] = [];
  const plan = planSurvivor(resource, scope, survivor, merged, truncations);
  await keepHistory(writing, resource, survivor, merged);
  const uuids = merged.map(({ id }) => id);
  await moveTies(writing, resource, survivor.id, uuids);
  await makeAliases(writing, resource, survivor.id, uuids);
  await writing.query(`delete from ${resource.table} where workspace_id = $1 and id = any($2::uuid[])`, [
    writing.caller.workspaceId,
    uuids,
  ]);
  await applyPlans(writing, resource, [plan]);
  return truncations;
}

async function findMerged(
  writing: Writing,
  resource: Resource,
  scope: Scope,
  survivor: RecordRow,
  records: { id: string }[],
): Promise<RecordRow[]> {
  const uuids = records.map(({ id }) => uuidOf(resource.kind, id));
  const rows = await lockRows(writing, resource, scope, [...new Set(uuids.flatMap((uuid) => uuid ?? []))]);
  const issues: Issue[] = [];
  const merged = new Map<string, RecordRow>();
  for (const [i, { id }] of records.entries()) {
    const row = rows.get(uuids[i] ?? "");
    const fault = refusal(resource, id, row, survivor, merged);
    if (fault !== null) issues.push(custom(["records", i, "id"], fault));
    else if (row) merged.set(row.id, row);
  }
  if (issues.length > 0) throw unprocessable(issues);
  return [...merged.values()];
}

function refusal(
  resource: Resource,
  id: string,
  row: RecordRow | undefined,
  survivor: RecordRow,
  merged: Map<string, RecordRow>,
): string | null {
  if (!row) return `There is no ${resource.title.toLowerCase()} with the id ${id}`;
  if (row.id === survivor.id) return "A record cannot be merged into itself";
  return merged.has(row.id) ? `The record ${id} is named twice` : null;
}

function needContributor({ catalog, caller }: Writing, rows: RecordRow[]): void {
  const groups = new Set(
    rows.flatMap(({ memberships }) => (memberships ?? []).flatMap(({ groupId }) => catalog.groups.get(groupId) ?? [])),
  );
  const visible = [...groups].filter((group: Group) => roleIn(group, caller.userId) !== null);
  const refusals = visible.flatMap((group) => refuseRole(group, caller, "contributor") ?? []);
  if (refusals.length > 0) throw new ApiError("FORBIDDEN", refusals.join(" "));
}

// ---- the survivor afterwards

function planSurvivor(
  resource: Resource,
  scope: Scope,
  survivor: RecordRow,
  merged: RecordRow[],
  truncations: Truncation[],
): Plan {
  const columns: Record<string, unknown> = {};
  for (const { name, storage } of resource.columns) {
    const values = [survivor, ...merged].map((row) => row[name]);
    columns[name] = Array.isArray(storage.unset)
      ? unite(name, values as string[][], truncations)
      : (values.find((value) => !isUnset(value, storage.unset)) ?? storage.unset);
  }
  const links = new Map<string, PlannedLink[]>();
  for (const { name } of resource.links) {
    const lists = [survivor, ...merged].map((row) => (row[name] as Link[] | null) ?? []);
    const byUuid = new Map(lists.flat().map((link) => [link.id, link]));
    const kept = unite(
      name,
      lists.map((list) => list.map(({ id }) => id)),
      truncations,
    );
    links.set(
      name,
      kept.flatMap((uuid) => byUuid.get(uuid) ?? []),
    );
  }
  const memberships = uniteMemberships([survivor, ...merged]);
  const changedValues = memberships.flatMap(({ groupId, values }) =>
    Object.entries(values).map(([fieldId, stored]) => ({ groupId, fieldId, stored })),
  );
  return {
    uuid: survivor.id,
    isNew: false,
    scope,
    columns,
    memberships,
    removedGroups: [],
    warnings: [],
    changedValues,
    links,
  };
}

function isUnset(value: unknown, unset: unknown): boolean {
  return value === null || value === undefined || value === unset;
}

/** Lists in the order of the records, what is there already left out, at most LIST_MAX kept. */
function unite(name: string, lists: string[][], truncations: Truncation[]): string[] {
  const [own = [], ...others] = lists;
  const seen = new Set(own);
  const all = [...own];
  for (const entry of others.flat()) {
    if (!seen.has(entry)) all.push(entry);
    seen.add(entry);
  }
  if (all.length <= LIST_MAX) return all;
  truncations.push({
    code: "LIST_TRUNCATED",
    message: `"${name}" takes ${LIST_MAX} entries; left out: ${all.slice(LIST_MAX).join(", ").slice(0, 500)}`,
    path: [name],
  });
  return all.slice(0, LIST_MAX);
}

/** Groups of all, hidden ones included; of a field that several have, the value of the first counts whole. */
function uniteMemberships(rows: RecordRow[]): Membership[] {
  const united = new Map<string, Membership["values"]>();
  for (const { memberships } of rows)
    for (const { groupId, values } of memberships ?? []) united.set(groupId, { ...values, ...united.get(groupId) });
  return [...united].map(([groupId, values]) => ({ groupId, values }));
}

// ---- what points at the merged records

async function moveTies(
  { query, caller }: Writing,
  resource: Resource,
  survivor: string,
  merged: string[],
): Promise<void> {
  const { workspaceId } = caller;
  for (const { table, from, to } of TIES[resource.kind]) {
    await query(
      `insert into ${table} (workspace_id, ${from}, ${to}, position)
       select workspace_id, ${from}, $2, min(position) from ${table} where workspace_id = $1 and ${to} = any($3::uuid[]) group by workspace_id, ${from}
       on conflict (workspace_id, ${from}, ${to}) do nothing`,
      [workspaceId, survivor, merged],
    );
  }
  const { id } = TARGETS[resource.kind];
  for (const kind of KINDS)
    await moveMentions(query, workspaceId, kind, {
      survivor,
      merged,
      ids: { survivor: toId(id, survivor), merged: merged.map((uuid) => toId(id, uuid)) },
    });
}

/** Kind of record → the tables in which others are linked to it. */
const TIES: Record<RecordKind, { table: string; from: string; to: string }[]> = {
  person: [{ table: "object_people", from: "object_id", to: "person_id" }],
  company: [
    { table: "person_companies", from: "person_id", to: "company_id" },
    { table: "object_companies", from: "object_id", to: "company_id" },
  ],
  object: [],
};

interface Mentions {
  survivor: string;
  merged: string[];
  ids: { survivor: string; merged: string[] };
}

/** Custom values that name a merged record name the survivor, once, in the place of the first. The index tells where they are. */
async function moveMentions(
  query: Writing["query"],
  workspaceId: string,
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
         and (o.item = $3 or (o.item = any($2::uuid[]) and o.position < v.position)))`,
    [workspaceId, merged, survivor],
  );
  await query(`update ${kind}_values set item = $3 where workspace_id = $1 and item = any($2::uuid[])`, [
    workspaceId,
    merged,
    survivor,
  ]);
}

async function makeAliases(
  { query, caller }: Writing,
  { kind }: Resource,
  survivor: string,
  merged: string[],
): Promise<void> {
  const { workspaceId } = caller;
  await query(`update ${kind}_aliases set ${kind}_id = $2 where workspace_id = $1 and ${kind}_id = any($3::uuid[])`, [
    workspaceId,
    survivor,
    merged,
  ]);
  await query(
    `insert into ${kind}_aliases (workspace_id, alias_id, ${kind}_id) select $1, alias, $2 from unnest($3::uuid[]) alias`,
    [workspaceId, survivor, merged],
  );
}

/** Both sides as they were, so that a merge can be undone. */
async function keepHistory(
  { query, caller }: Writing,
  { kind }: Resource,
  survivor: RecordRow,
  merged: RecordRow[],
): Promise<void> {
  const rows = merged.map((row) => {
    const id = newUuid();
    return {
      workspace_id: caller.workspaceId,
      id,
      kind,
      survivor_id: survivor.id,
      merged_id: row.id,
      survivor_before: survivor,
      merged_before: row,
      created_at: madeAt(id),
      created_by: caller.userId,
    };
  });
  await query("insert into merges select * from json_populate_recordset(null::merges, $1::json)", [
    JSON.stringify(rows),
  ]);
}
