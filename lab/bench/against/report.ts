import { AGAINST } from "../sections.ts";
import { sizesOf } from "./content.ts";
import { commitOf, cpuRatioOf, type Memory, machine, memoryOf, type Row, ratioOf, tableOf } from "./table.ts";

export interface Results {
  rows: Row[];
  roots: [other: string, own: string];
  memory: [other: Memory, own: Memory];
  people: number;
  rounds: number;
  starts: number;
  /** Load average of the machine before the run. */
  load: number;
}

/** A row with a lower ratio is told above the table. */
const RATIO_MIN = 0.95;

/** The section of docs/benchmarks.md. */
export function report(results: Results): string {
  const { rows, people, rounds, starts } = results;
  const [other, own] = results.roots.map(commitOf);
  return `${AGAINST}

${new Date().toISOString().slice(0, 10)}, \`${own}\` (this) against \`${other}\` (other), ${people.toLocaleString("en")} people, ${sizesOf(people).companies.toLocaleString("en")} companies, five groups with twenty custom fields, the same records on both sides.

${belowOf(rows)}
${tableOf(rows, "other")}

The ratio is the median of ${rounds} rounds over ${starts} starts of both servers, in each of which both had a short turn; above 1 this commit is faster. CPU is per request (of an import: per row), of the server's process and of PostgreSQL; its ratio is of the two together, above 1 this commit needs less, and other work on the machine disturbs it less than the requests per second. Statements are those of one request that came alone, BEGIN and COMMIT included; items are the entries of its answer.

Resident memory of the server: ${memoryOf("other", results.memory[0])}; ${memoryOf("this", results.memory[1])}.

${machine()}, each side with an embedded PostgreSQL of its own with its default settings. Load, servers and PostgreSQL share these processors, with other work of a load average of ${results.load.toFixed(1)} when the run began.

To repeat: \`npm ci\` in a checkout of the other commit, and \`npm run bench -- --against FOLDER --people ${people} --rounds ${rounds} --starts ${starts}\` in this one.
`;
}

function belowOf(rows: Row[]): string {
  const below = (ratio: (row: Row) => number): string =>
    rows
      .filter((row) => ratio(row) < RATIO_MIN)
      .map((row) => `${row.name} (${ratio(row).toFixed(2)})`)
      .join(", ") || "nothing";
  return `Ratio below ${RATIO_MIN}: ${below(ratioOf)}. CPU ratio below ${RATIO_MIN}: ${below(cpuRatioOf)}.`;
}
