import type { ImportKind } from "../headings.ts";

/**
 * Target of the cells of a column:
 * - the name of a native field, like `emails`;
 * - `name prefix`, a part of a name; the parts are those of `NAME_PARTS`;
 * - `address home street`, a part of one of several addresses; the parts are those of `ADDRESS_PARTS` and `whole`;
 * - `own`: a column like any other that no rule knows;
 * - `nothing`: left out without a message, because it says nothing about the record.
 */
export type Goes = string;

/** Further facts about a column. */
interface Details {
  to: Goes;
  /** Separator of several values in a cell. */
  split?: string | RegExp;
  /** Gives the cell as it is meant; it is never empty before. */
  clean?: (cell: string) => string;
}

/** Exact headings → where they go. A `#` stands for a number, the same one in `Goes`. */
export type PresetColumns = Record<string, Goes | Details>;

/**
 * A program whose exports are known. A preset only refines what the general rules do: columns that it does not name are
 * recognised like those of any file. docs/guides/import-files.md#where-files-come-from
 */
export interface Preset {
  /** As the note names it: "Read as an export of …". */
  name: string;
  /** Headings that identify the program: all of one list have to be there. A `#` stands for a number. */
  signs: string[][];
  /** Text in a cell that only this program writes. */
  cellSign?: RegExp;
  /** File name of the export, for files that neither headings nor cells identify. */
  fileSign?: RegExp;
  columns: Partial<Record<ImportKind, PresetColumns>>;
  /** Columns in pairs, one of which names the other: each word becomes a column of that name. */
  pairs?: { label: string; value: string }[];
  /** Done to every cell. */
  cleanAll?: (cell: string) => string;
}

/** Statement of a preset about one column. */
export interface PresetColumn {
  to: Goes;
  split?: string | RegExp | undefined;
  clean?: ((cell: string) => string) | undefined;
}

/** Statement of a preset about the column with this heading; undefined if it has none. */
export function presetColumn(preset: Preset, kind: ImportKind, heading: string): PresetColumn | undefined {
  const columns = preset.columns[kind] ?? {};
  const name = heading.trim();
  const exact = Object.hasOwn(columns, name) ? columns[name] : undefined;
  const number = /\d+/.exec(name)?.[0];
  const pattern = number === undefined ? undefined : name.replace(number, "#");
  const found = exact ?? (pattern !== undefined && Object.hasOwn(columns, pattern) ? columns[pattern] : undefined);
  if (found === undefined) return undefined;
  const { to, ...details } = typeof found === "string" ? { to: found } : found;
  return { to: to.replace("#", number ?? ""), ...details };
}
