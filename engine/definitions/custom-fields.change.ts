import { unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue, type Path, unrecognizedKeys } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { byId, type Uuid } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { FieldDefinition, Option } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { type EntityKey, findField, type Group } from "../../model/definitions/definitions.ts";
import type { Change } from "../store/store.ts";
import {
  ensureObjectType,
  insertField,
  insertOptions,
  isReservedTypeName,
  removeOptions,
  reservedTypeName,
  updateField,
  updateOptions,
} from "./custom-fields.queries.ts";
import type { FieldUpdate, NewField } from "./custom-fields.schema.ts";

/**
 * Defines a field for an entity type of a group, and gives its uuid. An objectField on person or company registers an
 * object type of its name. docs/guides/custom-fields.md#definitions, docs/guides/custom-fields.md#object-types
 * @throws ApiError 422 with all that speaks against it
 */
export async function createField(
  { write, definitions, log }: Change,
  group: Group,
  entity: EntityKey,
  sent: NewField,
): Promise<Uuid> {
  const field = { ...sent, name: sent.name.trim() };
  const registersType = registersObjectType(sent, entity);
  const issues = doubleLabels(
    (sent.options ?? []).map(({ label }, i) => ({ label: label.trim(), path: ["options", i, "label"] })),
  );
  if (findField(group, entity, field.name))
    issues.push(custom(["name"], `A custom field named "${field.name}" already exists here`));
  if (registersType && isReservedTypeName(field.name)) issues.push(reservedTypeName(["name"], field.name));
  if (issues.length > 0) throw unprocessable(issues);
  if (registersType) await ensureObjectType(write, definitions, group, field.name);
  const uuid = await insertField(write, definitions, group, entity, field);
  log.push({ type: "customField.changed", recordId: uuid, body: {} });
  return uuid;
}

/** Whether a new field registers an object type of its name: on person and company alone. */
export function registersObjectType({ type }: Pick<NewField, "type">, entity: EntityKey): boolean {
  return customFieldTypes[type].registersObjectType === true && (entity === "person" || entity === "company");
}

/**
 * Changes a field. Options are removed, then updated, then added, and labels are checked as they are after all three.
 * docs/guides/custom-fields.md#changing-a-field
 * @throws ApiError 422 with all that speaks against it
 */
export async function changeField(
  { write, definitions, log }: Change,
  group: Group,
  entity: EntityKey,
  field: FieldDefinition,
  sent: FieldUpdate,
): Promise<void> {
  const type = customFieldTypes[field.type];
  const foreign = [
    ...(type.hasOptions ? [] : ["addOptions", "updateOptions", "removeOptions"]),
    ...(type.config ? [] : ["config"]),
  ].filter((key) => Object.hasOwn(sent, key));
  const issues: Issue[] = foreign.length > 0 ? [unrecognizedKeys([], foreign)] : [];
  if (type.config && sent.config) issues.push(...issuesOf(type.config.sent, sent.config, ["config"]));
  const name = sent.name?.trim() ?? field.name;
  const other = findField(group, entity, name);
  if (other && other !== field) issues.push(custom(["name"], `A custom field named "${name}" already exists here`));
  const options = planOptions(field, sent, issues);
  if (issues.length > 0) throw unprocessable(issues);
  await updateField(write, definitions.workspaceId, { uuid: field.uuid, name, config: sent.config ?? field.config });
  await removeOptions(write, definitions.workspaceId, options.removed);
  await updateOptions(write, definitions.workspaceId, options.updated);
  await insertOptions(write, definitions.workspaceId, field.uuid, sent.addOptions ?? [], field.options.length);
  log.push({ type: "customField.changed", recordId: field.uuid, body: {} });
}

/** Which options are removed and how others are after it. What speaks against it is added to `issues`. */
function planOptions(
  field: FieldDefinition,
  sent: FieldUpdate,
  issues: Issue[],
): { removed: Uuid[]; updated: Option[] } {
  const left = new Map(field.options.map((option) => [option.uuid, option]));
  const known = (id: string, path: Path): Option | undefined => {
    const option = byId(left, "option", id);
    if (!option) issues.push(custom(path, `The field "${field.name}" has no option with the id ${id}`));
    return option;
  };
  const removed = new Set<Uuid>();
  for (const [i, id] of (sent.removeOptions ?? []).entries()) {
    const option = known(id, ["removeOptions", i]);
    if (option) removed.add(option.uuid);
  }
  for (const uuid of removed) left.delete(uuid);
  const paths = new Map<string, Path>();
  const updated = new Map<string, Option>();
  for (const [i, { id, label, color }] of (sent.updateOptions ?? []).entries()) {
    const option = known(id, ["updateOptions", i, "id"]);
    if (!option) continue;
    const after = { ...option, label: label?.trim() ?? option.label, color: color ?? option.color };
    left.set(option.uuid, after);
    updated.set(option.uuid, after);
    paths.set(option.uuid, ["updateOptions", i, "label"]);
  }
  const labels = [...left.values()].map(({ uuid, label }) => ({ label, path: paths.get(uuid) ?? [] }));
  const added = (sent.addOptions ?? []).map(({ label }, i) => ({
    label: label.trim(),
    path: ["addOptions", i, "label"],
  }));
  issues.push(
    ...doubleLabels([
      ...labels.filter(({ path }) => path.length === 0),
      ...labels.filter(({ path }) => path.length > 0),
      ...added,
    ]),
  );
  return { removed: [...removed], updated: [...updated.values()] };
}

/** An issue for each label that an earlier one of the field equals. */
function doubleLabels(labels: { label: string; path: Path }[]): Issue[] {
  const seen = new Set<string>();
  return labels.flatMap(({ label, path }) => {
    const key = comparable(label);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [custom(path, `An option "${label.slice(0, 100)}" already exists`)];
  });
}
