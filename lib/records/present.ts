import type { Caller } from "../caller.ts";
import { type Catalog, type FieldDefinition, type Group, presentUser, roleIn, type User } from "../catalog.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import type { Names } from "../custom-fields/type.ts";
import { madeAt, toId } from "../ids.ts";
import { type Field, type RecordKind, type Resource, TARGETS } from "../resource.ts";
import type { NamedRecord } from "./names.ts";
import type { Link, Membership, RecordRow } from "./select.ts";

/** What a caller may see of records. */
export interface View {
  catalog: Catalog;
  caller: Caller;
}

/** A record as JSON text that lacks the values which name other records: each is a gap, in the order of the text. */
export interface Presented {
  text: string;
  gaps: Gap[];
}

interface Gap {
  field: FieldDefinition;
  ids: string[];
}

/** Stands for a gap: no JSON text holds it. */
const GAP = "\u0000";

/**
 * A record as the API answers it: every field in the order of its table, groups and values as far as the caller sees them.
 * Text is put together from texts, and before names are asked for: rows that waited for those as objects, twenty lists at
 * once, made the collection of garbage a quarter of all work.
 */
export function present(resource: Resource, row: RecordRow, view: View): Presented {
  const gaps: Gap[] = [];
  const memberships = visibleMemberships(row, view);
  const parts = membersOf(resource).map(
    ({ name, key, field }) => key + fieldText(resource.kind, name, field, row, memberships, view, gaps),
  );
  return { text: `{${parts.join(",")}}`, gaps };
}

/** The ids of the records that are named in gaps. */
export function namedIn(presented: Presented[]): string[] {
  return [...new Set(presented.flatMap(({ gaps }) => gaps.flatMap(({ ids }) => ids)))];
}

/** The whole text. */
export function fill({ text, gaps }: Presented, named: Map<string, NamedRecord>): string {
  if (gaps.length === 0) return text;
  const names: Names = { user: () => undefined, record: (id) => named.get(id) };
  const pieces = text.split(GAP);
  return pieces.map((piece, i) => piece + gapText(gaps[i], names)).join("");
}

function gapText(gap: Gap | undefined, names: Names): string {
  return gap ? JSON.stringify(customFieldTypes[gap.field.type].present(gap.ids as never, gap.field, names)) : "";
}

interface Member {
  name: string;
  /** `"name":` */
  key: string;
  field: Field;
}

const members = new WeakMap<Resource, Member[]>();

function membersOf(resource: Resource): Member[] {
  let known = members.get(resource);
  if (!known) {
    known = Object.entries(resource.fields).map(([name, field]) => ({ name, key: `${JSON.stringify(name)}:`, field }));
    members.set(resource, known);
  }
  return known;
}

interface VisibleMembership extends Membership {
  group: Group;
}

function visibleMemberships(row: RecordRow, { catalog, caller }: View): VisibleMembership[] {
  return (row.memberships ?? []).flatMap(({ groupId, values }) => {
    const group = catalog.groups.get(groupId);
    return group && roleIn(group, caller.userId) ? [{ groupId, values, group }] : [];
  });
}

function fieldText(
  kind: RecordKind,
  name: string,
  { storage }: Field,
  row: RecordRow,
  memberships: VisibleMembership[],
  view: View,
  gaps: Gap[],
): string {
  switch (storage.shape) {
    case "column":
      return JSON.stringify(storage.present(row[name]));
    case "links": {
      const links = (row[name] as Link[] | null) ?? [];
      return listOf(links, ({ id, label }) => {
        return `{"id":"${toId(TARGETS[storage.target].id, id)}","${storage.label}":${JSON.stringify(label)}}`;
      });
    }
    case "id":
      return `"${toId(kind, row.id)}"`;
    case "createdAt":
      return `"${madeAt(row.id).toISOString()}"`;
    case "createdBy": {
      const user = view.catalog.users.get(row.createdBy);
      return user ? userText(user) : "null";
    }
    case "groups":
      return listOf(memberships, ({ group }) => groupText(group));
    case "values":
      return valuesText(kind, row, memberships, view, gaps);
    case "interactions":
      return NO_INTERACTIONS;
    case "connections":
      return "{}";
    default:
      return storage satisfies never;
  }
}

function listOf<Item>(items: Item[], text: (item: Item) => string): string {
  return items.length === 0 ? "[]" : `[${items.map(text).join(",")}]`;
}

// Definitions live as long as their catalog, and every record names some of them.
const userText = kept((user: User) => JSON.stringify(presentUser(user)));
const groupText = kept(({ id, name }: Group) => JSON.stringify({ id, name }));
const fieldKey = kept(({ name }: FieldDefinition) => `${JSON.stringify(name)}:`);

/** A text of a thing that does not change, made once. */
function kept<Thing extends object>(make: (thing: Thing) => string): (thing: Thing) => string {
  const texts = new WeakMap<Thing, string>();
  return (thing) => {
    let text = texts.get(thing);
    if (text === undefined) {
      text = make(thing);
      texts.set(thing, text);
    }
    return text;
  };
}

/** By group and name; of an object, which is in one group, by name alone. */
function valuesText(
  kind: RecordKind,
  row: RecordRow,
  memberships: VisibleMembership[],
  { catalog }: View,
  gaps: Gap[],
): string {
  const entity = row.objectTypeId === undefined ? kind : String(row.objectTypeId);
  const names: Names = { user: (uuid) => shownUser(catalog, uuid), record: () => undefined };
  const ofGroup = ({ group, values }: VisibleMembership) => {
    const fields = group.fields.get(entity) ?? [];
    return `{${fields.map((field) => fieldKey(field) + valueText(field, values[field.uuid], names, gaps)).join(",")}}`;
  };
  if (kind !== "object") return `{${memberships.map((one) => `"${one.group.id}":${ofGroup(one)}`).join(",")}}`;
  const [only] = memberships;
  return only ? ofGroup(only) : "{}";
}

function shownUser(catalog: Catalog, uuid: string): ReturnType<Names["user"]> {
  const user = catalog.users.get(uuid);
  return user && !user.removed ? presentUser(user) : undefined;
}

/** Every field of the group is there, unset ones as null. */
function valueText(field: FieldDefinition, stored: string | string[] | undefined, names: Names, gaps: Gap[]): string {
  if (stored === undefined) return "null";
  const type = customFieldTypes[field.type];
  if (!type.references) return JSON.stringify(type.present(stored as never, field, names));
  gaps.push({ field, ids: [stored].flat() });
  return GAP;
}

const NONE = { approximateCount: 0, lastInteractedAt: null };
const NO_INTERACTIONS = JSON.stringify({ user: NONE, workspace: { ...NONE, lastInteractedBy: [] } });
