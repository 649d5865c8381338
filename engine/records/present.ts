import type { Caller } from "../../base/contract/caller.ts";
import { madeAt, toId, type Uuid } from "../../base/values/ids.ts";
import { jsonList } from "../../base/values/json.ts";
import type { Names } from "../../model/custom-fields/type.ts";
import type { Definitions, EntityKey } from "../../model/definitions/definitions.ts";
import { presentUser, shownUser } from "../../model/definitions/users.ts";
import type { ColumnStorage, Field, LinksStorage } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Contact, contactOf, strongestOf, workspaceContact } from "../interactions/activity.ts";
import type { RecordNames } from "./names.ts";
import { readerOf } from "./select.ts";
import { type GroupText, groupTexts } from "./shown-groups.ts";
import type { ShownRecord } from "./shown-record.ts";

/** View of a caller on records: their definitions, and the names of the records that these link to or mention. */
export interface View {
  definitions: Definitions;
  caller: Caller;
  names: RecordNames;
}

/**
 * Creates the function that turns a record into the JSON text of the API: every field in the order of its table, with
 * the groups and values that the caller can see. `view.names` may change between two records.
 */
export function presenterOf(resource: RecordType, view: View): (record: ShownRecord) => string {
  const page = openPage(view);
  const members = membersOf(resource);
  return (record) => {
    const groups = record.memberships.map(({ groupId }) => page.group(groupId));
    let text = "";
    for (const { head, write } of members) text += head + write(record, groups, page);
    return `${text}}`;
  };
}

/** Values that are the same for all records of a page. */
interface Page {
  group(uuid: Uuid): GroupText | undefined;
  /** JSON of a user, also of one who was removed. */
  user(uuid: Uuid): string;
  /** Whether a user is one of a group: of a public one every user of the workspace, and none who was removed. */
  isIn(user: Uuid, group: GroupText): boolean;
  names: Names;
  caller: Caller;
}

function openPage({ definitions, caller, names }: View): Page {
  const users = new Map<Uuid, string>();
  const user = (uuid: Uuid): string => {
    const known = users.get(uuid);
    if (known !== undefined) return known;
    const found = definitions.users.get(uuid);
    const text = found ? JSON.stringify(presentUser(found)) : "null";
    users.set(uuid, text);
    return text;
  };
  return {
    group: groupTexts(definitions, caller),
    user,
    isIn: (uuid, group) => definitions.users.get(uuid)?.removed === false && group.has(uuid),
    caller,
    names: { user: (uuid) => shownUser(definitions, uuid), record: (id) => names.get(id) },
  };
}

interface Member {
  /** Its name with the colon, and the brace or comma before it. */
  head: string;
  write: Write;
}

/**
 * Writes the value of a member. `groups` are the groups of the memberships of the record, undefined where the caller
 * cannot see them.
 */
type Write = (record: ShownRecord, groups: (GroupText | undefined)[], page: Page) => string;

const known = new Map<RecordType, Member[]>();

/**
 * The members of a record's JSON, which follow from the table of fields. They are made once for each type of record.
 */
function membersOf(resource: RecordType): Member[] {
  let members = known.get(resource);
  if (!members) {
    members = Object.entries(resource.fields).map(([name, field], i) => ({
      head: `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`,
      write: writerOf(resource, name, field),
    }));
    known.set(resource, members);
  }
  return members;
}

function writerOf(resource: RecordType, name: string, { storage }: Field): Write {
  const { place } = readerOf(resource);
  const textOf = (column: string): TextOf => {
    const at = place[column] ?? 0;
    return ({ texts }) => texts[at] ?? null;
  };
  const uuid = textOf("uuid");
  const createdBy = textOf("createdBy");
  switch (storage.shape) {
    case "column":
      return columnWriter(place[name] ?? 0, storage);
    case "links":
      return linksWriter(
        storage,
        resource.links.findIndex((link) => link.name === name),
      );
    case "id":
      return (record) => `"${toId(resource.kind, uuid(record) as Uuid)}"`;
    case "createdAt":
      return (record) => `"${madeAt(uuid(record) as Uuid).toISOString()}"`;
    case "createdBy":
      return (record, _, page) => page.user(createdBy(record) as Uuid);
    case "groups":
      return writeGroups;
    case "values":
      return resource.kind === "object" ? objectValuesWriter(textOf("objectTypeId")) : valuesWriter(resource.kind);
    case "interactions":
      return writeInteractions;
    case "connections":
      return writeConnections;
    case "entity":
    case "composed":
      throw new Error(`"${name}" of ${resource.title} is a field of plain resources`);
    default:
      return storage satisfies never;
  }
}

