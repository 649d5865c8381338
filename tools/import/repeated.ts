import { hash } from "node:crypto";
import { trimmed } from "contact-workspace-readers/cell-text";
import { isProfileUrl } from "../../base/values/comparable-url.ts";
import { isEmailAddress } from "../../base/values/email-address.ts";
import type { NamingFields } from "../../engine/records/import.ts";
import { keysWithinFile, type MatchOption, nameOf } from "../../engine/records/match-keys.ts";
import { valuesOf } from "./cells.ts";
import type { Column } from "./columns.ts";
import type { ImportKind } from "./headings.ts";

/** Values of a row that identify its record, by native field. */
type NamingCells = Map<string, readonly string[]>;

/** The native fields that name a record. */
const NAMING_FIELDS: Record<ImportKind, string[]> = {
  people: ["id", "emails", "phones", "urls", "fullName", "firstName", "lastName", "companies"],
  companies: ["id", "name"],
  objects: ["id", "name"],
};

/**
 * The keys of a row within its file: those that it has, and those of earlier rows that are, or may be, about the same
 * record.
 */
interface RowKeys {
  has: string[];
  finds: string[];
  hints: string[];
}

/** The keys of a row. They are those of the write action, so that both recognise the same rows. */
function keysOfRow(kind: ImportKind, match: MatchOption, cells: NamingCells): RowKeys {
  const [id] = cells.get("id") ?? [];
  if (kind !== "people") {
    const name = nameOf(cells.get("name")?.join(" ") ?? "");
    const keys = [...(id === undefined ? [] : [`id ${id}`]), ...(name === "" ? [] : [`name ${name}`])];
    return { finds: keys, hints: [], has: keys };
  }
  const list = (field: string) => cells.get(field) ?? [];
  const identity = {
    id,
    emails: list("emails").filter(isEmailAddress),
    phones: list("phones"),
    urls: list("urls"),
    fullName: fullNameOf(cells),
    companies: list("companies"),
    addresses: [],
  };
  const keys = keysWithinFile(identity, match) ?? { has: [], finds: [], second: [], hints: [] };
  const hasOwn = identity.emails.length > 0 || identity.urls.some(isProfileUrl);
  return {
    has: keys.has,
    finds: hasOwn ? keys.finds : [...keys.finds, ...keys.second],
    hints: hasOwn ? [...keys.second, ...keys.hints] : keys.hints,
  };
}

/** Rest of a key as words for a person: an address, or a name and what else agrees. */
function keyInWords(key: string): string {
  return key
    .slice(key.indexOf(" ") + 1)
    .split("\n")
    .filter((part) => part !== "")
    .join(", ");
}

function fullNameOf(cells: NamingCells): string {
  const whole = cells.get("fullName")?.join(" ");
  return whole ?? ["firstName", "lastName"].flatMap((name) => cells.get(name)?.join(" ") ?? []).join(" ");
}

const TOLD_MAX = 100;
const FIRST_LINES_MAX = 20_000;

/** A row about the same record as an earlier one. */
export interface Repeated {
  line: number;
  /** The line of the first row about the record. */
  first: number;
  /** Common part of both rows: an email address, a name with a company, or the whole row. */
  by: string;
}

/** An earlier row that is about the same record, or may be. */
export interface EarlierRow {
  line: number;
  /** Its record, where it is known. */
  record?: string | undefined;
  /** False where both have only the name or a telephone in common: the record tells. */
  isSure: boolean;
  /** Whether an earlier row has the name. */
  isNamesake: boolean;
}

/** The values of the columns of a row that have some. */
export type RowValues = Map<Column, readonly string[]>;

/**
 * The rows of a file that are about the same record as an earlier one.
 * docs/guides/import-matching.md#rows-about-the-same-record
 */
export interface RepeatedRows {
  /** Takes the rows in their order. */
  see(row: RowValues, cells: string[], line: number): void;
  /** The first row about the same record; undefined when it is this one. All rows have been seen. */
  earlier(cells: string[], line: number): EarlierRow | undefined;
  /**
   * Takes the record of a row that was written, and the addresses and the name that it has in the workspace: later rows
   * may have those instead.
   */
  know(record: string, names: NamingFields | undefined, line: number): void;
  readonly count: number;
  /** The first hundred. */
  readonly first: Repeated[];
  /** The lines of rows that others are about the same record as, or may be, at most twenty thousand. */
  readonly firstLines: ReadonlySet<number>;
}

