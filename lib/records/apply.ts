import { customFieldTypes } from "../custom-fields/index.ts";
import { madeAt, newUuid } from "../ids.ts";
import type { Resource } from "../resource.ts";
import { companies as companiesResource } from "../resources/companies.ts";
import { nameKey } from "./company-names.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import { companiesByKey } from "./found.ts";
import { SEARCH_COLUMNS, searchColumns } from "./search-columns.ts";
import type { Link } from "./select.ts";

// Sets of rows travel as one JSON document each: the text of a statement is the same for one record and for a hundred, so
// it stays prepared, and lists in columns need no unnesting.

/**
 * Writes plans: a fixed number of statements, whatever their number. Gives what a planned link became. The transaction is
 * the caller's.
 */
export async function applyPlans(
  writing: Writing,
  resource: Resource,
  plans: Plan[],
): Promise<(link: PlannedLink) => Link> {
  const linkTo = await makeCompanies(writing, plans);
  await writeColumns(writing, resource, plans);
  await writeMemberships(writing, resource, plans);
  await writeValues(writing, resource, plans);
  for (const { name, storage } of resource.links) {
    const changed = plans.flatMap((plan) => {
      const links = plan.links.get(name);
      return links
        ? [
            {
              uuid: plan.uuid,
              isNew: plan.isNew,
              links: links.map((link) => linkTo(link).id),
            },
          ]
        : [];
    });
    await writeLinks(writing, storage, changed);
  }
  return linkTo;
}

async function writeColumns(writing: Writing, resource: Resource, plans: Plan[]): Promise<void> {
  const made = plans.filter(({ isNew }) => isNew);
  const changed = plans.filter(({ isNew, columns }) => !isNew && columns);
  const rows = made.map(({ uuid, scope, columns }) => ({
    ...toRow(writing, resource, uuid, columns ?? {}),
    ...(scope.home && { object_type_id: scope.entity }),
  }));
  await insertRows(writing, resource, inOrderOfKeys(resource, rows));
  if (changed.length === 0) return;
  const set = valueColumns(resource)
    .map((column) => `${column} = n.${column}`)
    .join(", ");
  await writing.query(
    `update ${resource.table} r set ${set} from json_populate_recordset(null::${resource.table}, $2::json) n
     where r.workspace_id = $1 and r.id = n.id`,
    [
      writing.caller.workspaceId,
      JSON.stringify(changed.map(({ uuid, columns }) => toRow(writing, resource, uuid, columns ?? {}))),
    ],
  );
}

/** Two writers of the same new names meet in the same order, so that one waits for the other instead of deadlocking. */
function inOrderOfKeys<Row extends Record<string, unknown>>(resource: Resource, rows: Row[]): Row[] {
  const column = resource.columns.find(({ storage }) => storage.unique)?.storage.unique?.column;
  return column === undefined ? rows : rows.toSorted((a, b) => (String(a[column]) < String(b[column]) ? -1 : 1));
}

function insertRows(writing: Writing, resource: Resource, rows: object[], onConflict = ""): Promise<void> {
  const columns = [
    "workspace_id",
    "id",
    "created_at",
    "created_by",
    ...Object.values(resource.rowColumns ?? {}),
    ...valueColumns(resource),
  ];
  return insert(writing, resource.table, columns.join(", "), rows, onConflict);
}

/** The columns that follow from a record's values, those that filters look at included. */
function valueColumns(resource: Resource): string[] {
  return [
    ...resource.columns.flatMap(({ storage }) => [storage.column, ...(storage.unique ? [storage.unique.column] : [])]),
    ...SEARCH_COLUMNS,
  ];
}

function toRow(
  { caller }: Writing,
  resource: Resource,
  uuid: string,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {
    workspace_id: caller.workspaceId,
    id: uuid,
    created_at: madeAt(uuid),
    created_by: caller.userId,
  };
  for (const { name, storage } of resource.columns) {
    const value = values[name] ?? storage.unset;
    row[storage.column] = value;
    if (storage.unique) row[storage.unique.column] = storage.unique.key(value);
  }
  return { ...row, ...searchColumns(resource, values) };
}

