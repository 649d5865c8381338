import { madeAt, toId, type Uuid } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { cellOf } from "../../model/custom-fields/list.ts";
import type { Names } from "../../model/custom-fields/type.ts";
import type { Definitions, EntityKey, Group } from "../../model/definitions/definitions.ts";
import { presentUser, shownUser } from "../../model/definitions/users.ts";
import type { ColumnStorage, Field, LinksStorage } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { valueCell } from "./list-cells.ts";
import type { CellNames } from "./mentions.ts";

/** A column of an exported table. */
export interface ExportColumn {
  heading: string;
  /** @param names the records that the row links to and mentions, by the texts that name them */
  cell(row: RecordRow, names: CellNames): string;
}

/** Scope that decides on the columns of a table. */
export interface TableScope {
  resource: RecordType;
  /** Entity type the custom fields belong to: person, company, or the uuid of an object type. */
  entity: EntityKey;
  /** The groups whose custom fields have columns. */
  groups: Group[];
  /**
   * True for the records of one group: the heading of a custom field is then its name, and otherwise has the group in
   * front.
   */
  isOfOneGroup: boolean;
  definitions: Definitions;
  /** Name of a list → its longest one. It has as many columns, so that an entry may hold any character. */
  longest: Map<string, number>;
  /** True if the first columns are those that the server writes and no import reads: id, groups, creation. */
  withServerFields: boolean;
}

/**
 * The columns of a table of records, in the order of the fields of their type, custom fields last. Those that an import
 * reads have headings that it knows without a map. docs/guides/export.md#columns
 */
export function exportColumns(scope: TableScope): ExportColumn[] {
  const custom = scope.groups.flatMap((group) =>
    (group.fields.get(scope.entity) ?? []).map(
      (field): ExportColumn => ({
        heading: scope.isOfOneGroup ? field.name : `${group.name}: ${field.name}`,
        cell: customCell(group, field, scope.definitions),
      }),
    ),
  );
  const taken = new Set(custom.map(({ heading }) => comparable(heading)));
  const fields = Object.entries(scope.resource.fields);
  const server = scope.withServerFields ? fields.flatMap(([name, field]) => serverColumn(scope, name, field)) : [];
  const native = fields.flatMap(([name, field]) => nativeColumns(scope, name, field));
  return [...[...server, ...native].map((column) => apart(column, taken)), ...custom];
}

/** The columns of a field that writes take: one, or as many as its longest list has entries. */
function nativeColumns({ longest }: TableScope, name: string, { storage }: Field): ExportColumn[] {
  if (storage.shape === "links") return numbered(name, longest, linksCells(name, storage));
  if (storage.shape !== "column") return [];
  if (storage.type === "json")
    return numbered(name, longest, (row) => ((row[name] ?? []) as string[]).map((value) => valueCell(name, value)));
  return [{ heading: name, cell: (row) => scalarCell(storage, row[name]) }];
}

/** An unset value is an empty cell, also where answers have a word for it. */
function scalarCell({ unset, present }: ColumnStorage, stored: unknown): string {
  return stored === null || stored === undefined || stored === unset ? "" : String(present(stored) ?? "");
}

/** `emails`, `emails 2`: an import takes them for one list. */
function numbered(
  name: string,
  longest: Map<string, number>,
  cells: (row: RecordRow, names: CellNames) => string[],
): ExportColumn[] {
  return Array.from({ length: Math.max(1, longest.get(name) ?? 0) }, (_, i) => ({
    heading: i === 0 ? name : `${name} ${i + 1}`,
    cell: (row, names) => cells(row, names)[i] ?? "",
  }));
}

/** Records that were deleted have no text, and no cell. */
function linksCells(name: string, { target, byName }: LinksStorage) {
  // An import reads a cell as one name if the link makes the record that it names, and otherwise as a list.
  const cell = (text: string) => (byName ? text : cellOf([text]));
  return (row: RecordRow, names: CellNames): string[] =>
    (row[name] as Uuid[]).flatMap((uuid) => {
      const text = names.linked.get(toId(target, uuid))?.fullName;
      return text === undefined || text === null ? [] : cell(text);
    });
}

function customCell(group: Group, field: FieldDefinition, definitions: Definitions): ExportColumn["cell"] {
  const { present, toCell } = customFieldTypes[field.type];
  return (row, names) => {
    const stored = row.memberships.find(({ groupId }) => groupId === group.uuid)?.values[field.uuid];
    if (stored === undefined) return "";
    const shown: Names = { user: (uuid) => shownUser(definitions, uuid), record: (id) => names.mentioned.get(id) };
    const value = present(stored as never, field, shown);
    return value === null ? "" : toCell(value as never);
  };
}

/** The columns that only the server writes. Only the JSON has counts of interactions. */
function serverColumn({ resource, definitions }: TableScope, name: string, { storage }: Field): ExportColumn[] {
  const cell = ((): ExportColumn["cell"] | undefined => {
    switch (storage.shape) {
      case "id":
        return ({ uuid }) => toId(resource.kind, uuid);
      case "createdAt":
        return ({ uuid }) => madeAt(uuid).toISOString();
      case "createdBy":
        return ({ createdBy }) => {
          const user = definitions.users.get(createdBy);
          return user ? presentUser(user).email : "";
        };
      case "groups":
        return ({ memberships }) =>
          cellOf(memberships.flatMap(({ groupId }) => definitions.groups.get(groupId)?.name ?? []));
      default:
        return undefined;
    }
  })();
  return cell ? [{ heading: name, cell }] : [];
}

/**
 * A custom field may have the name of a native one, and an import takes a column of that name for the custom field. To
 * import signs do not count in the headings of native fields, so one is put behind this heading.
 */
function apart(column: ExportColumn, taken: ReadonlySet<string>): ExportColumn {
  let { heading } = column;
  while (taken.has(comparable(heading))) heading += "_";
  return { ...column, heading };
}
