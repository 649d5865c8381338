import { isDeepStrictEqual } from "node:util";
import type { Uuid } from "../../../base/values/ids.ts";
import type { FieldDefinition } from "../../../model/custom-fields/definition.ts";
import type { Definitions, EntityKey, Group, User } from "../../../model/definitions/definitions.ts";
import type { LogEntry } from "../../../model/log.ts";
import type { Loss } from "./workspace-file.losses.ts";

/** Differences of a thing: its members with their old and new values. */
export type Differences = Record<string, { from: unknown; to: unknown }>;

/**
 * Something that a file makes, changes or removes. `group`, `entity` (`person`, `company` or an object type) and
 * `field` say where it is, as far as it is in one.
 */
export interface FileChange {
  action: "add" | "change" | "remove";
  what: "workspace" | "user" | "group" | "member" | "objectType" | "field" | "option";
  name: string;
  group?: string;
  entity?: string;
  field?: string;
  /** Properties of a new thing besides its name. */
  as?: Record<string, unknown>;
  differences?: Differences;
  /** Losses of records by a removed thing. */
  loses?: Loss;
}

/** Changes of a file in one workspace. */
export interface WorkspaceChanges {
  slug: string;
  changes: FileChange[];
}

/** A change with the thing itself, by which its loss is counted, and with the entry that it leaves in the log. */
export type FoundChange = FileChange & { uuid: Uuid; entry: Entry };

type Entry = Pick<LogEntry, "type" | "recordId">;

/** A thing before and after, of which one may be missing. */
interface Pair<Thing> {
  uuid: Uuid;
  before?: Thing;
  after?: Thing;
}

/**
 * Differences between the definitions of a workspace before and after a file was applied, in the order of the file:
 * users, then group by group members, object types and fields with their options. Parts of a group or field that is new
 * or gone as a whole are not listed, except members and fields of a new group.
 */
export function changesBetween(before: Definitions, after: Definitions): FoundChange[] {
  const active = (definitions: Definitions) => new Map([...definitions.users].filter(([, user]) => !user.removed));
  const users = pairs(active(before), active(after)).flatMap((pair) =>
    changeOf("user", pair, userMembers, "email", { type: "user.changed", recordId: pair.uuid }),
  );
  const groups = pairs(before.groups, after.groups).flatMap((pair) => changesOfGroup(pair, before, after));
  return [...users, ...groups];
}

/** The entries of the log for changes: one for each thing that is changed, its parts included. */
export function entriesOf(changes: readonly FoundChange[]): LogEntry[] {
  const entries = new Map(changes.map(({ entry }) => [`${entry.type} ${entry.recordId}`, { ...entry, body: {} }]));
  return [...entries.values()];
}

const userMembers = ({ email, fullName, role }: User) => ({ email, fullName, role });
const groupMembers = ({ name, visibility }: Group) => ({ name, visibility });
const fieldMembers = ({ name, type, config }: FieldDefinition) => ({ name, type, ...(config && { config }) });
const optionMembers = ({ label, color }: FieldDefinition["options"][number]) => ({ label, color });

function changesOfGroup(pair: Pair<Group>, before: Definitions, after: Definitions): FoundChange[] {
  const entry: Entry = { type: "group.changed", recordId: pair.uuid };
  const own = changeOf("group", pair, groupMembers, "name", entry);
  if (!pair.after) return own;
  const group = pair.after.name;
  const types = pairs(typesOf(pair.before), typesOf(pair.after)).flatMap((type) =>
    changeOf("objectType", type, ({ name }) => ({ name }), "name", entry),
  );
  const below = [...membersOf(pair, before, after), ...types, ...fieldsOf(pair)];
  return [...own, ...below.map(({ action, what, name, ...rest }) => ({ action, what, name, group, ...rest }))];
}