async function writeMemberships(writing: Writing, resource: Resource, plans: Plan[]): Promise<void> {
  const { groupsTable, ownColumn } = resource;
  const removed = plans.flatMap(({ uuid, removedGroups }) =>
    removedGroups.map((group_id) => ({ [ownColumn]: uuid, group_id })),
  );
  if (removed.length > 0) {
    await writing.query(
      `delete from ${groupsTable} m using json_populate_recordset(null::${groupsTable}, $2::json) n
       where m.workspace_id = $1 and m.${ownColumn} = n.${ownColumn} and m.group_id = n.group_id`,
      [writing.caller.workspaceId, JSON.stringify(removed)],
    );
  }
  const rows = plans.flatMap(({ uuid, memberships }) =>
    (memberships ?? []).map(({ groupId, values }, position) => ({
      workspace_id: writing.caller.workspaceId,
      [ownColumn]: uuid,
      group_id: groupId,
      position,
      values,
    })),
  );
  await insert(
    writing,
    groupsTable,
    `workspace_id, ${ownColumn}, group_id, position, "values"`,
    rows,
    `on conflict (workspace_id, ${ownColumn}, group_id) do update set position = excluded.position, "values" = excluded."values"`,
  );
}

/** Brings the index of custom values up to date with what changed. */
async function writeValues(writing: Writing, resource: Resource, plans: Plan[]): Promise<void> {
  const { valuesTable, ownColumn } = resource;
  const changes = plans.flatMap(({ uuid, isNew, changedValues }) =>
    changedValues.map((change) => ({ uuid, isNew, ...change })),
  );
  const outdated = changes
    .filter(({ isNew }) => !isNew)
    .map(({ uuid, groupId, fieldId }) => ({ [ownColumn]: uuid, group_id: groupId, field_id: fieldId }));
  if (outdated.length > 0) {
    await writing.query(
      `delete from ${valuesTable} v using json_populate_recordset(null::${valuesTable}, $2::json) n
       where v.workspace_id = $1 and v.${ownColumn} = n.${ownColumn} and v.group_id = n.group_id and v.field_id = n.field_id`,
      [writing.caller.workspaceId, JSON.stringify(outdated)],
    );
  }
  const rows = changes.flatMap(({ uuid, groupId, fieldId, stored }) => {
    const field = writing.catalog.groups.get(groupId)?.fieldsByUuid.get(fieldId);
    if (!field || stored === null) return [];
    const own = { workspace_id: writing.caller.workspaceId, [ownColumn]: uuid, group_id: groupId, field_id: fieldId };
    return customFieldTypes[field.type]
      .indexedAs(stored as never)
      .map((indexed, position) => ({ ...own, position, ...indexed }));
  });
  await insert(
    writing,
    valuesTable,
    `workspace_id, ${ownColumn}, group_id, field_id, position, item, number_value, date_value, folded_text`,
    rows,
  );
}

async function writeLinks(
  writing: Writing,
  { table, from, to }: { table: string; from: string; to: string },
  changed: { uuid: string; isNew: boolean; links: string[] }[],
): Promise<void> {
  const replaced = changed.filter(({ isNew }) => !isNew).map(({ uuid }) => uuid);
  if (replaced.length > 0) {
    await writing.query(`delete from ${table} where workspace_id = $1 and ${from} = any($2::uuid[])`, [
      writing.caller.workspaceId,
      replaced,
    ]);
  }
  const rows = changed.flatMap(({ uuid, links }) =>
    links.map((link, position) => ({ workspace_id: writing.caller.workspaceId, [from]: uuid, [to]: link, position })),
  );
  await insert(writing, table, `workspace_id, ${from}, ${to}, position`, rows);
}

async function insert(
  writing: Writing,
  table: string,
  columns: string,
  rows: object[],
  onConflict = "",
): Promise<void> {
  if (rows.length === 0) return;
  await writing.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json) ${onConflict}`,
    [JSON.stringify(rows)],
  );
}

/**
 * Makes the companies that people name and nobody has yet. Somebody else may make one at the same moment: then theirs is
 * taken. Gives what a planned link became.
 */
async function makeCompanies(writing: Writing, plans: Plan[]): Promise<(link: PlannedLink) => Link> {
  const links = plans.flatMap((plan) => [...plan.links.values()].flat());
  const names = new Map(
    links.flatMap((link) => ("newCompany" in link ? [[nameKey(link.newCompany), link.newCompany]] : [])),
  );
  const companies = names.size === 0 ? new Map<string, Link>() : await makeNamed(writing, names);
  return (link) => {
    const company = "id" in link ? link : companies.get(nameKey(link.newCompany));
    if (!company) throw new Error("A company that was made for its name is not there");
    return company;
  };
}

async function makeNamed(writing: Writing, names: Map<string, string>): Promise<Map<string, Link>> {
  const rows = [...names.values()].map((name) => toRow(writing, companiesResource, newUuid(), { name }));
  await insertRows(
    writing,
    companiesResource,
    inOrderOfKeys(companiesResource, rows),
    "on conflict (workspace_id, name_key) do nothing",
  );
  return companiesByKey(writing, [...names.keys()]);
}
