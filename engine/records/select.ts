import type { Uuid } from "../../base/values/ids.ts";
import type { TextRow } from "../../database/query.ts";
import { parseUuids, printUuids } from "../../database/uuid-list.ts";
import type { StoredValue } from "../../model/custom-fields/type.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import { columnsOf } from "../../model/resources/resource.ts";
import { COUNTED_READ, UNCOUNTED_READ } from "../interactions/activity.ts";
import { counting } from "../rows/large-pages.ts";

/**
 * Content of a record's row. Columns stand under the names of their fields, links as the uuids of the linked records.
 */
export interface RecordRow {
  uuid: Uuid;
  createdBy: Uuid;
  /** The number of its version, from 1. */
  version: number;
  memberships: Membership[];
  [field: string]: unknown;
}

/** A record in a group, with the values of the group's custom fields by field id. */
export interface Membership {
  groupId: Uuid;
  values: Record<Uuid, StoredValue>;
}

/** The values of a membership with their fields. */
export function valueEntries(values: Membership["values"]): [field: Uuid, stored: StoredValue][] {
  // To Object.entries all names are plain strings.
  return Object.entries(values) as [Uuid, StoredValue][];
}

/** A linked record: its uuid and its name. */
export interface Link {
  uuid: Uuid;
  label: string;
}

/** Column of the statement that reads records, with the functions that read and write it. */
interface Column {
  name: string;
  sql: string;
  /** Turns a text of the column into its value. */
  parse(text: string): unknown;
  /** Text of a stored value, as PostgreSQL prints it. */
  print(stored: unknown): string;
}

/** The statement that reads records of one type, and the rows that it gives. */
export interface RecordReader {
  /**
   * The statement, to be completed with conditions on `r`. $1 is the workspace. Its rows are asked for as texts: nearly
   * all of them is passed on as it is. docs/decisions/0003-custom-values.md
   */
  select: string;
  /** The same for pages whose bytes are counted (`byIds`). `end` stands behind the conditions. */
  counted: { select: string; end: string };
  /**
   * The same as `select` with one more column: the names of the linked records, by uuid, as JSON, or null without
   * links.
   */
  selectNamed: string;
  /** Name of a column → its place in a row. */
  place: Record<string, number>;
  columns: Column[];
}

const readers = new Map<RecordType, RecordReader>();

/** Reader of records of a type. It is made once. */
export function readerOf(resource: RecordType): RecordReader {
  let reader = readers.get(resource);
  if (!reader) {
    reader = makeReader(resource);
    readers.set(resource, reader);
  }
  return reader;
}

/** The order of pages, and of rows that are read by their ids. */
export const BY_ID = "order by r.workspace_id, r.id";
const BYTES = "octet_length(r.memberships::text)";
const COUNTED = counting(BYTES, BY_ID, "r");

const asIs = { parse: (text: string) => text, print: String };
const json = { parse: (text: string) => JSON.parse(text) as unknown, print: JSON.stringify };
const uuidList = { parse: parseUuids, print: (uuids: unknown) => printUuids(uuids as Uuid[]) };

/** Values in the row of a new record, for a record without any contact. */
export function untouched(resource: RecordType): Record<string, null> {
  return hasActivity(resource) ? Object.fromEntries(ACTIVITY.map(({ name }) => [name, null])) : {};
}

const ACTIVITY: Column[] = [
  { name: "activity", sql: COUNTED_READ, ...asIs },
  { name: "uncounted", sql: UNCOUNTED_READ, ...asIs },
];

