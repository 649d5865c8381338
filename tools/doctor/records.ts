import { isDeepStrictEqual } from "node:util";
import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { missingKeys, searchColumns } from "../../engine/filters/search-columns.ts";
import { addressForms } from "../../engine/records/address-forms.ts";
import { indexesOf } from "../../engine/records/gone-with.ts";
import { type RecordRow, rowOfTexts, valueEntries } from "../../engine/records/select.ts";
import type { CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { IndexedValue } from "../../model/custom-fields/type.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import { recordPages } from "../export/record-pages.ts";

/** Definitions of all workspaces: the types of custom fields by their uuids, and the groups. */
interface Defined {
  fields: Map<string, CustomFieldTypeName>;
  groups: Set<string>;
}

/**
 * Whether the tables beside the records, which filters read, hold what the rows of the records hold:
 * docs/decisions/0003-custom-values.md. All of it is read, page by page, and compared with what the functions make that
 * write it. What stands in a row of a group or field that was removed is skipped.
 */
export async function examineRecords(query: Query) {
  const fields = await query<{ id: string; type: CustomFieldTypeName }>("select id, type from custom_fields", []);
  const groups = await query<{ id: string }>("select id from groups", []);
  const defined = {
    fields: new Map(fields.map(({ id, type }) => [id, type])),
    groups: new Set(groups.map(({ id }) => id)),
  };
  const workspaces = await query<{ id: Uuid }>("select id from workspaces order by id", []);
  let count = 0;
  for (const resource of ALL_RECORD_TYPES) {
    for (const { id } of workspaces)
      for await (const page of recordPages(query, { workspaceId: id, resource })) {
        const rows = page.map((texts) => rowOfTexts(resource, texts));
        const fault = await compare(query, resource, defined, id, rows);
        if (fault !== undefined) return { ok: false, message: fault };
        count += rows.length;
      }
    const fault = await leftOver(query, resource);
    if (fault !== undefined) return { ok: false, message: fault };
  }
  return { ok: true, message: `${count} records are indexed as they are` };
}

/** Fault of the indexes of these records, in words for an admin; undefined when there is none. */
async function compare(
  query: Query,
  resource: RecordType,
  defined: Defined,
  workspaceId: Uuid,
  rows: RecordRow[],
): Promise<string | undefined> {
  const uuids = rows.map(({ uuid }) => uuid);
  const { kind, groupsTable, searchTable, valuesTable, recordIdColumn } = resource;
  const groups = await setsOf(query, groupsTable, recordIdColumn, "group_id", workspaceId, uuids);
  const inGroups = ({ uuid, memberships }: RecordRow) =>
    isSame(
      memberships.flatMap(({ groupId }) => (defined.groups.has(groupId) ? groupId : [])),
      groups.get(uuid),
    );
  const values = await valuesOf(query, resource, workspaceId, uuids);
  const hasValues = (row: RecordRow) =>
    isDeepStrictEqual(valuesIn(row, defined), definedOnly(values.get(row.uuid), defined));
  const searched = await searchedOf(query, resource, workspaceId, uuids);
  const tests: [table: string, isRight: (row: RecordRow) => boolean][] = [
    [groupsTable, inGroups],
    [valuesTable, hasValues],
    [searchTable, (row) => isSearched(resource, workspaceId, row, searched.get(row.uuid))],
  ];
  const { addressesTable } = resource;
  if (addressesTable) {
    const found = await foundBy(query, addressesTable, recordIdColumn, workspaceId, rows);
    tests.push([addressesTable, (row) => isSame(addressForms(row), found.get(row.uuid))]);
  }
  for (const { name, storage } of resource.links) {
    const links = await setsOf(query, storage.table, storage.from, storage.to, workspaceId, uuids);
    tests.push([storage.table, (row) => isSame(row[name] as Uuid[], links.get(row.uuid))]);
  }
  for (const [table, isRight] of tests) {
    const wrong = rows.find((row) => !isRight(row));
    if (wrong)
      return `${table} differs from the ${kind} ${wrong.uuid}: its filters are wrong until what differs is changed and changed back`;
  }
  return undefined;
}

function isSame(wanted: string[], found: string[] | undefined): boolean {
  return isDeepStrictEqual(wanted.toSorted(), found?.toSorted() ?? []);
}

/** The forms by which records are found, of those that they should be found by. */
async function foundBy(
  query: Query,
  table: string,
  own: string,
  workspaceId: Uuid,
  records: RecordRow[],
): Promise<Map<Uuid, string[]>> {
  const rows = await query<{ id: Uuid; forms: string[] }>(
    `select ${own} as id, array_agg(form) as forms from ${table}
     where workspace_id = $1 and form = any($2::text[]) and ${own} = any($3::uuid[]) group by 1`,
    [workspaceId, [...new Set(records.flatMap(addressForms))], records.map(({ uuid }) => uuid)],
  );
  return new Map(rows.map(({ id, forms }) => [id, forms]));
}

async function setsOf(
  query: Query,
  table: string,
  from: string,
  to: string,
  workspaceId: Uuid,
  uuids: Uuid[],
): Promise<Map<Uuid, string[]>> {
  const rows = await query<{ id: Uuid; ids: string[] }>(
    `select ${from} as id, array_agg(${to}::text) as ids from ${table} where workspace_id = $1 and ${from} = any($2::uuid[]) group by 1`,
    [workspaceId, uuids],
  );
  return new Map(rows.map(({ id, ids }) => [id, ids]));
}

/** Rows of the index of custom values, by group and field: `group field` → entries in their order. */
type Indexed = Record<string, IndexedValue[]>;

/** Numbers are read as texts, as the rows of records have them. */
async function valuesOf(
  query: Query,
  { valuesTable, recordIdColumn }: RecordType,
  workspaceId: Uuid,
  uuids: Uuid[],
): Promise<Map<Uuid, Indexed>> {
  const rows = await query<{ id: Uuid; indexed: Indexed }>(
    `select id, json_object_agg(key, entries) as indexed from (
       select ${recordIdColumn} as id, group_id || ' ' || field_id as key, json_agg(json_strip_nulls(json_build_object(
         'item', item, 'number_value', number_value::text, 'date_value', date_value, 'folded_text', folded_text)) order by position) as entries
       from ${valuesTable} where workspace_id = $1 and ${recordIdColumn} = any($2::uuid[]) group by 1, 2) v
     group by 1`,
    [workspaceId, uuids],
  );
  return new Map(rows.map(({ id, indexed }) => [id, indexed]));
}

function valuesIn({ memberships }: RecordRow, { fields, groups }: Defined): Indexed {
  const entries = memberships
    .filter(({ groupId }) => groups.has(groupId))
    .flatMap(({ groupId, values }) =>
      valueEntries(values).flatMap(([id, stored]): [string, IndexedValue[]][] => {
        const type = fields.get(id);
        return type ? [[`${groupId} ${id}`, customFieldTypes[type].indexedAs(stored as never)]] : [];
      }),
    );
  return Object.fromEntries(entries);
}

function definedOnly(indexed: Indexed | undefined, { fields }: Defined): Indexed {
  return Object.fromEntries(Object.entries(indexed ?? {}).filter(([key]) => fields.has(key.split(" ")[1] ?? "")));
}

type Searched = { text_keys: string[]; folded_texts: string; folded_lists: string; words: string[] | null } & Record<
  string,
  unknown
>;

/** Field of a row → its column in the search table, of those that stand there as they are. */
function copiedColumns({ compared, rowColumns }: RecordType): [name: string, column: string][] {
  const ordered = compared.map(({ name, storage }): [string, string] => [name, storage.column]);
  return [["createdBy", "created_by"], ...Object.entries(rowColumns ?? {}), ...ordered];
}

async function searchedOf(
  query: Query,
  resource: RecordType,
  workspaceId: Uuid,
  uuids: Uuid[],
): Promise<Map<Uuid, Searched>> {
  const columns = copiedColumns(resource).map(([, column]) => `${column}::text as ${column}, `);
  const rows = await query<Searched & { id: Uuid }>(
    `select id, ${columns.join("")}text_keys::text[] as text_keys, folded_texts, folded_lists,
       tsvector_to_array(words) as words from ${resource.searchTable}
     where workspace_id = $1 and id = any($2::uuid[])`,
    [workspaceId, uuids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * A row that was made before a field existed has no key that says that the field is unset, and its texts end before the
 * field.
 */
function isSearched(resource: RecordType, workspaceId: Uuid, row: RecordRow, found: Searched | undefined): boolean {
  if (!found) return false;
  const wanted = searchColumns(resource, workspaceId, row);
  const later = new Set(missingKeys(resource, workspaceId));
  const keys = (list: string[]) => list.filter((key) => !later.has(key)).toSorted();
  const text = (folded: string) => folded.replace(/F+$/, "");
  return (
    isDeepStrictEqual(keys(wanted.text_keys), keys(found.text_keys)) &&
    text(wanted.folded_texts) === text(found.folded_texts) &&
    text(wanted.folded_lists) === text(found.folded_lists) &&
    hasWords(wanted.words, found.words) &&
    copiedColumns(resource).every(([name, column]) => (row[name] ?? null) === found[column])
  );
}

/** Words are missing for a moment where a process of an older release has written: they are made behind it. */
function hasWords(wanted: string, found: string[] | null): boolean {
  if (found === null) return true;
  const lexemes = [...wanted.matchAll(/'([^']*)'/g)].map(([, lexeme = ""]) => lexeme);
  return isDeepStrictEqual(lexemes.toSorted(), found.toSorted());
}

/**
 * Finds rows of an index that have no record. The deletion of the record should have deleted them:
 * docs/decisions/0008-batches.md.
 */
async function leftOver(query: Query, resource: RecordType): Promise<string | undefined> {
  const { kind, table, addressesTable, recordIdColumn } = resource;
  const indexes = [...(addressesTable ? [[addressesTable, recordIdColumn] as const] : []), ...indexesOf(resource)];
  for (const [index, own] of indexes) {
    const [left] = await query<{ id: string }>(
      `select i.${own} as id from ${index} i left join ${table} r on r.workspace_id = i.workspace_id and r.id = i.${own}
       where r.id is null limit 1`,
      [],
    );
    if (left) return `${index} has rows of the ${kind} ${left.id}, which is not there: delete these rows`;
  }
  return undefined;
}
