import { madeAt, type Uuid } from "../../base/values/ids.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { SEARCH_COLUMNS, searchColumns } from "../filters/search-columns.ts";
import { writeAddresses } from "./address-forms.ts";
import type { Plan, WriteContext } from "./draft.ts";
import { type Columns, createRowSets, insertReturning, type RowSets } from "./row-sets.ts";
import type { RecordRow } from "./select.ts";

/** A plan with the row that it leaves. */
export interface Planned {
  plan: Plan;
  row: RecordRow;
}

type Row = Record<string, unknown>;

/** Writes the rows of records, and what filters look at. */
export function writeRows(writing: WriteContext, resource: RecordType, planned: Planned[], sets: RowSets): void {
  const made = planned.flatMap(({ plan, row }) => (plan.isNew ? row : []));
  const changed = planned.filter(({ plan }) => !plan.isNew);
  const searched = changed.flatMap(({ plan, row }): Row[] => (plan.columns ? [searchRow(writing, resource, row)] : []));
  sets.insert(resource.table, recordColumns(resource), recordRows(resource, made));
  insertSearched(writing, resource, made, sets);
  updateRecords(resource, changed, sets);
  sets.update(resource.searchTable, searchedColumns(resource), searched);
  const addressed = planned.filter(({ plan }) => plan.columns);
  writeAddresses(
    resource,
    addressed.map(({ plan, row }) => ({ before: plan.current, after: row })),
    sets,
  );
}

/** Sets those parts of the rows that change in any of them: the fields, each list of links, the memberships. */
function updateRecords(resource: RecordType, changed: Planned[], sets: RowSets): void {
  const links = resource.links.filter(({ name }) => changed.some(({ plan }) => plan.links.has(name)));
  const columns: Columns = {
    ...(changed.some(({ plan }) => plan.columns) && fieldColumns(resource)),
    ...linkColumns(links),
    ...(changed.some(({ plan }) => plan.memberships) && MEMBERSHIPS),
    ...VERSION,
  };
  const rows = changed
    .filter(({ plan, row }) => plan.columns || plan.memberships || plan.links.size > 0 || isNewer(row, plan))
    .map(({ row }) => {
      const all = recordRow(resource, row);
      return { id: row.uuid, ...Object.fromEntries(Object.keys(columns).map((column) => [column, all[column]])) };
    });
  sets.update(resource.table, columns, rows);
}

function isNewer({ version }: RecordRow, { current }: Plan): boolean {
  return version !== current?.version;
}

/**
 * Makes records that may be there already by their unique key. Those are left as they are, and so are those that
 * another transaction makes at the same moment. Gives the rows that were made.
 */
export async function insertUnlessThere(
  writing: WriteContext,
  resource: RecordType,
  rows: RecordRow[],
): Promise<RecordRow[]> {
  const unique = uniqueColumn(resource);
  const made = await insertReturning<{ id: Uuid }>(
    writing,
    resource.table,
    recordColumns(resource),
    recordRows(resource, rows),
    `on conflict (workspace_id, ${unique}) do nothing returning id`,
  );
  const ids = new Set(made.map(({ id }) => id));
  const inserted = rows.filter(({ uuid }) => ids.has(uuid));
  const sets = createRowSets(writing);
  insertSearched(writing, resource, inserted, sets);
  await sets.written();
  return inserted;
}

function recordColumns(resource: RecordType): Columns {
  return {
    id: "uuid",
    created_at: "timestamptz",
    created_by: "shared uuid",
    ...ownColumns(resource),
    ...fieldColumns(resource),
    ...linkColumns(resource.links),
    ...MEMBERSHIPS,
    ...VERSION,
  };
}

function recordRows(resource: RecordType, rows: RecordRow[]): Row[] {
  const inserted = rows.map((row) => Object.assign(recordRow(resource, row), madeBy(resource, row)));
  return inOrderOfKeys(resource, inserted);
}

function insertSearched(writing: WriteContext, resource: RecordType, rows: RecordRow[], sets: RowSets): void {
  const columns: Columns = {
    id: "uuid",
    created_by: "shared uuid",
    ...ownColumns(resource),
    ...searchedColumns(resource),
  };
  const inserted = rows.map((row) => Object.assign(searchRow(writing, resource, row), madeBy(resource, row)));
  sets.insert(resource.searchTable, columns, inserted);
}

/**
 * Two transactions write the same new names in the same order, so that one waits for the other instead of deadlocking.
 */
function inOrderOfKeys<Row extends Record<string, unknown>>(resource: RecordType, rows: Row[]): Row[] {
  const column = uniqueColumn(resource);
  return column === undefined ? rows : rows.toSorted((a, b) => (String(a[column]) < String(b[column]) ? -1 : 1));
}

function uniqueColumn({ columns }: RecordType): string | undefined {
  return columns.find(({ storage }) => storage.unique)?.storage.unique?.column;
}

// ---- what stands in the rows

const MEMBERSHIPS: Columns = { memberships: "json" };
const VERSION: Columns = { version: "integer" };

/** The uuids that a record is made with and keeps. */
function ownColumns({ rowColumns = {} }: RecordType): Columns {
  return Object.fromEntries(Object.values(rowColumns).map((column) => [column, "shared uuid"]));
}

function madeBy({ rowColumns = {} }: RecordType, row: RecordRow): Row {
  const columns: Row = { created_at: madeAt(row.uuid), created_by: row.createdBy };
  for (const [name, column] of Object.entries(rowColumns)) columns[column] = row[name];
  return columns;
}

/** The columns of fields, and the keys of unique ones. */
function fieldColumns({ columns }: RecordType): Columns {
  return Object.fromEntries(
    columns.flatMap(({ storage: { column, type, unique } }) => [
      [column, type],
      ...(unique ? [[unique.column, unique.type]] : []),
    ]),
  );
}

function linkColumns(links: RecordType["links"]): Columns {
  return Object.fromEntries(links.map(({ storage }) => [storage.column, "uuid[]"]));
}

function recordRow(resource: RecordType, row: RecordRow): Row {
  const columns: Row = { id: row.uuid };
  for (const { name, storage } of resource.columns) {
    columns[storage.column] = row[name];
    if (storage.unique) columns[storage.unique.column] = storage.unique.key(row[name]);
  }
  for (const { name, storage } of resource.links) columns[storage.column] = row[name];
  columns.memberships = row.memberships;
  columns.version = row.version;
  return columns;
}

/** The columns of the search table that follow from the fields: docs/decisions/0004-filters.md. */
function searchedColumns({ compared }: RecordType): Columns {
  return { ...Object.fromEntries(compared.map(({ storage }) => [storage.column, storage.type])), ...SEARCH_COLUMNS };
}

function searchRow({ caller }: WriteContext, resource: RecordType, row: RecordRow): Row {
  const columns: Row = { id: row.uuid, ...searchColumns(resource, caller.workspaceId, row) };
  for (const { name, storage } of resource.compared) columns[storage.column] = row[name];
  return columns;
}
