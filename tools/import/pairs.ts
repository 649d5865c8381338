import type { Table, TableRow } from "contact-workspace-readers/table";
import type { Preset } from "./presets/preset.ts";

/** So many different words are made columns; the cells of others are left out. */
const WORDS_MAX = 50;

/** Two columns of which one says what the other one is, like `Event 1 - Label` and `Event 1 - Value`. */
interface Pair {
  label: number;
  value: number;
}

/**
 * Makes a column of each word that stands in the columns of labels: "Anniversary" with the dates that have this label. The
 * columns that it is made of are left out. All of the file is read for it.
 */
export async function withPairs<T extends Table>(table: T, preset: Preset): Promise<T> {
  const pairs = pairsIn(table.headings, preset);
  if (pairs.length === 0) return table;
  const words = await wordsOf(table, pairs);
  const gone = new Set(pairs.flatMap(({ label, value }) => [label, value]));
  const kept = table.headings.flatMap((_heading, at) => (gone.has(at) ? [] : [at]));
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of table.rows(onBytes)) {
      // A row of a wrong length has to stay one, so that it is refused.
      const beyond = row.cells.slice(table.headings.length);
      const cells =
        row.cells.length < 2
          ? row.cells
          : [...kept.map((at) => row.cells[at] ?? ""), ...valuesOf(row, pairs, words), ...beyond];
      yield { ...row, cells };
    }
  }
  return { ...table, headings: [...kept.map((at) => table.headings[at] ?? ""), ...words], rows };
}

function pairsIn(headings: string[], { pairs = [] }: Preset): Pair[] {
  const at = (pattern: string, number: string) =>
    headings.findIndex((heading) => heading.trim() === pattern.replace("#", number));
  return headings.flatMap((heading, label) => {
    const number = /\d+/.exec(heading)?.[0] ?? "";
    const found = pairs.find((pair) => pair.label.replace("#", number) === heading.trim());
    const value = found ? at(found.value, number) : -1;
    return value < 0 ? [] : [{ label, value }];
  });
}

async function wordsOf(table: Table, pairs: Pair[]): Promise<string[]> {
  const words = new Set<string>();
  for await (const { cells } of table.rows()) {
    for (const { label, value } of pairs) {
      const word = wordOf(cells[label]);
      if (word !== "" && (cells[value] ?? "").trim() !== "" && words.size < WORDS_MAX) words.add(word);
    }
  }
  return [...words];
}

/** A label as a name: the one that counts of several has an asterisk before it. */
function wordOf(cell = ""): string {
  return cell.replace(/^\*\s*/, "").trim();
}

function valuesOf({ cells }: TableRow, pairs: Pair[], words: string[]): string[] {
  return words.map((word) =>
    pairs
      .flatMap(({ label, value }) => (wordOf(cells[label]) === word && cells[value] ? [cells[value]] : []))
      .join("; "),
  );
}
