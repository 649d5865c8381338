import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import { noteName, notes } from "../../model/resources/notes.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Resource, Viewer } from "../../model/resources/resource.ts";
import { tasks } from "../../model/resources/tasks.ts";
import { type Reading, readFound } from "../records/read.ts";
import { listRows, presentRow } from "../rows/rows.ts";
import type { Asked } from "./asked.ts";
import { type FieldText, type Match, matchesIn } from "./finds.ts";
import type { Hit } from "./ranked.ts";

/** A find as it is answered. docs/guides/search.md#answers */
export interface Item {
  id: string;
  entityType: Hit["type"]["kind"];
  fullName: string;
  /** The type of an object, by its name, and its group. */
  objectType?: string;
  groupId?: string;
  /** The record that a note or a task is about. */
  entity?: unknown;
  matched: Match[];
}

/** A thing as its caller sees it: the members of its answer. */
type Shown = Record<string, unknown>;

/**
 * The finds as they are answered, in their order. Things that are gone meanwhile are left out, and those in whose texts
 * a word is missing.
 */
export async function shownHits(
  reading: Reading,
  viewing: Viewer,
  asked: Asked,
  hits: readonly Hit[],
): Promise<Item[]> {
  const byUuid = new Map<Uuid, Item>();
  for (const type of new Set(hits.map((hit) => hit.type))) {
    const uuids = hits.flatMap((hit) => (hit.type === type ? [hit.uuid] : []));
    const items = type.record
      ? await recordItems(reading, viewing, asked, type.record, uuids)
      : await rowItems(reading, viewing, asked, type.kind === "note" ? notes : tasks, uuids);
    for (const [uuid, item] of items) byUuid.set(uuid, item);
  }
  return hits.flatMap(({ uuid }) => byUuid.get(uuid) ?? []);
}

async function recordItems(
  reading: Reading,
  viewing: Viewer,
  asked: Asked,
  resource: RecordType,
  uuids: readonly Uuid[],
): Promise<Map<Uuid, Item>> {
  const { page } = await readFound(reading, resource, viewing.caller, uuids);
  const shown = new Map((JSON.parse(page.items) as Shown[]).map((one) => [String(one.id), one]));
  const types = resource.kind === "object" ? await typesOf(reading.query, viewing, uuids) : new Map();
  const found = new Map<Uuid, Item>();
  for (const uuid of uuids) {
    const id = toId(resource.kind, uuid);
    const record = shown.get(id);
    const type: ObjectTypeOf | undefined = types.get(uuid);
    if (!record || (resource.kind === "object" && !type)) continue;
    const matched = matchesIn(asked, [...ownTexts(resource, record), ...customTexts(viewing, resource, record, type)]);
    if (!matched) continue;
    const fullName = String(record[resource.nameField]);
    const { objectType, groupId } = type ?? {};
    found.set(uuid, { id, entityType: resource.kind, fullName, ...(type && { objectType, groupId }), matched });
  }
  return found;
}

/** The type of an object, with the definitions of its fields. */
interface ObjectTypeOf {
  objectType: string;
  groupId: string;
  fields: readonly FieldDefinition[];
}

async function typesOf(query: Query, { caller, definitions }: Viewer, uuids: readonly Uuid[]) {
  const rows = await query<{ id: Uuid; type: Uuid }>(
    "select id, object_type_id as type from object_search where workspace_id = $1 and id = any($2::uuid[])",
    [caller.workspaceId, printUuids(uuids)],
  );
  const byType = new Map<Uuid, ObjectTypeOf>();
  for (const group of visibleGroups(definitions, caller))
    for (const { uuid, name } of group.objectTypes)
      byType.set(uuid, { objectType: name, groupId: group.id, fields: group.fields.get(uuid) ?? [] });
  return new Map(rows.map(({ id, type }) => [id, byType.get(type)]));
}

/** The texts of the fields that are searched. */
function ownTexts({ worded }: Pick<Resource, "worded">, shown: Shown): FieldText[] {
  return worded.flatMap(({ name, words }) => textsIn(shown[name]).map((text) => ({ path: [name], text, kind: words })));
}

/** The texts and options of custom fields, and the names of companies. */
function customTexts(
  { definitions, caller }: Viewer,
  { kind }: RecordType,
  record: Shown,
  type: ObjectTypeOf | undefined,
): FieldText[] {
  const values = record.customFieldValues as Record<string, unknown> | undefined;
  const custom = type
    ? valueTexts(type.fields, values, [])
    : visibleGroups(definitions, caller).flatMap((group) =>
        valueTexts(group.fields.get(kind) ?? [], values?.[group.id] as Shown | undefined, [group.id]),
      );
  const employers = kind === "person" ? ((record.companies ?? []) as { name: string }[]) : [];
  return [...custom, ...employers.map(({ name }) => ({ path: ["companies"], text: name, kind: "company" as const }))];
}

/** Whether the values of a field are texts or options. */
function isWorded({ type, optionsByUuid }: FieldDefinition): boolean {
  return customFieldTypes[type].filter === "TEXT" || optionsByUuid.size > 0;
}

function valueTexts(fields: readonly FieldDefinition[], values: Shown | undefined, above: string[]): FieldText[] {
  if (!values) return [];
  return fields.filter(isWorded).flatMap(({ name }) =>
    textsIn(values[name]).map((text) => ({
      path: ["customFieldValues", ...above, name],
      text,
      kind: "other" as const,
    })),
  );
}

function textsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((text) => typeof text === "string" && text !== "");
}

async function rowItems(
  { query }: Reading,
  viewing: Viewer,
  asked: Asked,
  resource: typeof notes | typeof tasks,
  uuids: readonly Uuid[],
): Promise<Map<Uuid, Item>> {
  const { rows } = await listRows(query, resource, viewing, {
    limit: uuids.length,
    where: (bind) => [`t.id = any(${bind(printUuids(uuids), "uuid[]")})`],
  });
  const found = new Map<Uuid, Item>();
  for (const row of rows) {
    const shown = presentRow(resource, row, viewing);
    const matched = matchesIn(asked, ownTexts(resource, shown));
    if (!matched) continue;
    const fullName = resource.kind === "note" ? noteName(String(shown.content)) : String(shown.title);
    const id = String(shown.id);
    found.set(row.uuid, { id, entityType: resource.kind, fullName, entity: shown.entity, matched });
  }
  return found;
}