function membersOf({ before, after }: Pair<Group>, old: Definitions, now: Definitions): FoundChange[] {
  const roles = (group: Group | undefined, { users }: Definitions) =>
    new Map([...(group?.members ?? [])].map(([uuid, role]) => [uuid, { role, user: users.get(uuid)?.email ?? uuid }]));
  return pairs(roles(before, old), roles(after, now)).flatMap((pair) =>
    changeOf("member", pair, ({ user, role }) => ({ user, role }), "user", {
      type: "member.changed",
      recordId: pair.uuid,
    }),
  );
}

function typesOf(group: Group | undefined): Map<Uuid, { uuid: Uuid; name: string }> {
  return new Map(group?.objectTypes.map((type) => [type.uuid, type]));
}

function fieldsOf({ before, after }: Pair<Group>): FoundChange[] {
  const types = new Map([...typesOf(before), ...typesOf(after)]);
  const entities = new Set<EntityKey>([...(after?.fields.keys() ?? []), ...(before?.fields.keys() ?? [])]);
  return [...entities].flatMap((entity) => {
    // An entity that is no kind of record is the uuid of an object type.
    const name = entity === "person" || entity === "company" ? entity : (types.get(entity as Uuid)?.name ?? entity);
    const byUuid = (group: Group | undefined) =>
      new Map((group?.fields.get(entity) ?? []).map((field) => [field.uuid, field]));
    return pairs(byUuid(before), byUuid(after)).flatMap((pair) =>
      changesOfField(pair).map((change) => ({ ...change, entity: name })),
    );
  });
}

function changesOfField(pair: Pair<FieldDefinition>): FoundChange[] {
  const entry: Entry = { type: "customField.changed", recordId: pair.uuid };
  const own = changeOf("field", pair, fieldMembers, "name", entry);
  const { before, after } = pair;
  if (!after) return own;
  const labels = after.options.map(({ label }) => label);
  if (!before)
    return own.map((change) => (labels.length > 0 ? { ...change, as: { ...change.as, options: labels } } : change));
  const byUuid = ({ options }: FieldDefinition) => new Map(options.map((option) => [option.uuid, option]));
  const options = pairs(byUuid(before), byUuid(after)).flatMap((option) =>
    changeOf("option", option, optionMembers, "label", entry),
  );
  return [...own, ...options.map((change) => ({ ...change, field: after.name }))];
}

/** The change that a pair is: none when both are alike. `named` is the member that the thing is called by. */
function changeOf<Thing extends object>(
  what: FileChange["what"],
  { uuid, before, after }: Pair<Thing>,
  membersOf: (thing: Thing) => Record<string, unknown>,
  named: string,
  entry: Entry,
): FoundChange[] {
  const [old, now] = [before && membersOf(before), after && membersOf(after)];
  const found = { uuid, entry };
  if (old && !now) return [{ action: "remove", what, name: String(old[named]), ...found }];
  if (!now) return [];
  const { [named]: name, ...as } = now;
  if (!old) return [{ action: "add", what, name: String(name), as, ...found }];
  const differing = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (member) => !isDeepStrictEqual(old[member], now[member]),
  );
  if (differing.length === 0) return [];
  const differences = differing.map((member) => [member, { from: old[member] ?? null, to: now[member] ?? null }]);
  return [{ action: "change", what, name: String(name), differences: Object.fromEntries(differences), ...found }];
}

/** Things before and after, by their uuids: those that there are now in their order, then those that are gone. */
function pairs<Thing>(before: Map<Uuid, Thing>, after: Map<Uuid, Thing>): Pair<Thing>[] {
  const now = [...after].map(([uuid, thing]): Pair<Thing> => {
    const old = before.get(uuid);
    return old === undefined ? { uuid, after: thing } : { uuid, before: old, after: thing };
  });
  const gone = [...before]
    .filter(([uuid]) => !after.has(uuid))
    .map(([uuid, thing]): Pair<Thing> => ({ uuid, before: thing }));
  return [...now, ...gone];
}