function makeReader(resource: RecordType): RecordReader {
  const lists = new Set(resource.columns.filter(({ storage }) => storage.type === "json").map(({ name }) => name));
  const columns: Column[] = [
    ...Object.entries({ ...columnsOf(resource), createdBy: "created_by" }).map(([name, column]) => ({
      name,
      sql: `r.${column}`,
      ...(lists.has(name) ? json : asIs),
    })),
    ...resource.links.map(({ name, storage }) => ({ name, sql: `r.${storage.column}`, ...uuidList })),
    { name: "memberships", sql: "r.memberships", ...json },
    { name: "version", sql: "r.version", parse: Number, print: String },
    ...(hasActivity(resource) ? ACTIVITY : []),
    { name: "definitionsVersion", sql: "(select catalog_version from workspaces where id = $1)", ...asIs },
  ];
  const list = columns.map(({ sql }) => sql).join(", ");
  const from = `from ${resource.table} r where r.workspace_id = $1`;
  return {
    select: `select ${list} ${from}`,
    selectNamed: `select ${list}, ${namesOf(resource)} ${from}`,
    counted: {
      select: `select ${list}, r.bytes from (select r.*, ${COUNTED.columns} ${from}`,
      end: `) r where ${COUNTED.isWanted} ${BY_ID}`,
    },
    place: Object.fromEntries(columns.map(({ name }, i) => [name, i])),
    columns,
  };
}

/** True if answers have the interaction counts of a record. */
function hasActivity({ fields }: RecordType): boolean {
  return Object.values(fields).some(({ storage }) => storage.shape === "interactions");
}

/** For one record it is cheaper to look up the names at once than by another statement. For a page it is not. */
function namesOf({ links }: RecordType): string {
  const parts = links.map(({ storage: { column, target } }) => {
    const { table, label } = RECORD_TYPES[target];
    return `select t.id, t.${label} as label from ${table} t where t.workspace_id = $1 and t.id = any(r.${column})`;
  });
  return parts.length === 0 ? "null" : `(select json_object_agg(l.id, l.label) from (${parts.join(" union all ")}) l)`;
}

const statements = new Map<string, Map<string, string>>();

/**
 * A statement that reads records, completed with one of a few different conditions. Its text is kept, because a text
 * that is built for every request is also hashed for every request, to find its prepared statement.
 */
export function statementOf(select: string, conditions: string): string {
  const ofSelect = statements.get(select) ?? new Map<string, string>();
  statements.set(select, ofSelect);
  const text = ofSelect.get(conditions) ?? `${select} ${conditions}`;
  ofSelect.set(conditions, text);
  return text;
}

/**
 * The statement that reads a page of records in the order of their ids.
 * @param wanted conditions on `r`, among them this order
 * @param counts whether there is one more column, the bytes of the custom values of the row and all before it, and the
 *   rows end where these are enough for a page
 */
export function byIds(resource: RecordType, wanted: string, counts: boolean): string {
  const { select, counted } = readerOf(resource);
  return counts ? statementOf(counted.select, `${wanted} ${counted.end}`) : statementOf(select, wanted);
}

const IN_PLACES = counting(BYTES, "order by p.place", "r");

/**
 * The statement that reads the records of a source `p`, a table of `id`, `key` and `place`, in the order of their
 * places. Their keys are one more column behind those of the reader, and the bytes, if they are counted, another one.
 */
export function inPlaces(
  resource: RecordType,
  { source, where }: { source: string; where: string },
  counts: boolean,
): string {
  const list = readerOf(resource)
    .columns.map(({ sql }) => sql)
    .join(", ");
  const from = `from ${source} p join ${resource.table} r on r.workspace_id = $1 and r.id = p.id where ${where}`;
  return counts
    ? `select ${list}, r.key, r.bytes from (select r.*, p.key, p.place, ${IN_PLACES.columns} ${from}) r
       where ${IN_PLACES.isWanted} order by r.place`
    : `select ${list}, p.key ${from} order by p.place`;
}

/** Values in a row of the reading statement. */
export function rowOfTexts(resource: RecordType, texts: TextRow): RecordRow {
  const row: Record<string, unknown> = {};
  for (const [i, { name, parse }] of readerOf(resource).columns.entries()) {
    const text = texts[i] ?? null;
    row[name] = text === null ? null : parse(text);
  }
  return row as RecordRow;
}

/** A row as the reading statement would give it. */
export function textsOfRow(resource: RecordType, row: RecordRow): TextRow {
  return readerOf(resource).columns.map(({ name, print }) => {
    const stored = row[name] ?? null;
    return stored === null ? null : print(stored);
  });
}
