import type { Catalog, Group } from "../catalog/catalog.ts";
import { roleIn } from "../catalog/roles.ts";
import { presentUser, shownUser } from "../catalog/users.ts";
import type { Caller } from "../contract/caller.ts";
import type { FieldDefinition } from "../custom-fields/definition.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import type { Names } from "../custom-fields/type.ts";
import type { Field } from "../fields/field.ts";
import type { RecordType } from "../resources/record-type.ts";
import { madeAt, type RecordKind, toId, type Uuid } from "../values/ids.ts";
import type { NamedRecord } from "./names.ts";
import type { Link, Membership, RecordRow } from "./select.ts";

/** What a caller may see of records: their catalog, and the names of the records that custom values mention. */
export interface View {
  catalog: Catalog;
  caller: Caller;
  named: Map<string, NamedRecord>;
}

/** A record as the API answers it: every field in the order of its table, groups and values as far as the caller sees them. */
export function present(resource: RecordType, row: RecordRow, view: View): Record<string, unknown> {
  const memberships = visibleMemberships(row, view);
  const record: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(resource))
    record[name] = presentField(resource.kind, name, field, row, memberships, view);
  return record;
}

const fields = new WeakMap<RecordType, [string, Field][]>();

/** The fields of a resource as a list. It is kept, because every record of every page needs it. */
function fieldsOf(resource: RecordType): [string, Field][] {
  const known = fields.get(resource) ?? Object.entries(resource.fields);
  fields.set(resource, known);
  return known;
}

interface VisibleMembership extends Membership {
  group: Group;
}

function visibleMemberships(row: RecordRow, { catalog, caller }: View): VisibleMembership[] {
  return (row.memberships ?? []).flatMap((membership) => {
    const group = catalog.groups.get(membership.groupId);
    return group && roleIn(group, caller.userId) ? [{ ...membership, group }] : [];
  });
}

function presentField(
  kind: RecordKind,
  name: string,
  { storage }: Field,
  row: RecordRow,
  memberships: VisibleMembership[],
  view: View,
): unknown {
  switch (storage.shape) {
    case "column":
      return storage.present(row[name]);
    case "links":
      return ((row[name] as Link[] | null) ?? []).map((link) => ({
        id: toId(storage.target, link.uuid),
        [storage.label]: link.label,
      }));
    case "id":
      return toId(kind, row.uuid);
    case "createdAt":
      return madeAt(row.uuid).toISOString();
    case "createdBy": {
      const user = view.catalog.users.get(row.createdBy);
      return user ? presentUser(user) : null;
    }
    case "groups":
      return memberships.map(({ group }) => ({ id: group.id, name: group.name }));
    case "values":
      return presentValues(kind, row, memberships, view);
    case "interactions":
      return NO_INTERACTIONS;
    case "connections":
      return {};
    default:
      return storage satisfies never;
  }
}

/** Values by group and name, those of an object by name alone. docs/guides/custom-fields.md#values-in-answers */
function presentValues(kind: RecordKind, row: RecordRow, memberships: VisibleMembership[], view: View): unknown {
  const entity = (row.objectTypeId as Uuid | undefined) ?? kind;
  const byGroup = memberships.map(
    ({ group, values }) => [group.id, presentGroupValues(group.fields.get(entity) ?? [], values, view)] as const,
  );
  return kind === "object" ? (byGroup[0]?.[1] ?? {}) : Object.fromEntries(byGroup);
}

/** Every field of the group, null where it is unset. By `fromEntries`, because a name may be `__proto__`. */
function presentGroupValues(
  fields: FieldDefinition[],
  values: Membership["values"],
  { catalog, named }: View,
): Record<string, unknown> {
  const names: Names = {
    user: (uuid) => shownUser(catalog, uuid),
    record: (id) => named.get(id),
  };
  return Object.fromEntries(
    fields.map((field) => {
      const stored = values[field.uuid];
      return [
        field.name,
        stored === undefined ? null : customFieldTypes[field.type].present(stored as never, field, names),
      ];
    }),
  );
}

const NONE = { approximateCount: 0, lastInteractedAt: null };
const NO_INTERACTIONS = { user: NONE, workspace: { ...NONE, lastInteractedBy: [] } };
