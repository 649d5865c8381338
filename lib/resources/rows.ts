import type { Catalog } from "../catalog/catalog.ts";
import { presentUser } from "../catalog/users.ts";
import type { Caller } from "../contract/caller.ts";
import { createBinder } from "../database/binder.ts";
import type { Query } from "../database/query.ts";
import type { Sent } from "../fields/field.ts";
import { madeAt, newUuid, toId, type Uuid } from "../values/ids.ts";
import { columnsOf, type Resource, type Row } from "./resource.ts";

// Reading and writing of plain resources: things in one table, which belong to the workspace and have no groups, custom values
// and links. Records have them and are read and written by lib/records.

/**
 * Rows of the workspace in the order of their making.
 * @param limit most rows that are given
 * @param after the uuid behind which they begin; from the first one without it
 */
export function listRows(
  query: Query,
  resource: Resource,
  { workspaceId }: Caller,
  { limit, after }: { limit: number; after?: Uuid | undefined },
): Promise<Row[]> {
  const bind = createBinder();
  const places = [`workspace_id = ${bind(workspaceId)}`, ...(after === undefined ? [] : [`id > ${bind(after)}`])];
  const sql = `${selectOf(resource)} where ${places.join(" and ")} order by workspace_id, id limit ${bind(limit)}`;
  return query<Row>(sql, bind.values);
}

/** The row of this uuid in the workspace, with `lock` kept from other changes until the transaction ends. */
export async function findRow(
  query: Query,
  resource: Resource,
  { workspaceId }: Caller,
  uuid: Uuid,
  { lock = false }: { lock?: boolean } = {},
): Promise<Row | undefined> {
  const sql = `${selectOf(resource)} where workspace_id = $1 and id = $2${lock ? " for no key update" : ""}`;
  const [row] = await query<Row>(sql, [workspaceId, uuid]);
  return row;
}

/** Makes a row of what was sent, which fits the schema; fields that were not sent are unset. */
export async function insertRow(query: Query, resource: Resource, caller: Caller, sent: Sent): Promise<Row> {
  const uuid = newUuid();
  const stored = storedOf(resource, sent);
  const set: Record<string, unknown> = {
    workspace_id: caller.workspaceId,
    id: uuid,
    created_at: madeAt(uuid),
    created_by: caller.userId,
  };
  for (const { name, storage } of resource.columns)
    set[storage.column] = Object.hasOwn(stored, name) ? stored[name] : storage.unset;
  const bind = createBinder();
  const values = Object.values(set).map((value) => bind(value));
  const [row] = await query<Row>(
    `insert into ${resource.table} (${Object.keys(set).join(", ")}) values (${values.join(", ")}) returning ${listOf(resource)}`,
    bind.values,
  );
  if (!row) throw new Error(`Nothing was inserted into ${resource.table}`);
  return row;
}

/** Changes the columns of a row for which something was sent. Gives the row afterwards. */
export async function updateRow(
  query: Query,
  resource: Resource,
  { workspaceId }: Caller,
  current: Row,
  sent: Sent,
): Promise<Row> {
  const stored = storedOf(resource, sent);
  const changed = resource.columns.filter(({ name }) => Object.hasOwn(stored, name));
  if (changed.length === 0) return current;
  const bind = createBinder();
  const set = changed.map(({ name, storage }) => `${storage.column} = ${bind(stored[name])}`).join(", ");
  const [row] = await query<Row>(
    `update ${resource.table} set ${set} where workspace_id = ${bind(workspaceId)} and id = ${bind(current.uuid)}
     returning ${listOf(resource)}`,
    bind.values,
  );
  if (!row) throw new Error(`A locked row of ${resource.table} is gone`);
  return row;
}

/** Deletes the row of this uuid in the workspace; tells whether there was one. */
export async function deleteRow(
  query: Query,
  resource: Resource,
  { workspaceId }: Caller,
  uuid: Uuid,
): Promise<boolean> {
  const sql = `delete from ${resource.table} where workspace_id = $1 and id = $2 returning id`;
  return (await query(sql, [workspaceId, uuid])).length > 0;
}

/**
 * A row as it is answered, in the order of the table of fields: its id, when it was made and by whom, and the columns. Users
 * who were removed are still told as makers.
 */
export function presentRow(resource: Resource, row: Row, users: Catalog["users"] = new Map()): Record<string, unknown> {
  const shown = Object.entries(resource.fields).flatMap(([name, { storage }]): [string, unknown][] => {
    switch (storage.shape) {
      case "id":
        return [[name, toId(resource.kind, row.uuid)]];
      case "createdAt":
        return [[name, madeAt(row.uuid).toISOString()]];
      case "createdBy": {
        const user = users.get(row.createdBy as Uuid);
        return [[name, user ? presentUser(user) : null]];
      }
      case "column":
        return [[name, storage.present(row[name])]];
      default:
        throw new Error(`"${name}" of ${resource.title} is a field of records: define it by defineRecordType`);
    }
  });
  return Object.fromEntries(shown);
}

function storedOf({ columns }: Resource, sent: Sent): Sent {
  const stored = columns.filter(({ name }) => Object.hasOwn(sent, name));
  return Object.fromEntries(stored.map(({ name, storage }) => [name, storage.store(sent[name])]));
}

function selectOf(resource: Resource): string {
  return `select ${listOf(resource)} from ${resource.table}`;
}

function listOf(resource: Resource): string {
  const makers = Object.values(resource.fields).some(({ storage }) => storage.shape === "createdBy");
  const columns = { ...columnsOf(resource), ...(makers && { createdBy: "created_by" }) };
  return Object.entries(columns)
    .map(([name, column]) => `${column} as "${name}"`)
    .join(", ");
}
