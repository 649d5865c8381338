import type { StoredValue } from "../custom-fields/type.ts";
import type { LinksStorage } from "../fields/field.ts";
import { RECORD_TABLES, type RecordType } from "../resources/record-type.ts";
import type { Uuid } from "../values/ids.ts";

/** A record's row as `selectOf` reads it. Columns and links stand under the names of their fields. */
export interface RecordRow {
  uuid: Uuid;
  createdBy: Uuid;
  catalogVersion: number;
  memberships: Membership[] | null;
  [field: string]: unknown;
}

/** A record in a group, with the values of the group's custom fields by field id. */
export interface Membership {
  groupId: Uuid;
  values: Record<Uuid, StoredValue>;
}

/** The values of a membership with their fields. */
export function valueEntries(values: Membership["values"]): [field: Uuid, stored: StoredValue][] {
  // To Object.entries all names are plain strings.
  return Object.entries(values) as [Uuid, StoredValue][];
}

/** A linked record: its uuid and its name. */
export interface Link {
  uuid: Uuid;
  label: string;
}

const texts = new WeakMap<RecordType, string>();

/**
 * The statement that reads whole records, to be completed with conditions on `r`: one statement for any number of them,
 * memberships, values and links included. $1 is the workspace. Every row carries the catalog version of its snapshot.
 */
export function selectOf(resource: RecordType): string {
  let text = texts.get(resource);
  if (text === undefined) {
    text = build(resource);
    texts.set(resource, text);
  }
  return text;
}

const statements = new WeakMap<RecordType, Map<string, string>>();

/**
 * The statement that reads whole records, completed with conditions of which there are few different ones. Its text is kept: one
 * that is put together anew for every request is also hashed anew, to find the statement that is prepared for it.
 */
export function statementOf(resource: RecordType, conditions: string): string {
  const ofResource = statements.get(resource) ?? new Map<string, string>();
  statements.set(resource, ofResource);
  let text = ofResource.get(conditions);
  if (text === undefined) {
    text = `${selectOf(resource)} ${conditions}`;
    ofResource.set(conditions, text);
  }
  return text;
}

function build(resource: RecordType): string {
  const columns = resource.columns.map(({ name, storage }) => `r.${storage.column} as "${name}"`);
  for (const [name, column] of Object.entries(resource.rowColumns ?? {})) columns.push(`r.${column} as "${name}"`);
  const links = resource.links.map(({ name, storage }) => `${linked(storage)} as "${name}"`);
  return `select r.id as uuid, r.created_by as "createdBy", ${columns.join(", ")},
  (select json_agg(json_build_object('groupId', m.group_id, 'values', m."values") order by m.position, m.group_id)
   from ${resource.groupsTable} m where m.workspace_id = r.workspace_id and m.${resource.ownColumn} = r.id) as memberships,
  ${links.map((link) => `${link},\n  `).join("")}(select catalog_version from workspaces where id = $1) as "catalogVersion"
from ${resource.table} r
where r.workspace_id = $1`;
}

function linked({ table, from, to, target }: LinksStorage): string {
  const other = RECORD_TABLES[target];
  return `(select json_agg(json_build_object('uuid', t.id, 'label', t.${other.label}) order by l.position)
   from ${table} l join ${other.table} t on t.workspace_id = l.workspace_id and t.id = l.${to}
   where l.workspace_id = r.workspace_id and l.${from} = r.id)`;
}
