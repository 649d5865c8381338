import { LRUCache } from "lru-cache";
import { EMAIL_LENGTH_MAX, FIELD_NAME_LENGTH_MAX } from "../config/limits.ts";
import type { Caller } from "./caller.ts";
import type { CustomFieldTypeName } from "./custom-fields/type.ts";
import { ApiError } from "./errors.ts";
import { toId, uuidOf } from "./ids.ts";
import { canEqual, comparable, comparableEmail } from "./text.ts";

// Everything of a workspace that is small, changes seldom and is needed by nearly every request: users, groups, members,
// roles, definitions of fields. It is read whole, kept by every process, and carries a version that every change of it
// raises in its own transaction. Statements that read records give the version of their snapshot along, so a stale
// catalog is noticed by the very request that would have used it.

export type Role = "reader" | "contributor" | "admin";
export const ROLES: readonly Role[] = ["reader", "contributor", "admin"];

export interface User {
  uuid: string;
  id: string;
  email: string;
  fullName: string;
  role: "admin" | "member";
  createdAt: string;
  /** A removed user stays as creator of records and is nobody else. */
  removed: boolean;
}

export interface Option {
  uuid: string;
  label: string;
  color: string;
}

export interface FieldDefinition {
  uuid: string;
  groupUuid: string;
  name: string;
  /** The name as names are compared. */
  key: string;
  type: CustomFieldTypeName;
  config: Record<string, unknown> | null;
  options: Option[];
  optionsByUuid: Map<string, Option>;
  optionsByLabel: Map<string, Option>;
}

/** person, company, or the uuid of an object type. */
export type EntityKey = string;

export interface ObjectType {
  uuid: string;
  name: string;
}

export interface Group {
  uuid: string;
  id: string;
  name: string;
  visibility: "public" | "private";
  members: Map<string, Role>;
  /** In order of creation. */
  objectTypes: ObjectType[];
  /** Definitions by entity, in order of creation. */
  fields: Map<EntityKey, FieldDefinition[]>;
  fieldsByUuid: Map<string, FieldDefinition>;
}

export interface Catalog {
  workspaceId: string;
  version: number;
  users: Map<string, User>;
  usersByEmail: Map<string, User>;
  groups: Map<string, Group>;
}

/** Runs one statement: on the reader of lib/database.ts, or inside a transaction. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;

const CATALOG_SQL = `
select w.catalog_version as version,
  (select coalesce(json_agg(u order by u.id), '[]') from (
     select id, email, full_name as "fullName", role, created_at as "createdAt", removed_at is not null as removed
     from users where workspace_id = w.id) u) as users,
  (select coalesce(json_agg(g order by g.id), '[]') from (
     select id, name, visibility from groups where workspace_id = w.id) g) as groups,
  (select coalesce(json_agg(json_build_array(group_id, user_id, role)), '[]') from group_members where workspace_id = w.id) as members,
  (select coalesce(json_agg(json_build_array(group_id, id, name) order by id), '[]') from object_types where workspace_id = w.id) as types,
  (select coalesce(json_agg(f order by f.id), '[]') from (
     select id, group_id as "groupId", coalesce(object_type_id::text, entity_kind) as entity, name, type, config
     from custom_fields where workspace_id = w.id) f) as fields,
  (select coalesce(json_agg(json_build_array(field_id, id, label, color) order by position, id), '[]')
     from custom_field_options where workspace_id = w.id) as options
from workspaces w where w.id = $1`;

interface CatalogRow {
  version: number;
  users: { id: string; email: string; fullName: string; role: User["role"]; createdAt: string; removed: boolean }[];
  groups: { id: string; name: string; visibility: Group["visibility"] }[];
  members: [group: string, user: string, role: Role][];
  types: [group: string, id: string, name: string][];
  fields: {
    id: string;
    groupId: string;
    entity: EntityKey;
    name: string;
    type: CustomFieldTypeName;
    config: Record<string, unknown> | null;
  }[];
  options: [field: string, id: string, label: string, color: string][];
}

/** The catalog of a workspace as the statement's snapshot has it; undefined when there is no such workspace. */
export async function loadCatalog(query: Query, workspaceId: string): Promise<Catalog | undefined> {
  const [row] = await query<CatalogRow>(CATALOG_SQL, [workspaceId]);
  if (!row) return undefined;
  const users = row.users.map((user) => ({ ...user, uuid: user.id, id: toId("user", user.id) }));
  const groups = new Map<string, Group>();
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
  const options = Map.groupBy(row.options, ([field]) => field);
  for (const field of row.fields) addField(groups, field, options.get(field.id) ?? []);
  return {
    workspaceId,
    version: Number(row.version),
    users: new Map(users.map((user) => [user.uuid, user])),
    usersByEmail: new Map(users.filter((user) => !user.removed).map((user) => [comparableEmail(user.email), user])),
    groups,
  };
}

