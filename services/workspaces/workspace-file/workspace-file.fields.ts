import { isDeepStrictEqual } from "node:util";
import { isApiError, unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue, type Path } from "../../../base/contract/issues.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import { comparable } from "../../../base/values/text.ts";
import { changeField, createField, registersObjectType } from "../../../engine/definitions/custom-fields.change.ts";
import { deleteFields, ensureObjectType } from "../../../engine/definitions/custom-fields.queries.ts";
import type { FieldUpdate, NewField } from "../../../engine/definitions/custom-fields.schema.ts";
import type { Change } from "../../../engine/store/store.ts";
import type { FieldDefinition } from "../../../model/custom-fields/definition.ts";
import { type Definitions, type EntityKey, findField, type Group } from "../../../model/definitions/definitions.ts";
import type { WantedGroup } from "./workspace-file.wanted.ts";

/**
 * Gives a group the object types and fields that a file names, in the order of the file, and with `prune` no other
 * fields.
 * docs/guides/workspace-file.md#object-types-and-fields
 * Gives what speaks against it, of all fields.
 */
export async function applyFields(
  change: Change,
  groupUuid: Uuid,
  wanted: WantedGroup,
  prune: boolean,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const before = groupIn(change.definitions, groupUuid);
  const named = new Set<Uuid>();
  let { definitions } = change;
  for (const entity of wanted.entities) {
    const applied = await applyEntity({ ...change, definitions }, groupUuid, entity, prune, issues);
    for (const uuid of applied.fields) named.add(uuid);
    definitions = applied.definitions;
  }
  const others = [...before.fieldsByUuid.keys()].filter((uuid) => !named.has(uuid));
  if (prune) await deleteFields(change.write, definitions.workspaceId, others);
  return issues;
}

/**
 * Does so for one entity. Gives the uuids of the fields that the file names, and the definitions with the object types
 * that were made.
 */
async function applyEntity(
  change: Change,
  groupUuid: Uuid,
  { at, name, fields }: WantedGroup["entities"][number],
  prune: boolean,
  issues: Issue[],
): Promise<{ fields: Uuid[]; definitions: Definitions }> {
  let { definitions } = change;
  const entity = isRecordKind(name) ? name : await makeType(change, groupIn(definitions, groupUuid), name);
  const uuids: Uuid[] = [];
  for (const [i, field] of fields.entries()) {
    const inside = { ...change, definitions };
    const uuid = await gather(issues, () =>
      applyField(inside, groupIn(definitions, groupUuid), entity, field, prune, [...at, i]),
    );
    if (uuid !== undefined) uuids.push(uuid);
    // An objectField may have made an object type, which the file may name next.
    if (uuid !== undefined && registersObjectType(field, entity)) definitions = await change.reload();
  }
  return { fields: uuids, definitions };
}

/**
 * The uuid of an object type, which is created if it does not exist. It is added to the definitions, which belong to
 * this transaction alone: reading all definitions again for each type would take long.
 */
async function makeType({ write, definitions }: Change, group: Group, name: string): Promise<Uuid> {
  const uuid = await ensureObjectType(write, definitions, group, name);
  if (!group.objectTypes.some((type) => type.uuid === uuid)) group.objectTypes.push({ uuid, name });
  return uuid;
}

function groupIn(definitions: Definitions, uuid: Uuid): Group {
  const group = definitions.groups.get(uuid);
  if (!group) throw new Error(`The group ${uuid} is gone`);
  return group;
}

function isRecordKind(name: string): name is "person" | "company" {
  return name === "person" || name === "company";
}

/** Makes or changes one field; gives its uuid. */
async function applyField(
  change: Change,
  group: Group,
  entity: EntityKey,
  field: NewField,
  prune: boolean,
  at: Path,
): Promise<Uuid> {
  const known = findField(group, entity, field.name);
  if (!known) return underPath(at, () => createField(change, group, entity, field));
  if (known.type !== field.type) {
    throw unprocessable([
      custom(
        [...at, "type"],
        `The field "${known.name}" is a ${known.type}, and the type of a field cannot change. Give the new one another name`,
      ),
    ]);
  }
  const update = updateOf(known, field, prune);
  if (Object.keys(update).length > 0) await underPath(at, () => changeField(change, group, entity, known, update));
  return known.uuid;
}

/** Changes that a field needs. It has no members when the field is as wanted. */
function updateOf(known: FieldDefinition, { name, config, options = [] }: NewField, prune: boolean): FieldUpdate {
  const wanted = new Map(options.map((option) => [comparable(option.label), option]));
  const added = options.filter(({ label }) => !known.optionsByLabel.has(comparable(label)));
  const updated = known.options.flatMap(({ uuid, label, color }) => {
    const option = wanted.get(comparable(label));
    const isSame = !option || (option.label === label && (option.color ?? color) === color);
    return isSame ? [] : [{ id: toId("option", uuid), label: option.label, color: option.color ?? color }];
  });
  const removed = prune ? known.options.filter(({ label }) => !wanted.has(comparable(label))) : [];
  return {
    ...(name !== known.name && { name }),
    ...(config && !isDeepStrictEqual(config, known.config) && { config }),
    ...(added.length > 0 && { addOptions: added }),
    ...(updated.length > 0 && { updateOptions: updated }),
    ...(removed.length > 0 && { removeOptions: removed.map(({ uuid }) => toId("option", uuid)) }),
  };
}

/**
 * Does work, and adds the issues of an error to the others, so that what comes next is judged too. Other errors fly on.
 */
export async function gather<Result>(issues: Issue[], work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const found = isApiError(error) ? error.data.details?.issues : undefined;
    if (!found) throw error;
    issues.push(...found);
    return undefined;
  }
}

/** Puts the place in the file before the paths of issues: the rules of single fields know nothing of the file. */
export async function underPath<Result>(at: Path, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const issues = isApiError(error) ? error.data.details?.issues : undefined;
    if (!issues) throw error;
    throw unprocessable(issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] })));
  }
}
