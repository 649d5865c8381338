import type { LinksStorage } from "../fields/field.ts";
import { nameKey } from "../fields/name-key.ts";
import { SEARCH_COLUMNS, searchColumns } from "../filters/search-columns.ts";
import { companies as companiesResource } from "../resources/companies.ts";
import type { RecordType } from "../resources/record-type.ts";
import type { Scope } from "../resources/scope.ts";
import { madeAt, newUuid, type Uuid } from "../values/ids.ts";
import { writeMemberships, writeValues } from "./apply-memberships.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import { companiesByKey } from "./found.ts";
import { deleteRows, insertRows, updateRows } from "./row-sets.ts";
import type { Link } from "./select.ts";

/**
 * Writes what plans say, with a number of statements that does not grow with the number of plans. Gives a function from a
 * planned link to the link that was written, which for a new company has its uuid. The transaction is the caller's.
 */
export async function applyPlans(
  writing: Writing,
  resource: RecordType,
  plans: Plan[],
): Promise<(link: PlannedLink) => Link> {
  const linkTo = await makeCompanies(writing, plans);
  // The statements are sent at once and run in this order: while PostgreSQL runs one, the rows of the next are put together.
  await Promise.all([
    writeColumns(writing, resource, plans),
    writeMemberships(writing, resource, plans),
    writeValues(writing, resource, plans),
    ...resource.links.map(({ name, storage }) => writeLinks(writing, name, storage, plans, linkTo)),
  ]);
  return linkTo;
}

async function writeColumns(writing: Writing, resource: RecordType, plans: Plan[]): Promise<void> {
  const { table } = resource;
  const made = plans
    .filter(({ isNew }) => isNew)
    .map((plan) => toRow(writing, resource, plan.uuid, plan.columns ?? {}, plan.scope));
  const changed = plans.flatMap(({ uuid, isNew, columns }) =>
    isNew || !columns ? [] : [toRow(writing, resource, uuid, columns)],
  );
  await Promise.all([
    insertRows(writing, table, insertedColumns(resource), inOrderOfKeys(resource, made)),
    updateRows(writing, table, valueColumns(resource), changed),
  ]);
}

/** Two transactions write the same new names in the same order, so that one waits for the other instead of deadlocking. */
function inOrderOfKeys<Row extends Record<string, unknown>>(resource: RecordType, rows: Row[]): Row[] {
  const column = resource.columns.find(({ storage }) => storage.unique)?.storage.unique?.column;
  return column === undefined ? rows : rows.toSorted((a, b) => (String(a[column]) < String(b[column]) ? -1 : 1));
}

function insertedColumns(resource: RecordType): string {
  const { rowColumns = {} } = resource;
  return ["id", "created_at", "created_by", ...Object.values(rowColumns), ...valueColumns(resource)].join(", ");
}

/** The columns that hold a record's values, and those that are derived from them for filters. */
function valueColumns(resource: RecordType): string[] {
  return [
    ...resource.columns.flatMap(({ storage }) => [storage.column, ...(storage.unique ? [storage.unique.column] : [])]),
    ...SEARCH_COLUMNS,
  ];
}

function toRow(
  { caller }: Writing,
  resource: RecordType,
  uuid: Uuid,
  values: Record<string, unknown>,
  scope?: Scope,
): Record<string, unknown> {
  const row: Record<string, unknown> = {
    id: uuid,
    created_at: madeAt(uuid),
    created_by: caller.userId,
  };
  if (scope?.home) row.object_type_id = scope.entity;
  for (const { name, storage } of resource.columns) {
    const value = values[name] ?? storage.unset;
    row[storage.column] = value;
    if (storage.unique) row[storage.unique.column] = storage.unique.key(value);
  }
  return { ...row, ...searchColumns(resource, values) };
}

async function writeLinks(
  writing: Writing,
  name: string,
  { table, from, to }: LinksStorage,
  plans: Plan[],
  linkTo: (link: PlannedLink) => Link,
): Promise<void> {
  const changed = plans.flatMap(({ uuid, isNew, links }) => {
    const after = links.get(name);
    return after ? [{ uuid, isNew, after }] : [];
  });
  const replaced = changed.filter(({ isNew }) => !isNew).map(({ uuid }) => ({ [from]: uuid }));
  const rows = changed.flatMap(({ uuid, after }) =>
    after.map((link, position) => ({ [from]: uuid, [to]: linkTo(link).uuid, position })),
  );
  await Promise.all([
    deleteRows(writing, table, [from], replaced),
    insertRows(writing, table, `${from}, ${to}, position`, rows),
  ]);
}

/**
 * Makes the companies that people name and that are not there. When another transaction makes one of them at the same moment,
 * that one is linked. Gives a function from a planned link to a link. docs/guides/people.md#companies-of-a-person
 */
async function makeCompanies(writing: Writing, plans: Plan[]): Promise<(link: PlannedLink) => Link> {
  const links = plans.flatMap((plan) => [...plan.links.values()].flat());
  const names = new Map(
    links.flatMap((link) => ("newCompany" in link ? [[nameKey(link.newCompany), link.newCompany]] : [])),
  );
  const companies = names.size === 0 ? new Map<string, Link>() : await makeNamed(writing, names);
  return (link) => {
    const company = "uuid" in link ? link : companies.get(nameKey(link.newCompany));
    if (!company) throw new Error("A company that was made for its name is not there");
    return company;
  };
}

async function makeNamed(writing: Writing, names: Map<string, string>): Promise<Map<string, Link>> {
  const rows = [...names.values()].map((name) => toRow(writing, companiesResource, newUuid(), { name }));
  await insertRows(
    writing,
    companiesResource.table,
    insertedColumns(companiesResource),
    inOrderOfKeys(companiesResource, rows),
    "on conflict (workspace_id, name_key) do nothing",
  );
  return companiesByKey(writing, [...names.keys()]);
}
