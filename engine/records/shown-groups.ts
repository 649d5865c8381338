import type { Caller } from "../../base/contract/caller.ts";
import type { Id, Uuid } from "../../base/values/ids.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Names } from "../../model/custom-fields/type.ts";
import type { Definitions, EntityKey, Group } from "../../model/definitions/definitions.ts";
import { roleIn } from "../../model/definitions/roles.ts";

/** Text about a group in answers that is the same for all records in it. */
export interface GroupText {
  id: Id;
  /** JSON of `{ id, name }`. */
  json: string;
  /** Whether a user has a role in it. */
  has(user: Uuid): boolean;
  /** The fields of all entities whose values name records. */
  references: Uuid[];
  /**
   * JSON of the values that a record has in the group: every field that the group has for the entity, null where it is
   * unset.
   * docs/guides/custom-fields.md#values-in-answers
   */
  values(entity: EntityKey, stored: Record<Uuid, unknown>, names: Names): string;
}

/** Gives the texts of the groups that the caller sees; undefined for a group that they do not see, or that is gone. */
export function groupTexts(definitions: Definitions, caller: Caller): (uuid: Uuid) => GroupText | undefined {
  const visible = new Map<Uuid, GroupText | undefined>();
  return (uuid) => {
    if (visible.has(uuid)) return visible.get(uuid);
    const group = definitions.groups.get(uuid);
    const text = group && roleIn(group, caller.userId) ? textOf(group) : undefined;
    visible.set(uuid, text);
    return text;
  };
}

/** A group that was read never changes, so its texts are made once. There are few groups, and each lives long. */
const texts = new WeakMap<Group, GroupText>();

function textOf(group: Group): GroupText {
  let text = texts.get(group);
  if (!text) {
    text = makeText(group);
    texts.set(group, text);
  }
  return text;
}

function makeText(group: Group): GroupText {
  const ofEntity = new Map<EntityKey, ValueText[]>();
  return {
    id: group.id,
    json: JSON.stringify({ id: group.id, name: group.name }),
    has: (user) => roleIn(group, user) !== null,
    references: [...group.fieldsByUuid.values()].flatMap(({ uuid, type }) =>
      customFieldTypes[type].references ? uuid : [],
    ),
    values(entity, stored, names) {
      let fields = ofEntity.get(entity);
      if (!fields) {
        fields = (group.fields.get(entity) ?? []).map(valueText);
        ofEntity.set(entity, fields);
      }
      let text = "";
      for (const { head, uuid, write } of fields) {
        const value = stored[uuid];
        text += head + (value === undefined ? "null" : write(value, names));
      }
      return `{${text}}`;
    },
  };
}

interface ValueText {
  /** The name of the field with its colon, and the comma before it. */
  head: string;
  uuid: Uuid;
  write(stored: unknown, names: Names): string;
}

function valueText(field: FieldDefinition, i: number): ValueText {
  const { present, hasOptions } = customFieldTypes[field.type];
  const textOf = (stored: unknown, names: Names) => JSON.stringify(present(stored as never, field, names));
  return {
    head: `${i === 0 ? "" : ","}${JSON.stringify(field.name)}:`,
    uuid: field.uuid,
    write: hasOptions ? optionsWriter(textOf) : textOf,
  };
}

/**
 * Returns a function that writes the value of a field with options: one option, or a list of options. It makes the JSON
 * of each option once, because the definition of a field never changes after it was read.
 */
function optionsWriter(textOf: ValueText["write"]): ValueText["write"] {
  const known = new Map<unknown, string>();
  function textOnce(option: unknown, stored: unknown, names: Names): string {
    const text = known.get(option) ?? textOf(stored, names);
    known.set(option, text);
    return text;
  }
  return (stored, names) => {
    if (!Array.isArray(stored)) return textOnce(stored, stored, names);
    let list = "";
    for (const option of stored) {
      const alone = textOnce(option, [option], names);
      // An option that was removed is not shown.
      if (alone !== "null") list += `${list && ","}${alone.slice(1, -1)}`;
    }
    return list === "" ? "null" : `[${list}]`;
  };
}
