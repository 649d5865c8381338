import type { NamingFields } from "../../lib/records/import.ts";
import { valuesOf } from "./cells.ts";
import type { Column } from "./columns.ts";
import type { ImportKind } from "./headings.ts";
import { createKeyLines } from "./key-lines.ts";
import { keysOfRow, NAMING_FIELDS, type NamingCells, type RowKeys } from "./row-keys.ts";

const TOLD_MAX = 100;
const FIRST_LINES_MAX = 20_000;

/** A row about the same record as an earlier one. */
export interface Repeated {
  line: number;
  /** The line of the first row about the record. */
  first: number;
  /** The e-mail address or name that both have. */
  by: string;
}

/** The values of the columns of a row that have some. */
export type RowValues = Map<Column, readonly string[]>;

/** The rows of a file that are about the same record as an earlier one. docs/guides/import.md#rows-about-the-same-record */
export interface RepeatedRows {
  /** Takes the rows in their order. */
  see(row: RowValues, line: number): void;
  /** The line of the first row about the same record; undefined when it is this one. All rows have been seen. */
  earlierLine(cells: string[], line: number): number | undefined;
  /** Takes the addresses and the name that the record of a row has in the workspace: later rows may have those instead. */
  know(names: NamingFields, line: number): void;
  readonly count: number;
  /** The first hundred. */
  readonly first: Repeated[];
  /** The lines of rows that others are about the same record as, or may be, at most twenty thousand. */
  readonly firstLines: ReadonlySet<number>;
}

export function createRepeatedRows(kind: ImportKind, match: "email" | "name", columns: Column[]): RepeatedRows {
  const lines = createKeyLines();
  const first: Repeated[] = [];
  const firstLines = new Set<number>();
  const fields = new Set(NAMING_FIELDS[kind]);
  const naming = columns.flatMap((column) => {
    const { target } = column;
    return target.to === "field" && fields.has(target.name) ? [{ column, ...target }] : [];
  });
  let count = 0;

  function keysOf(row: RowValues): RowKeys {
    const named: NamingCells = new Map();
    for (const { column, name, isList } of naming) {
      const values = row.get(column);
      if (values) named.set(name, isList ? [...(named.get(name) ?? []), ...values] : values);
    }
    return keysOfRow(kind, match, named);
  }

  /** The values of the columns that name the record of a row. */
  function namingValues(cells: string[]): RowValues {
    return new Map(
      naming.flatMap(({ column }) => {
        const { values } = valuesOf(column, cells[column.index] ?? "");
        return values.length > 0 ? [[column, values] as const] : [];
      }),
    );
  }

  function earlierOf({ finds }: RowKeys, line: number): { key: string; first: number } | undefined {
    for (const key of finds) {
      const found = lines.lineOf(key);
      if (found !== undefined && found < line) return { key, first: found };
    }
    return undefined;
  }

  return {
    see(row, line) {
      const keys = keysOf(row);
      const earlier = earlierOf(keys, line);
      if (earlier) {
        count += 1;
        if (firstLines.size < FIRST_LINES_MAX) firstLines.add(earlier.first);
        const by = earlier.key.slice(earlier.key.indexOf(" ") + 1);
        if (first.length < TOLD_MAX) first.push({ line, first: earlier.first, by });
      }
      for (const key of keys.isFoundBy) lines.add(key, line);
    },
    earlierLine: (cells, line) =>
      firstLines.size === 0 ? undefined : earlierOf(keysOf(namingValues(cells)), line)?.first,
    know(names, line) {
      for (const key of keysOfRow(kind, match, new Map(Object.entries(names))).isFoundBy) {
        if ((lines.lineOf(key) ?? Number.POSITIVE_INFINITY) <= line) continue;
        lines.add(key, line);
        if (firstLines.size < FIRST_LINES_MAX) firstLines.add(line);
      }
    },
    get count() {
      return count;
    },
    first,
    firstLines,
  };
}
