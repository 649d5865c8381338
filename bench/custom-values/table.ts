/** Row name → design → cell; printed as one markdown table per chapter. */
type Table = Map<string, Map<string, string>>;
const chapters = new Map<string, Table>();

/** Notes the figure of one design for the report. */
export function cell(chapter: string, row: string, column: string, value: string): void {
  const table = chapters.get(chapter) ?? new Map<string, Map<string, string>>();
  chapters.set(chapter, table);
  const cells = table.get(row) ?? new Map<string, string>();
  table.set(row, cells);
  cells.set(column, value);
}

/** Prints a table per chapter, chapters and rows in the order in which they were first noted. */
export function printChapters(columns: string[]): void {
  for (const [title, table] of chapters) print(title, table, columns);
}

function print(title: string, table: Table, columns: string[]): void {
  console.log(`### ${title}\n\n| | ${columns.join(" | ")} |\n|---|${columns.map(() => "---|").join("")}`);
  for (const [row, cells] of table)
    console.log(`| ${row} | ${columns.map((column) => cells.get(column) ?? "").join(" | ")} |`);
  console.log("");
}
