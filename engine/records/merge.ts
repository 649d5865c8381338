import { ApiError, unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import { byId, type RecordKind, toId, type Uuid, uuidsOf } from "../../base/values/ids.ts";
import { unique } from "../../model/custom-fields/list.ts";
import type { Definitions, Group } from "../../model/definitions/definitions.ts";
import { refuseRole, roleIn } from "../../model/definitions/roles.ts";
import type { Gone, LogEntry } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { moveInteractions } from "../interactions/counting.ts";
import { applyPlans } from "./apply.ts";
import { handOnDismissals } from "./dismissals.ts";
import type { Plan, PlannedLinks, WriteContext } from "./draft.ts";
import { moveIncomingLinks } from "./incoming-links.ts";
import { keepMerged, namingColumns } from "./kept.ts";
import { moveAbout } from "./move-about.ts";
import { nameRecords, type RecordNames } from "./names.ts";
import { deletedEntry } from "./record-events.ts";
import { deleteRows } from "./remove.ts";
import { type Membership, type RecordRow, valueEntries } from "./select.ts";
import { shownValues } from "./shown-values.ts";
import { tablesWith } from "./tables-with.ts";
import { refuseBytes } from "./value-bytes.ts";
import { lockRows } from "./write.ts";

/** Maximum number of entries of a united list. docs/guides/merging.md#fields-and-lists */
const LIST_MAX = 20;

/** The warning that a merge had to leave out entries of a list. docs/guides/merging.md#left-out-entries */
export interface Truncation {
  code: "LIST_TRUNCATED";
  message: string;
  path: Path;
}

/**
 * Merges records into the survivor: empty fields are filled, lists, groups and values united, links and mentions moved;
 * the merged ids become aliases of the survivor. Gives the row of the survivor, and a warning for each list that had to
 * leave out entries. The transaction is the caller's. docs/guides/merging.md
 * @throws ApiError 403 for a role that is too low, 422 for ids in the body, with all issues, and for more custom values
 *   than one record may have
 */
export async function mergeRecords(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  survivor: RecordRow,
  records: { id: string }[],
): Promise<{ row: RecordRow; truncations: Truncation[] }> {
  needContributor(writing, [survivor]);
  const merged = await findMerged(writing, resource, scope, survivor, records);
  needContributor(writing, merged);
  const truncations: Truncation[] = [];
  const names = await linkNames(writing, resource, [survivor, ...merged]);
  const plan = planSurvivor(writing.definitions, resource, scope, { survivor, merged, names }, truncations);
  const refused = refuseBytes(survivor.memberships, plan.memberships ?? []);
  if (refused !== null) throw unprocessable([custom(["records"], refused)]);
  const uuids = merged.map(({ uuid }) => uuid);
  await awaitWriters(writing, resource, uuids);
  const { workspaceId } = writing.caller;
  const tables = await tablesWith(writing.query, workspaceId, namingColumns(resource.kind), uuids);
  const kept = await keepMerged(writing, resource.kind, { survivor: survivor.uuid, merged: uuids }, tables);
  await moveIncomingLinks(writing, resource, survivor.uuid, uuids, tables);
  await moveAbout(writing.query, writing.caller.workspaceId, survivor.uuid, uuids);
  writing.log.push(
    ...merged.map((row) => mergedEntry(resource, writing.definitions, row, survivor.uuid, kept.get(row.uuid) ?? {})),
  );
  const told: LogEntry[] = [];
  Object.assign(survivor, await moveInteractions({ ...writing, log: told }, survivor.uuid, uuids));
  // The survivor is in the groups of all of them now.
  const groups = plan.memberships?.map(({ groupId }) => groupId) ?? [];
  writing.log.push(...told.map((event) => ({ ...event, body: { ...event.body, groups } })));
  await makeAliases(writing, resource, survivor.uuid, uuids);
  await handOnDismissals(writing.query, workspaceId, survivor.uuid, uuids);
  await deleteRows(writing, resource, merged);
  const [row] = await applyPlans(writing, resource, [plan]);
  if (!row) throw new Error("The survivor of a merge has no row");
  return { row, truncations };
}

/**
 * Waits for transactions that refer to one of these records: they have locked it against deletion
 * (engine/records/found.ts). Their rows have to be committed before they are moved to the surviving record, or they
 * would be deleted with the merged one.
 */
async function awaitWriters({ query, caller }: WriteContext, { table }: RecordType, uuids: string[]): Promise<void> {
  await query(`select id from ${table} where workspace_id = $1 and id = any($2::uuid[]) order by id for update`, [
    caller.workspaceId,
    uuids,
  ]);
}

async function findMerged(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  survivor: RecordRow,
  records: { id: string }[],
): Promise<RecordRow[]> {
  const rows = await lockRows(
    writing,
    resource,
    scope,
    uuidsOf(
      resource.kind,
      records.map(({ id }) => id),
    ),
  );
  const issues: Issue[] = [];
  const merged = new Map<string, RecordRow>();
  for (const [i, { id }] of records.entries()) {
    const row = byId(rows, resource.kind, id);
    const fault = refusal(resource, id, row, survivor, merged);
    if (fault !== null) issues.push(custom(["records", i, "id"], fault));
    else if (row) merged.set(row.uuid, row);
  }
  if (issues.length > 0) throw unprocessable(issues);
  return [...merged.values()];
}

function refusal(
  resource: RecordType,
  id: string,
  row: RecordRow | undefined,
  survivor: RecordRow,
  merged: Map<string, RecordRow>,
): string | null {
  if (!row) return `There is no ${resource.title.toLowerCase()} with the id ${id}`;
  if (row.uuid === survivor.uuid) return "A record cannot be merged into itself";
  return merged.has(row.uuid) ? `The record ${id} is named twice` : null;
}

function needContributor({ definitions, caller }: WriteContext, rows: RecordRow[]): void {
  const groups = new Set(
    rows.flatMap(({ memberships }) => memberships.flatMap(({ groupId }) => definitions.groups.get(groupId) ?? [])),
  );
  const visible = [...groups].filter((group: Group) => roleIn(group, caller.userId) !== null);
  const refusals = visible.flatMap((group) => refuseRole(group, caller, "contributor") ?? []);
  if (refusals.length > 0) throw new ApiError("FORBIDDEN", refusals.join(" "));
}

// ---- the survivor afterwards

/** The names of all records that these are linked to. A deleted record has none. */
async function linkNames(
  { query, caller }: WriteContext,
  { links }: RecordType,
  rows: RecordRow[],
): Promise<RecordNames> {
  const wanted = new Map<string, Uuid>();
  for (const row of rows)
    for (const { name, storage } of links)
      for (const uuid of row[name] as Uuid[]) wanted.set(toId(storage.target, uuid), uuid);
  return new Map((await nameRecords(query, caller.workspaceId, wanted)).map((record) => [record.id, record]));
}

function planSurvivor(
  definitions: Definitions,
  resource: RecordType,
  scope: Scope,
  { survivor, merged, names }: { survivor: RecordRow; merged: RecordRow[]; names: RecordNames },
  truncations: Truncation[],
): Plan {
  const columns: Record<string, unknown> = {};
  for (const { name, storage } of resource.columns) {
    const values = [survivor, ...merged].map((row) => row[name]);
    columns[name] = Array.isArray(storage.unset)
      ? unite(name, values as string[][], { keyOf: (text) => text, shown: (text) => text }, truncations)
      : (values.find((value) => !isUnset(value, storage.unset)) ?? storage.unset);
  }
  const links = new Map<string, PlannedLinks>();
  for (const { name, storage } of resource.links) {
    const lists = [survivor, ...merged].map((row) =>
      (row[name] as Uuid[]).flatMap((uuid) => {
        const record = names.get(toId(storage.target, uuid));
        return record ? [{ uuid, label: record.fullName }] : [];
      }),
    );
    const after = unite(name, lists, { keyOf: ({ uuid }) => uuid, shown: ({ label }) => label }, truncations);
    links.set(name, { before: survivor[name] as Uuid[], after });
  }
  const memberships = uniteMemberships(definitions, resource.kind, survivor, merged);
  const changedValues = memberships.flatMap(({ groupId, values }) =>
    valueEntries(values).map(([fieldId, stored]) => ({ groupId, fieldId, stored })),
  );
  const known = new Set(survivor.memberships.map(({ groupId }) => groupId));
  return {
    uuid: survivor.uuid,
    isNew: false,
    current: survivor,
    scope,
    columns,
    memberships,
    addedGroups: memberships.flatMap(({ groupId }) =>
      known.has(groupId) || !definitions.groups.has(groupId) ? [] : groupId,
    ),
    removedGroups: [],
    warnings: [],
    changedValues,
    links,
    merged: merged.map((row) => ({ id: row.uuid, name: String(row[resource.nameField]) })),
  };
}

function isUnset(value: unknown, unset: unknown): boolean {
  return value === null || value === undefined || value === "" || value === unset;
}

/**
 * Unites lists that are given in the order of the records. All entries of the first list, which is the survivor's,
 * stay, and of the others those with a new key, as far as LIST_MAX allows. The warning about the rest names each entry
 * by what is `shown` of it. docs/guides/merging.md#fields-and-lists
 */
function unite<Entry>(
  name: string,
  [own = [], ...others]: Entry[][],
  { keyOf, shown }: { keyOf(entry: Entry): string; shown(entry: Entry): string },
  truncations: Truncation[],
): Entry[] {
  const seen = new Set(own.map(keyOf));
  const all = [...own];
  for (const entry of others.flat()) {
    if (!seen.has(keyOf(entry))) all.push(entry);
    seen.add(keyOf(entry));
  }
  if (all.length <= LIST_MAX) return all;
  const left = all.slice(LIST_MAX).map(shown).join(", ").slice(0, 500);
  truncations.push({
    code: "LIST_TRUNCATED",
    message: `"${name}" takes ${LIST_MAX} entries; left out: ${left}`,
    path: [name],
  });
  return all.slice(0, LIST_MAX);
}

/**
 * The memberships of all records in one list, also those that the caller cannot see. The first record with a visible
 * value wins; values are not mixed. docs/guides/merging.md#groups-and-values
 */
function uniteMemberships(
  definitions: Definitions,
  kind: RecordKind,
  survivor: RecordRow,
  merged: RecordRow[],
): Membership[] {
  const united = new Map<Uuid, Membership["values"]>();
  for (const { memberships } of [survivor, ...merged])
    for (const { groupId, values } of memberships) {
      const before = united.get(groupId) ?? {};
      united.set(groupId, { ...before, ...values, ...shownValues(definitions, groupId, before) });
    }
  // Values of the survivor and of the merged records may name merged records, too. Those of all other records are
  // changed in the database (ties.ts).
  const gone = new Set<string>(merged.map((row) => toId(kind, row.uuid)));
  const renamed = (stored: string | string[]) =>
    Array.isArray(stored)
      ? unique(stored.map((entry) => (gone.has(entry) ? toId(kind, survivor.uuid) : entry)))
      : stored;
  return [...united].map(([groupId, values]) => ({
    groupId,
    values: Object.fromEntries(valueEntries(values).map(([fieldId, stored]) => [fieldId, renamed(stored)])),
  }));
}

// ---- what is left of the merged records

/** The entry of the deletion of a merged record, with all that a mistaken merge has to bring back of it. */
function mergedEntry(
  resource: RecordType,
  definitions: Definitions,
  row: RecordRow,
  survivor: Uuid,
  gone: Gone,
): LogEntry {
  const { body, ...entry } = deletedEntry(resource, definitions, row, gone);
  return { ...entry, body: { ...body, into: survivor } };
}

async function makeAliases(
  { query, caller }: WriteContext,
  { kind }: RecordType,
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