type TextOf = (record: ShownRecord) => string | null;

/** Lists are stored as JSON and go into the answer as they are. */
function columnWriter(at: number, { type, present }: Pick<ColumnStorage, "type" | "present">): Write {
  if (type === "json") return ({ texts }) => texts[at] ?? "[]";
  return ({ texts }) => {
    const text = texts[at] ?? null;
    return text === null ? "null" : JSON.stringify(present(text));
  };
}

/** A linked record that was deleted has no name, and is not shown. */
function linksWriter({ target, label }: LinksStorage, at: number): Write {
  return ({ links }, _, { names }) => {
    let text = "";
    for (const uuid of links[at] ?? []) {
      const record = names.record(toId(target, uuid));
      if (record) text += `${text && ","}{"id":"${record.id}","${label}":${JSON.stringify(record.fullName)}}`;
    }
    return `[${text}]`;
  };
}

function writeGroups(_: ShownRecord, groups: (GroupText | undefined)[]): string {
  let text = "";
  for (const group of groups) if (group) text += (text && ",") + group.json;
  return `[${text}]`;
}

/** Values by group and name. docs/guides/custom-fields.md#values-in-answers */
function valuesWriter(kind: EntityKey): Write {
  return ({ memberships }, groups, { names }) => {
    let text = "";
    for (const [i, { values }] of memberships.entries()) {
      const group = groups[i];
      if (group) text += `${text && ","}"${group.id}":${group.values(kind, values, names)}`;
    }
    return `{${text}}`;
  };
}

/** Values of an object by name alone, because an object is in one group. */
function objectValuesWriter(objectTypeId: TextOf): Write {
  return (record, [group], { names }) => {
    const [membership] = record.memberships;
    return group && membership ? group.values(objectTypeId(record) as Uuid, membership.values, names) : "{}";
  };
}

const NONE = { approximateCount: 0, lastInteractedAt: null };
const NO_INTERACTIONS = JSON.stringify({ user: NONE, workspace: { ...NONE, lastInteractedBy: [] } });

/** Counts and times of contacts of the caller, and of any user of the workspace. docs/guides/people.md#interactions */
function writeInteractions({ activity }: ShownRecord, _: unknown, { caller, user }: Page): string {
  if (!activity) return NO_INTERACTIONS;
  const { lastBy, ...workspace } = workspaceContact(activity);
  const by = lastBy.map(user).filter((text) => text !== "null");
  return `{"user":{${counted(contactOf(activity, caller.userId))}},"workspace":{${counted(workspace)},"lastInteractedBy":${jsonList(by)}}}`;
}

function counted(contact: Contact | undefined): string {
  return contact ? `"approximateCount":${contact.count},"lastInteractedAt":"${contact.lastAt}"` : NOTHING_COUNTED;
}

const NOTHING_COUNTED = JSON.stringify(NONE).slice(1, -1);

/** The member with the most contacts in each visible group of the record. docs/guides/people.md#interactions */
function writeConnections({ activity }: ShownRecord, groups: (GroupText | undefined)[], { user, isIn }: Page): string {
  if (!activity) return "{}";
  let text = "";
  for (const group of groups) {
    const strongest = group && strongestOf(activity, (uuid) => isIn(uuid, group));
    if (strongest) text += `${text && ","}"${group.id}":${user(strongest)}`;
  }
  return `{${text}}`;
}
