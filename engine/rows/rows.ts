import type { Answered } from "../../base/contract/answer.ts";
import type { Caller } from "../../base/contract/caller.ts";
import { tagOf } from "../../base/contract/etag.ts";
import { madeAt, newUuid, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import { presentUser } from "../../model/definitions/users.ts";
import type { FieldView, RequestBody } from "../../model/fields/field.ts";
import { ENTITY_READS } from "../../model/resources/entity.ts";
import { BY_CREATION, behind, type ListOrder, orderBy } from "../../model/resources/list-order.ts";
import { columnsOf, type Resource, type Row, type Viewer } from "../../model/resources/resource.ts";
import { wordColumn } from "../../model/resources/word-column.ts";
import { counting, readPageRows } from "./large-pages.ts";

// Reading and writing of plain resources: things in one table, which belong to the workspace and have no groups, custom
// values and links. Records have them and are read and written by engine/records.

/** Conditions and order of the rows of a list. */
export interface RowList {
  order?: ListOrder | undefined;
  /** Most rows that are given. */
  limit: number;
  /** Position after which the rows begin; without it they begin at the first one. */
  after?: string | undefined;
  /** Further conditions, as SQL over the row `t`. */
  where?: ((bind: Binder) => string[]) | undefined;
}

/** Rows of the workspace that the caller sees, no more than an answer has room for. */
export function listRows(
  query: Query,
  resource: Resource,
  viewing: Viewer,
  { order = BY_CREATION, limit, after, where }: RowList,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const bind = createBinder();
  const conditions = [
    ...ownConditions(resource, viewing, bind),
    ...(where?.(bind) ?? []),
    ...(after === undefined ? [] : [behind(order, after, bind)]),
  ];
  const wanted = `where ${conditions.join(" and ")} ${orderBy(order)} limit ${limit}`;
  const longTexts = textsOf(resource);
  return readPageRows({
    table: resource.table,
    workspaceId: viewing.caller.workspaceId,
    read: (counts) => {
      const sql = counts ? countedSelect(resource, orderBy(order), wanted) : `${selectOf(resource)} ${wanted}`;
      return query<Row>(sql, bind.values);
    },
    countOf: ({ bytes }) => Number(bytes),
    lengthOf: (row) => {
      let length = 0;
      for (const { name } of longTexts) length += String(row[name] ?? "").length;
      return length;
    },
  });
}

/** The fields of a resource whose columns are texts. */
function textsOf({ columns }: Resource): Resource["columns"] {
  return columns.filter(({ storage }) => storage.type === "text");
}

/** The statement of a list that ends where its texts are long enough for a page. */
function countedSelect(resource: Resource, order: string, wanted: string): string {
  const bytes = ["0", ...textsOf(resource).map(({ storage }) => `coalesce(octet_length(t.${storage.column}), 0)`)];
  const { columns, isWanted } = counting(bytes.join(" + "), order, "t");
  return `select ${listOf(resource)}, t.bytes from (select t.*, ${columns} from ${resource.table} t ${wanted}) t where ${isWanted} ${order}`;
}

/**
 * The row of this uuid, when the caller sees it and it meets the conditions of `where`. With `lock` it is kept from
 * other changes until the transaction ends.
 */
export async function findRow(
  query: Query,
  resource: Resource,
  viewing: Viewer,
  uuid: Uuid,
  { lock = false, where }: { lock?: boolean } & Pick<RowList, "where"> = {},
): Promise<Row | undefined> {
  const bind = createBinder();
  const conditions = [...ownConditions(resource, viewing, bind), ...(where?.(bind) ?? []), `t.id = ${bind(uuid)}`];
  const sql = `${selectOf(resource)} where ${conditions.join(" and ")}${lock ? " for no key update of t" : ""}`;
  const [row] = await query<Row>(sql, bind.values);
  return row;
}

/** Columns that are stored beside those of the fields: column → value. */
export type OtherColumns = Record<string, unknown>;

/** Inserts a row from a body that fits the schema; missing fields are not set. Two statements, sent together. */
export async function insertRow(
  query: Query,
  resource: Resource,
  { caller }: Viewer,
  sent: RequestBody,
  others: OtherColumns = {},
): Promise<Row> {
  const uuid = newUuid();
  const stored = storedOf(resource, sent);
  const set: Record<string, unknown> = {
    workspace_id: caller.workspaceId,
    id: uuid,
    created_at: madeAt(uuid),
    created_by: caller.userId,
    ...others,
  };
  for (const { name, storage } of resource.columns)
    set[storage.column] ??= Object.hasOwn(stored, name) ? stored[name] : storage.unset;
  Object.assign(set, wordsOf(resource, caller, stored));
  const bind = createBinder();
  const values = Object.values(set).map((value) => bind(value));
  // A statement that inserts into a divided table cannot read others, which an answer does (docs/guides/citus.md).
  const [, [row]] = await Promise.all([
    query(`insert into ${resource.table} (${Object.keys(set).join(", ")}) values (${values.join(", ")})`, bind.values),
    query<Row>(`${selectOf(resource)} where t.workspace_id = $1 and t.id = $2`, [caller.workspaceId, set.id]),
  ]);
  if (!row) throw new Error(`Nothing was inserted into ${resource.table}`);
  return row;
}

/**
 * Changes the columns of a locked row for the sent fields, and the other given columns. Returns the new row. A row with
 * versions has the next one if any of these columns is another one afterwards; those of DERIVED do not count.
 */
export async function updateRow(
  query: Query,
  resource: Resource,
  { caller }: Viewer,
  current: Row,
  sent: RequestBody,
  others: OtherColumns = {},
): Promise<Row> {
  const stored = storedOf(resource, sent);
  const changed = resource.columns.filter(({ name }) => Object.hasOwn(stored, name));
  const isWorded = changed.some(({ name }) => resource.worded.some((one) => one.name === name));
  const set = {
    ...Object.fromEntries(changed.map(({ name, storage }) => [storage.column, stored[name]])),
    ...(isWorded && wordsOf(resource, caller, { ...current, ...stored })),
    ...others,
  };
  const columns = Object.keys(set);
  if (columns.length === 0) return current;
  const bind = createBinder();
  const workspace = bind(caller.workspaceId);
  const bound = columns.map((column) => [column, bind(set[column])] as const);
  const assigned = [
    ...bound.map(([column, value]) => `${column} = ${value}`),
    ...(resource.rowColumns?.version ? [`version = t.version + ${isOther(bound)}::int`] : []),
  ].join(", ");
  const [row] = await query<Row>(
    `update ${resource.table} t set ${assigned} where t.workspace_id = ${workspace} and t.id = ${bind(current.uuid)}
     returning ${listOf(resource)}`,
    bind.values,
  );
  if (!row) throw new Error(`A locked row of ${resource.table} is gone`);
  return row;
}

/** The column of a row by which a search over everything finds it, where one does. */
function wordsOf(resource: Resource, { workspaceId }: Caller, values: RequestBody): OtherColumns {
  return resource.worded.length === 0 ? {} : { words: wordColumn(resource, workspaceId, values) };
}

/** Columns that follow from others, or tell when they changed. */
const DERIVED: ReadonlySet<string> = new Set(["updated_at", "search", "words"]);

/** SQL that is true if any of these columns of the row `t` has another value than it is to get. */
function isOther(bound: (readonly [column: string, value: string])[]): string {
  const own = bound.filter(([column]) => !DERIVED.has(column));
  if (own.length === 0) return "false";
  return `((${own.map(([column, value]) => `t.${column} is distinct from ${value}`).join(" or ")}))`;
}

/** Deletes a row that the transaction has locked. */
export async function deleteRow(query: Query, { table }: Resource, { caller }: Viewer, { uuid }: Row): Promise<void> {
  await query(`delete from ${table} where workspace_id = $1 and id = $2`, [caller.workspaceId, uuid]);
}

/**
 * A row as it is answered, in the order of the table of fields. Users who were removed are still told as makers.
 * Without a viewing, for the command line, makers are null.
 */
export function presentRow(resource: Resource, whole: Row, viewing?: Viewer): Record<string, unknown> {
  const row = (viewing && resource.access?.seenPart?.(whole, viewing)) ?? whole;
  const shown = Object.entries(resource.fields).map(([name, { storage }]): [string, unknown] => {
    switch (storage.shape) {
      case "id":
        return [name, toId(resource.kind, row.uuid)];
      case "createdAt":
        return [name, madeAt(row.uuid).toISOString()];
      case "createdBy": {
        const user = viewing?.definitions.users.get(row.createdBy as Uuid);
        return [name, user ? presentUser(user) : null];
      }
      case "entity":
        return [name, presentEntity(row)];
      case "composed":
        if (!viewing) throw new Error(`"${name}" of ${resource.title} is shown to a caller only`);
        return [name, storage.present(row, fieldView(viewing))];
      case "column":
        return [name, storage.present(row[name])];
      default:
        throw new Error(`"${name}" of ${resource.title} is a field of records: define it by defineRecordType`);
    }
  });
  return Object.fromEntries(shown);
}

/** A row as an action answers it: its JSON text, and the tag of its version if it has versions. */
export function answeredRow(resource: Resource, row: Row, viewing: Viewer): Answered {
  const data = JSON.stringify(presentRow(resource, row, viewing));
  return resource.hasVersions ? { data, etag: tagOf(row) } : { data };
}

/** The record that a row is about, as it is answered. */
function presentEntity({ entityKind, entityId, entityName }: Record<string, unknown>) {
  const kind = entityKind as RecordKind;
  return { id: toId(kind, entityId as Uuid), entityType: kind, fullName: String(entityName) };
}

function fieldView({ caller, definitions }: Viewer): FieldView {
  return { caller, user: (uuid) => definitions.users.get(uuid), entity: presentEntity };
}

/** The workspace, which leads every index, and the rows that the caller can see. */
function ownConditions({ access }: Resource, viewing: Viewer, bind: Binder): string[] {
  const workspace = `t.workspace_id = ${bind(viewing.caller.workspaceId)}`;
  return access ? [workspace, access.sees(viewing, bind)] : [workspace];
}

function storedOf({ columns }: Resource, sent: RequestBody): RequestBody {
  const stored = columns.filter(({ name }) => Object.hasOwn(sent, name));
  return Object.fromEntries(stored.map(({ name, storage }) => [name, storage.store(sent[name])]));
}

function selectOf(resource: Resource): string {
  return `select ${listOf(resource)} from ${resource.table} t`;
}

const lists = new Map<Resource, string>();

/** The list of the columns that are read of a row, as SQL over the row `t`. It is made once. */
function listOf(resource: Resource): string {
  let list = lists.get(resource);
  if (list === undefined) {
    list = Object.entries(readsOf(resource))
      .map(([name, sql]) => `${sql} as "${name}"`)
      .join(", ");
    lists.set(resource, list);
  }
  return list;
}

/** Name in the row → SQL over the row `t`. */
function readsOf(resource: Resource): Record<string, string> {
  const columns = Object.entries(columnsOf(resource)).map(([name, column]) => [name, `t.${column}`]);
  const reads: Record<string, string> = Object.fromEntries(columns);
  for (const { storage } of Object.values(resource.fields)) {
    if (storage.shape === "createdBy") reads.createdBy = "t.created_by";
    else if (storage.shape === "entity") Object.assign(reads, ENTITY_READS);
    else if (storage.shape === "composed") Object.assign(reads, storage.reads);
  }
  return reads;
}
