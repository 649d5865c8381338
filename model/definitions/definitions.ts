import { openSlices, type Slices } from "../../base/loop/slices.ts";
import { type Id, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { canEqual, comparable, comparableEmail } from "../../base/values/text.ts";
import { FIELD_NAME_LENGTH_MAX } from "../../config/limits.ts";
import type { Query, TextRow } from "../../database/query.ts";
import {
  type CustomFieldTypeName,
  definitionOf,
  type FieldData,
  type FieldDefinition,
} from "../custom-fields/definition.ts";

// Definitions are everything of a workspace that is small, changes seldom and is needed by nearly every request: users,
// groups, members, roles, definitions of fields. It is read whole, kept by every process, and carries a version that
// every change of it raises in its own transaction. Statements that read records give the version of their snapshot
// along, so stale definitions are noticed by the very request that would have used it. docs/decisions/0002-catalog.md

export type Role = "reader" | "contributor" | "admin";

export interface User {
  uuid: Uuid;
  id: Id;
  email: string;
  fullName: string;
  role: "admin" | "member";
  createdAt: string;
  /** A user who was removed is still shown as `createdBy`, and nowhere else. docs/guides/access.md#users */
  removed: boolean;
}

/** Entity type the fields belong to: `person`, `company`, or the uuid of an object type. */
export type EntityKey = RecordKind | Uuid;

export interface ObjectType {
  uuid: Uuid;
  name: string;
}

export interface Group {
  uuid: Uuid;
  id: Id;
  name: string;
  visibility: "public" | "private";
  members: Map<Uuid, Role>;
  /** In the order of their creation. */
  objectTypes: ObjectType[];
  /** Definitions by entity, in the order of their creation. */
  fields: Map<EntityKey, FieldDefinition[]>;
  fieldsByUuid: Map<Uuid, FieldDefinition>;
}

export interface Definitions {
  workspaceId: Uuid;
  version: number;
  users: Map<Uuid, User>;
  usersByEmail: Map<string, User>;
  groups: Map<Uuid, Group>;
}

const CATALOG_SQL = `
select w.catalog_version as version,
  (select coalesce(json_agg(u order by u.id), '[]') from (
     select id, email, full_name as "fullName", role, created_at as "createdAt", removed_at is not null as removed
     from users where workspace_id = $1) u) as users,
  (select coalesce(json_agg(g order by g.id), '[]') from (
     select id, name, visibility from groups where workspace_id = $1) g) as groups,
  (select coalesce(json_agg(json_build_array(group_id, user_id, role)), '[]') from group_members where workspace_id = $1) as members,
  (select coalesce(json_agg(json_build_array(group_id, id, name) order by id), '[]') from object_types where workspace_id = $1) as types,
  (select coalesce(json_agg(f order by f.id), '[]') from (
     select id, group_id as "groupId", coalesce(object_type_id::text, entity_kind) as entity, name, type, config
     from custom_fields where workspace_id = $1) f) as fields,
  (select coalesce(json_agg(json_build_array(field_id, id, label, color, position) order by position, id), '[]')
     from custom_field_options where workspace_id = $1) as options
from workspaces w where w.id = $1`;

interface DefinitionsRow {
  version: number;
  users: { id: Uuid; email: string; fullName: string; role: User["role"]; createdAt: string; removed: boolean }[];
  groups: { id: Uuid; name: string; visibility: Group["visibility"] }[];
  members: [group: Uuid, user: Uuid, role: Role][];
  types: [group: Uuid, id: Uuid, name: string][];
  fields: {
    id: Uuid;
    groupId: Uuid;
    entity: EntityKey;
    name: string;
    type: CustomFieldTypeName;
    config: Record<string, unknown> | null;
  }[];
  options: [field: Uuid, id: Uuid, label: string, color: string, position: number][];
}

/**
 * Reads the definitions of a workspace with one statement; undefined when there is no such workspace. Many are put
 * together in slices, so that others are served meanwhile.
 */
export async function loadDefinitions(query: Query, workspaceId: Uuid): Promise<Definitions | undefined> {
  const [texts] = await query<TextRow>(CATALOG_SQL, [workspaceId], "texts");
  if (!texts) return undefined;
  const slices = openSlices();
  const row = await parseInSlices(texts, slices);
  const users = row.users.map((user) => ({ ...user, uuid: user.id, id: toId("user", user.id) }));
  const groups = groupsOf(row);
  const options = Map.groupBy(row.options, ([field]) => field);
  for (const field of row.fields) {
    if (slices.isOver()) await slices.next();
    addField(groups, field, options.get(field.id) ?? []);
  }
  return {
    workspaceId,
    version: Number(row.version),
    users: new Map(users.map((user) => [user.uuid, user])),
    usersByEmail: new Map(users.filter((user) => !user.removed).map((user) => [comparableEmail(user.email), user])),
    groups,
  };
}

/** The columns of CATALOG_SQL, in their order. */
const COLUMNS = ["version", "users", "groups", "members", "types", "fields", "options"] as const;

async function parseInSlices(texts: TextRow, slices: Slices): Promise<DefinitionsRow> {
  const row: Partial<Record<(typeof COLUMNS)[number], unknown>> = {};
  for (const [i, column] of COLUMNS.entries()) {
    row[column] = JSON.parse(texts[i] ?? "null");
    if (slices.isOver()) await slices.next();
  }
  return row as DefinitionsRow;
}

/** The groups with their members and object types, still without fields. */
function groupsOf(row: DefinitionsRow): Map<Uuid, Group> {
  const groups = new Map<Uuid, Group>();
  for (const { id, name, visibility } of row.groups) {
    groups.set(id, {
      uuid: id,
      id: toId("group", id),
      name,
      visibility,
      members: new Map(),
      objectTypes: [],
      fields: new Map(),
      fieldsByUuid: new Map(),
    });
  }
  for (const [group, user, role] of row.members) groups.get(group)?.members.set(user, role);
  for (const [group, uuid, name] of row.types) groups.get(group)?.objectTypes.push({ uuid, name });
  return groups;
}

function addField(
  groups: Map<Uuid, Group>,
  row: DefinitionsRow["fields"][number],
  optionRows: DefinitionsRow["options"],
): void {
  const group = groups.get(row.groupId);
  if (!group) return;
  const options = optionRows.map(([, uuid, label, color, position]) => ({ uuid, label, color, position }));
  const { id: uuid, name, type, config } = row;
  const field = definitionOf(group.uuid, { uuid, name, type, config, options });
  const ofEntity = group.fields.get(row.entity);
  if (ofEntity) ofEntity.push(field);
  else group.fields.set(row.entity, [field]);
  group.fieldsByUuid.set(field.uuid, field);
}

/** The definition of this name on an entity of a group. Names are compared after NFC. docs/guides/values.md#text */
export function findField(group: Group, entity: EntityKey, name: string): FieldDefinition | undefined {
  if (!canEqual(name, FIELD_NAME_LENGTH_MAX)) return undefined;
  const key = comparable(name);
  return group.fields.get(entity)?.find((field) => field.key === key);
}

/** The definitions as they would be if an entity of a group had these fields, and no others. */
export function withFields(
  definitions: Definitions,
  group: Group,
  entity: EntityKey,
  fields: FieldData[],
): Definitions {
  const defined = fields.map((field) => definitionOf(group.uuid, field));
  const changed: Group = {
    ...group,
    fields: new Map([...group.fields, [entity, defined]]),
    fieldsByUuid: new Map([
      ...group.fieldsByUuid,
      ...defined.map((field): [Uuid, FieldDefinition] => [field.uuid, field]),
    ]),
  };
  return { ...definitions, groups: new Map([...definitions.groups, [group.uuid, changed]]) };
}
