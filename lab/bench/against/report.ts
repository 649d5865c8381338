import { execFileSync } from "node:child_process";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { AGAINST } from "../sections.ts";
import { sizesOf } from "./content.ts";
import { type Compared, type Figures, medianOf } from "./turns.ts";

export interface Row {
  name: string;
  compared: Compared;
  statements: [other: number, own: number];
  /** Entries of an answer, on average; undefined for what answers no list. */
  items: number | undefined;
}

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

export interface Memory {
  idleMb: number;
  peakMb: number;
}

/** A row with a lower ratio is told above the table. */
const RATIO_MIN = 0.95;
const FAILURES_SHOWN = 3;

/** The section of docs/benchmarks.md. */
export function report(results: Results): string {
  const { rows, people, rounds, starts } = results;
  const [other, own] = results.roots.map(commitOf);
  return `${AGAINST}

${new Date().toISOString().slice(0, 10)}, \`${own}\` (this) against \`${other}\` (other), ${people.toLocaleString("en")} people, ${sizesOf(people).companies.toLocaleString("en")} companies, five groups with twenty custom fields, the same records on both sides.

${belowOf(rows)}
${failureLines(rows)}
| request | other /s | this /s | ratio | lowest–highest | CPU ratio | CPU µs other | this | PostgreSQL µs other | this | statements other | this | items |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.map(lineOf).join("\n")}

The ratio is the median of ${rounds} rounds over ${starts} starts of both servers, in each of which both had a short turn; above 1 this commit is faster. CPU is per request (of an import: per row), of the server's process and of PostgreSQL; its ratio is of the two together, above 1 this commit needs less, and other work on the machine disturbs it less than the requests per second. Statements are those of one request that came alone, BEGIN and COMMIT included; items are the entries of its answer.

Resident memory of the server: ${memoryOf("other", results.memory[0])}; ${memoryOf("this", results.memory[1])}.

${machine()}, each side with an embedded PostgreSQL of its own with its default settings. Load, servers and PostgreSQL share these processors, with other work of a load average of ${results.load.toFixed(1)} when the run began.

To repeat: \`npm ci\` in a checkout of the other commit, and \`npm run bench -- --against FOLDER --people ${people} --rounds ${rounds} --starts ${starts}\` in this one.
`;
}

/** All that went wrong, each with the name of its row. */
export function failuresOf(rows: Row[]): string[] {
  return rows.flatMap(({ name, compared: { failures } }) =>
    failures.length > 0
      ? [`${name}: ${failures.length} failed, like ${failures.slice(0, FAILURES_SHOWN).join("; ")}`]
      : [],
  );
}

/** One row in a few words. */
export function summaryOf(row: Row): string {
  const { other, own } = row.compared;
  const ratios = `ratio ${ratioOf(row).toFixed(2)}, of CPU ${cpuRatioOf(row).toFixed(2)}`;
  return `${row.name}: ${rate(own)} per second, other ${rate(other)}, ${ratios}`;
}

function belowOf(rows: Row[]): string {
  const below = (ratio: (row: Row) => number): string =>
    rows
      .filter((row) => ratio(row) < RATIO_MIN)
      .map((row) => `${row.name} (${ratio(row).toFixed(2)})`)
      .join(", ") || "nothing";
  return `Ratio below ${RATIO_MIN}: ${below(ratioOf)}. CPU ratio below ${RATIO_MIN}: ${below(cpuRatioOf)}.`;
}

function ratioOf({ compared }: Row): number {
  return medianOf(compared.ratios);
}

/** Of the server's process and PostgreSQL together. */
function cpuRatioOf({ compared: { other, own } }: Row): number {
  return (other.cpuUs + other.postgresUs) / (own.cpuUs + own.postgresUs);
}

function failureLines(rows: Row[]): string {
  return failuresOf(rows)
    .map((line) => `\n- ${line.replaceAll("\n", " ")}`)
    .join("")
    .concat("\n");
}

function lineOf(row: Row): string {
  const { name, statements, items } = row;
  const { other, own, ratios } = row.compared;
  const cells = [
    name,
    rate(other),
    rate(own),
    ratioOf(row).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    cpuRatioOf(row).toFixed(2),
    other.cpuUs.toFixed(0),
    own.cpuUs.toFixed(0),
    other.postgresUs.toFixed(0),
    own.postgresUs.toFixed(0),
    ...statements.map(few),
    items === undefined ? "" : few(items),
  ];
  return `| ${cells.join(" | ")} |`;
}

function rate({ perSecond }: Figures): string {
  return perSecond.toFixed(perSecond < 100 ? 1 : 0);
}

function few(count: number): string {
  return String(Number(count.toFixed(count < 1 ? 3 : 1)));
}

function memoryOf(name: string, { idleMb, peakMb }: Memory): string {
  return `${name} ${idleMb.toFixed(0)} MB after its start, at most ${peakMb.toFixed(0)} MB`;
}

function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${platform()} ${release()} ${arch()}, Node ${process.versions.node}`;
}

/** The commit of a checkout, with "-dirty" when files differ from it. */
function commitOf(root: string): string {
  const words = ["describe", "--always", "--dirty", "--exclude=*"];
  try {
    return execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "no commit";
  }
}
