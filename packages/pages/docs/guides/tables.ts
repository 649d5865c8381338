import type { Token } from "markdown-it";
import { textOf } from "./text-of.ts";

/** Characters that fit side by side on a phone, in columns that may break what is longer than a part of them. */
const ROW_CHARACTERS = 42;
const CELL_CHARACTERS = 20;
/** A first cell up to this length leaves room for a second one beside it. */
const FIRST_CELL_CHARACTERS = 26;

const ROLES: Record<string, string> = {
  table_open: "table",
  thead_open: "rowgroup",
  tbody_open: "rowgroup",
  tr_open: "row",
  th_open: "columnheader",
  td_open: "cell",
};

/**
 * Prepares tables that are too wide for a phone: guides.css shows their rows as cards there, each cell below the one
 * before, with the heading of its column, which it finds in `data-label`. Browsers then no longer take cells for cells,
 * so roles say that they are.
 */
export function prepareTables(tokens: Token[]): void {
  for (const [start, { type }] of tokens.entries()) {
    if (type !== "table_open") continue;
    const end = tokens.findIndex((token, index) => index > start && token.type === "table_close");
    const table = tokens.slice(start, end);
    const rows = rowsOf(table);
    if (isWide(rows)) stack(table, rows[0] ?? []);
  }
}

/** The texts of the cells of a table, its headings first. */
function rowsOf(table: Token[]): string[][] {
  const rows: string[][] = [];
  for (const [index, { type }] of table.entries()) {
    if (type === "tr_open") rows.push([]);
    if (type === "th_open" || type === "td_open") rows.at(-1)?.push(textOf(table[index + 1]));
  }
  return rows;
}

function isWide(rows: string[][]): boolean {
  const columns = rows[0]?.length ?? 0;
  const longest = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  if (columns === 2) return (longest[0] ?? 0) > FIRST_CELL_CHARACTERS;
  return longest.reduce((sum, length) => sum + Math.min(length, CELL_CHARACTERS), 0) > ROW_CHARACTERS;
}

function stack(table: Token[], headings: string[]): void {
  for (const token of table) {
    const role = ROLES[token.type];
    if (role !== undefined) token.attrSet("role", role);
    if (token.type === "table_open") token.attrSet("class", "stacked");
  }
  // A second column of two says what it is by itself.
  if (headings.length > 2) label(table, headings);
}

/** Tells each cell the heading of its column, but for the first one of a row, which is the title of the card. */
function label(table: Token[], headings: string[]): void {
  const cells = table.filter(({ type }) => type === "td_open");
  for (const [place, cell] of cells.entries()) {
    const column = place % headings.length;
    if (column > 0) cell.attrSet("data-label", unbroken(headings[column] ?? ""));
  }
}

/** With non-breaking hyphens: `--json` stays whole. */
function unbroken(text: string): string {
  return text.replaceAll("-", "\u2011");
}
