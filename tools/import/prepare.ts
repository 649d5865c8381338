import { trimmed } from "contact-workspace-readers/cell-text";
import type { ReadOptions, Table } from "contact-workspace-readers/table";
import type { Caller } from "../../base/contract/caller.ts";
import { type RecordKind, uuidOf } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { DayOrder } from "../../base/values/written-date.ts";
import type { MatchOption } from "../../engine/records/match-keys.ts";
import type { FieldData } from "../../model/custom-fields/definition.ts";
import type { Admin } from "../terminal/admin.ts";
import { type Column, columnsOf, needName } from "./columns.ts";
import { type DateColumn, type DateOrders, decideOrders } from "./dates.ts";
import { defineFields, type FieldsOf } from "./define-fields.ts";
import type { ImportKind } from "./headings.ts";
import { readMap } from "./map-file.ts";
import { fieldsFor, type ImportField, type WantedFields } from "./new-fields.ts";
import { type ImportPlan, planOf } from "./plan.ts";
import type { PresetTable } from "./preset-table.ts";
import { withoutRefusals } from "./refused-file.ts";
import { holdsDates, RESOURCES } from "./resources.ts";
import { type Survey, surveyOf } from "./survey.ts";

/**
 * An export puts an underscore behind a heading that is the name of a custom field, too. docs/guides/export.md#columns
 */
const ID_HEADING = /^id_?$/i;
/** Further columns of `export --server-fields`, which only the server sets. */
const SERVER_HEADINGS = /^(?:createdAt|createdBy|groups)_?$/;

/**
 * The columns, with the column of record ids, by which rows find their records. Programs also name their own numbers
 * "id", so the first cell of the column decides. docs/guides/import-matching.md#ids
 */
async function withIdColumn(
  columns: Column[],
  file: Table,
  kind: ImportKind,
  existing: ImportField[],
): Promise<Column[]> {
  const isFree = ({ target }: Column) =>
    target.to === "nowhere"
      ? target.because === "unknown"
      : target.to === "custom" && !existing.some(({ name }) => comparable(name) === comparable(target.name));
  const ids = columns.find((column) => ID_HEADING.test(column.heading) && isFree(column));
  if (!ids || !(await holdsIds(file, ids, RESOURCES[kind].kind))) return columns;
  return columns.map((column): Column => {
    if (column === ids) return { ...column, target: { to: "id", name: "id" } };
    if (SERVER_HEADINGS.test(column.heading) && isFree(column))
      return { ...column, target: { to: "nowhere", because: "server" } };
    return column;
  });
}

async function holdsIds(file: Table, { index }: Column, kind: RecordKind): Promise<boolean> {
  for await (const { cells } of file.rows()) {
    const cell = trimmed(cells[index] ?? "");
    if (cell !== "") return uuidOf(kind, cell) !== null;
  }
  return false;
}

export interface ImportOptions extends ReadOptions {
  workspace: string;
  group: string;
  map?: string;
  fields?: boolean;
  match?: MatchOption;
  dates?: DayOrder;
  create?: boolean;
  refused?: string;
  user?: string;
  yes?: boolean;
  dryRun?: boolean;
}

/** Kind of records that is imported: people, companies, or objects of a type. */
export type ImportWhat = { kind: "people" | "companies" } | { kind: "objects"; objectType: string };

/** Target of an import. */
export interface Target {
  caller: Caller;
  group: { id: string; name: string };
  objectType?: string;
  fields: ImportField[];
}

/** An import that is prepared: all that is known before its rows are written. */
export interface Prepared {
  file: PresetTable;
  kind: ImportKind;
  target: Target;
  /** Those that go somewhere. */
  columns: Column[];
  survey: Survey;
  orders: DateOrders;
  wanted: WantedFields;
  /** The custom fields as they will be; undefined when none are made. */
  pretended: FieldData[] | undefined;
  plan: ImportPlan;
}

/**
 * Finds the target of an import, and the user it is made for.
 * @throws ApiError for a group, object type or user that does not exist
 */
export function targetOf(
  admin: Admin,
  what: ImportWhat,
  { workspace, group, user, fields = false }: ImportOptions,
): Promise<Target> {
  return admin.call<Target>("workspaces.importTarget", {
    workspace,
    group,
    kind: RESOURCES[what.kind].kind,
    ...(what.kind === "objects" && { objectType: what.objectType }),
    definesFields: fields,
    ...(user !== undefined && { user }),
  });
}

/**
 * Reads the file once and decides everything that its rows depend on.
 * @param ask a question at a terminal; undefined without a terminal
 * @throws CommandError for a fault of the file as a whole
 */
export async function prepare(
  admin: Admin,
  file: PresetTable,
  kind: ImportKind,
  target: Target,
  options: ImportOptions,
  onBytes: (bytes: number) => void,
  ask: ((question: string) => Promise<string>) | undefined,
): Promise<Prepared> {
  const { fields: makesFields = false, match = "email", dates } = options;
  const existing = target.fields;
  const map =
    options.map === undefined
      ? new Map()
      : readMap(options.map, { headings: file.headings, kind, makesFields, ...target });
  const known = { kind, map, makesFields, preset: file.preset, fields: existing.map(({ name }) => name) };
  const found = withoutRefusals(columnsOf(file.headings, known), (heading) => map.has(heading));
  const all = await withIdColumn(found, file, kind, existing);
  needName(all, kind, file);
  const columns = all.filter((column) => column.target.to !== "nowhere");
  const others = all.filter((column) => column.target.to === "nowhere");
  const survey = await surveyOf(file, { kind, match, columns, others, existing }, onBytes);
  const wanted = fieldsFor(survey.custom, existing);
  const fields = fieldsByName(columns, [...wanted.made, ...existing]);
  const orders = await decideOrders(file.name, withDates(survey.dates, kind, fields), dates, ask);
  const pretended = makesFields
    ? await defineFields(admin, file, columns, fieldsOf(kind, target), wanted, true)
    : undefined;
  // Without --fields no wanted field is created.
  const made = makesFields ? wanted : { made: [], labelled: [] };
  const plan = planOf({ file: file.name, kind, columns: all, survey, orders, existing, wanted: made });
  return { file, kind, target, columns: withoutEmpty(columns, fields), survey, orders, wanted, pretended, plan };
}

/** Columns that become dates, among those that were checked for dates. */
function withDates(found: Map<Column, DateColumn>, kind: ImportKind, fields: Map<string, ImportField>) {
  const isDate = (column: Column) =>
    holdsDates(kind, column, column.target.to === "custom" ? fields.get(column.target.name) : undefined);
  return new Map([...found].filter(([column]) => isDate(column)));
}

/** A column without values creates no field, and is left out. */
function withoutEmpty(columns: Column[], fields: Map<string, ImportField>): Column[] {
  return columns.filter(({ target }) => target.to !== "custom" || fields.has(target.name));
}

/** Custom fields by the names that columns have for them. */
export function fieldsByName(columns: Column[], fields: ImportField[]): Map<string, ImportField> {
  const byKey = new Map(fields.map((field) => [comparable(field.name), field]));
  return new Map(
    columns.flatMap(({ target }) => {
      const field = target.to === "custom" ? byKey.get(comparable(target.name)) : undefined;
      return target.to === "custom" && field ? [[target.name, field] as const] : [];
    }),
  );
}

export function fieldsOf(kind: ImportKind, { caller, group, objectType }: Target): FieldsOf {
  return { caller, group, kind: RESOURCES[kind].kind, objectType };
}