export function createRepeatedRows(kind: ImportKind, match: MatchOption, columns: Column[]): RepeatedRows {
  const lines = createKeyLines();
  const first: Repeated[] = [];
  const firstLines = new Set<number>();
  const records = new Map<number, string>();
  const naming = namingColumns(kind, columns);
  let count = 0;

  /** The keys of a row. One that has nothing but names is the same as another one that has all of its cells. */
  function keysOf(row: RowValues, cells: string[]) {
    const keys = keysOfRow(kind, match, namedBy(naming, row));
    const isNameOnly = keys.hints.length > 0 && keys.finds.length === 0;
    const whole = isNameOnly ? [`${WHOLE}${cells.map(trimmed).join("\n")}`] : [];
    return { has: [...keys.has, ...whole], finds: [...keys.finds, ...whole], hints: keys.hints };
  }

  function keep(line: number): void {
    if (firstLines.size < FIRST_LINES_MAX) firstLines.add(line);
  }

  function earlierOf(keys: string[], line: number): { key: string; first: number } | undefined {
    for (const key of keys) {
      const found = lines.lineOf(key);
      if (found !== undefined && found < line) return { key, first: found };
    }
    return undefined;
  }

  function tell({ key, first: line }: { key: string; first: number }, later: number): void {
    count += 1;
    const by = key.startsWith(WHOLE) ? "the whole row" : keyInWords(key);
    if (first.length < TOLD_MAX) first.push({ line: later, first: line, by });
  }

  return {
    see(row, cells, line) {
      const { finds, hints, has } = keysOf(row, cells);
      const sure = earlierOf(finds, line);
      const earlier = sure ?? earlierOf(hints, line);
      if (sure) tell(sure, line);
      if (earlier) keep(earlier.first);
      for (const key of has) lines.add(key, line);
    },
    earlier(cells, line) {
      if (firstLines.size === 0) return undefined;
      const { finds, hints } = keysOf(valuesIn(naming, cells), cells);
      const sure = earlierOf(finds, line);
      const found = sure ?? earlierOf(hints, line);
      if (!found) return undefined;
      const isNamesake = earlierOf(hints.slice(-1), line) !== undefined;
      return { line: found.first, record: records.get(found.first), isSure: sure !== undefined, isNamesake };
    },
    know(record, names, line) {
      const found = names ? keysOfRow(kind, match, new Map(Object.entries(names))).has : [];
      for (const key of found) {
        if ((lines.lineOf(key) ?? Number.POSITIVE_INFINITY) <= line) continue;
        lines.add(key, line);
        keep(line);
      }
      if (firstLines.has(line) && !records.has(line)) records.set(line, record);
    },
    get count() {
      return count;
    },
    first,
    firstLines,
  };
}

const WHOLE = "row ";

interface NamingColumn {
  column: Column;
  name: string;
}

function namingColumns(kind: ImportKind, columns: Column[]): NamingColumn[] {
  return columns.flatMap((column) => {
    const { target } = column;
    const isNaming = target.to === "id" || (target.to === "field" && NAMING_FIELDS[kind].includes(target.name));
    return isNaming ? [{ column, name: target.name }] : [];
  });
}

/** Values that identify the record of a row: all entries of a list, and the last column of another field. */
function namedBy(naming: NamingColumn[], row: RowValues): NamingCells {
  const named: NamingCells = new Map();
  for (const { column, name } of naming) {
    const values = row.get(column) ?? [];
    const isList = column.target.to === "field" && column.target.isList;
    if (values.length > 0) named.set(name, isList ? [...(named.get(name) ?? []), ...values] : values);
  }
  return named;
}

/** The values of the columns that name the record of a row. */
function valuesIn(naming: NamingColumn[], cells: string[]): RowValues {
  return new Map(
    naming.flatMap(({ column }) => {
      const { values } = valuesOf(column, cells[column.index] ?? "");
      return values.length > 0 ? [[column, values] as const] : [];
    }),
  );
}

/**
 * The line in which each key of a file stands first. It keeps no keys but 64 bits of their hashes, 12 bytes with the
 * line in a table that is at most three quarters full: 16 to 32 bytes a key, 64 MB for two million of them. Two keys of
 * a file of a million rows have the same bits by a chance of one in ten million; then a row would count as one about
 * the same record.
 */
interface KeyLines {
  /** Line of the first row with a key; undefined if there is none. */
  lineOf(key: string): number | undefined;
  /** Keeps a line, unless the key has an earlier one. */
  add(key: string, line: number): void;
}

const SLOTS_AT_FIRST = 1024;
/** The two halves of the hash, and the line, which is never 0. */
const SLOT = 3;

export function createKeyLines(): KeyLines {
  let slots = SLOTS_AT_FIRST;
  let table = new Uint32Array(slots * SLOT);
  let count = 0;
  // A key is nearly always looked for and then added.
  let last = { key: "", halves: halvesOf("") };

  function hashed(key: string): [high: number, low: number] {
    if (key !== last.key) last = { key, halves: halvesOf(key) };
    return last.halves;
  }

  /** The place of a hash in the table, or the free one where it belongs. */
  function find(high: number, low: number): number {
    let at = (low % slots) * SLOT;
    while (table[at + 2] !== 0 && (table[at] !== high || table[at + 1] !== low)) at = (at + SLOT) % table.length;
    return at;
  }

  function grow(): void {
    const before = table;
    slots *= 2;
    table = new Uint32Array(slots * SLOT);
    for (let at = 0; at < before.length; at += SLOT)
      if (before[at + 2] !== 0) table.set(before.subarray(at, at + SLOT), find(before[at] ?? 0, before[at + 1] ?? 0));
  }

  return {
    lineOf(key) {
      const line = table[find(...hashed(key)) + 2] ?? 0;
      return line === 0 ? undefined : line;
    },
    add(key, line) {
      const [high, low] = hashed(key);
      const at = find(high, low);
      const kept = table[at + 2] ?? 0;
      if (kept !== 0 && kept <= line) return;
      table.set([high, low, line], at);
      if (kept !== 0) return;
      count += 1;
      if (count * 4 > slots * 3) grow();
    },
  };
}

function halvesOf(key: string): [high: number, low: number] {
  // A text of hex digits takes a third of the time of a buffer.
  const hex = hash("md5", key, "hex");
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}