function addField(
  groups: Map<string, Group>,
  row: CatalogRow["fields"][number],
  optionRows: CatalogRow["options"],
): void {
  const group = groups.get(row.groupId);
  if (!group) return;
  const options = optionRows.map(([, uuid, label, color]) => ({ uuid, label, color }));
  const field: FieldDefinition = {
    uuid: row.id,
    groupUuid: row.groupId,
    name: row.name,
    key: comparable(row.name),
    type: row.type,
    config: row.config,
    options,
    optionsByUuid: new Map(options.map((option) => [option.uuid, option])),
    optionsByLabel: new Map(options.map((option) => [comparable(option.label), option])),
  };
  const ofEntity = group.fields.get(row.entity);
  if (ofEntity) ofEntity.push(field);
  else group.fields.set(row.entity, [field]);
  group.fieldsByUuid.set(field.uuid, field);
}

/** The role of a user in a group, null when the group does not exist for them. gaps 3. */
export function roleIn(group: Group, userUuid: string): Role | null {
  const role = group.members.get(userUuid);
  if (role) return role;
  return group.visibility === "public" ? "admin" : null;
}

/** Whether a role may do what another one is needed for. */
function suffices(role: Role | null, needed: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** 403 when the caller's role in a group is lower than needed. */
export function needRole(group: Group, caller: Caller, needed: Role): void {
  const refusal = refuseRole(group, caller, needed);
  if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
}

/** Why a caller's role in a group is too low; null when it suffices. */
export function refuseRole(group: Group, caller: Caller, needed: Role): string | null {
  const role = roleIn(group, caller.userId);
  return suffices(role, needed) ? null : `Your role in the group "${group.name}" is ${role}; this needs ${needed}.`;
}

/** The group with this id, if the caller can see it. */
export function visibleGroup(catalog: Catalog, caller: Caller, id: string): Group | undefined {
  const group = catalog.groups.get(uuidOf("group", id) ?? "");
  return group && roleIn(group, caller.userId) ? group : undefined;
}

/** The groups that the caller can see, in order of creation. */
export function visibleGroups(catalog: Catalog, caller: Caller): Group[] {
  return [...catalog.groups.values()].filter((group) => roleIn(group, caller.userId) !== null);
}

/** The definition of this name on an entity of a group. */
export function findField(group: Group, entity: EntityKey, name: string): FieldDefinition | undefined {
  if (!canEqual(name, FIELD_NAME_LENGTH_MAX)) return undefined;
  const key = comparable(name);
  return group.fields.get(entity)?.find((field) => field.key === key);
}

/** A user as records show it. */
export function presentUser(user: User): { id: string; fullName: string; email: string } {
  return { id: user.id, fullName: user.fullName, email: user.email };
}

/** The user with this uuid as values show them; undefined for one who was removed. */
export function shownUser(catalog: Catalog, uuid: string): ReturnType<typeof presentUser> | undefined {
  const user = catalog.users.get(uuid);
  return user && !user.removed ? presentUser(user) : undefined;
}

/** A user who is still one, named by `{ id }` or `{ email }`. */
export function findUser(
  catalog: Catalog,
  reference: { id?: string | undefined; email?: string | undefined },
): User | undefined {
  const { id, email = "" } = reference;
  if (id === undefined)
    return canEqual(email, EMAIL_LENGTH_MAX) ? catalog.usersByEmail.get(comparableEmail(email)) : undefined;
  const user = catalog.users.get(uuidOf("user", id) ?? "");
  return user?.removed ? undefined : user;
}

export interface Catalogs {
  /** What this process knows of the workspace, possibly outdated: compare its version with that of the records read. */
  known(workspaceId: string): Promise<Catalog>;
  /** Read anew unless this process has this version already. */
  atLeast(workspaceId: string, version: number): Promise<Catalog>;
  /** The version of now: one small statement, and the whole catalog when it changed. */
  current(workspaceId: string): Promise<Catalog>;
}

/** At most so many workspaces are kept in a process; the least used go first. */
const WORKSPACES_KEPT = 1000;

/** Catalogs of one process, read with `query` when needed. */
export function createCatalogs(query: Query): Catalogs {
  const kept = new LRUCache<string, Catalog>({ max: WORKSPACES_KEPT });

  async function load(workspaceId: string): Promise<Catalog> {
    const catalog = await loadCatalog(query, workspaceId);
    // The caller's key was valid a moment ago, so the workspace was removed just now.
    if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
    const other = kept.get(workspaceId);
    if (!other || other.version < catalog.version) kept.set(workspaceId, catalog);
    return catalog;
  }

  async function known(workspaceId: string): Promise<Catalog> {
    return kept.get(workspaceId) ?? load(workspaceId);
  }

  async function atLeast(workspaceId: string, version: number): Promise<Catalog> {
    const catalog = kept.get(workspaceId);
    return catalog && catalog.version >= version ? catalog : load(workspaceId);
  }

  async function current(workspaceId: string): Promise<Catalog> {
    const [row] = await query<{ version: number }>("select catalog_version as version from workspaces where id = $1", [
      workspaceId,
    ]);
    return atLeast(workspaceId, Number(row?.version ?? 0));
  }

  return { known, atLeast, current };
}
