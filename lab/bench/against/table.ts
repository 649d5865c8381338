import { execFileSync } from "node:child_process";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { type Compared, type Figures, medianOf } from "./turns.ts";

export interface Row {
  name: string;
  compared: Compared;
  statements: [other: number, own: number];
  /** Entries of an answer, on average; undefined for what answers no list. */
  items: number | undefined;
}

export interface Memory {
  idleMb: number;
  peakMb: number;
}

const FAILURES_SHOWN = 3;

/**
 * The failures of the rows, and a table of them.
 * @param other name of the side that this one is compared with, for the heads of the columns
 */
export function tableOf(rows: Row[], other: string): string {
  return `${failureLines(rows)}
| request | ${other} /s | this /s | ratio | lowest–highest | CPU ratio | CPU µs ${other} | this | PostgreSQL µs ${other} | this | statements ${other} | this | items |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.map(lineOf).join("\n")}`;
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

/** Requests per second of this side by those of the other: the median of the rounds. */
export function ratioOf({ compared }: Row): number {
  return medianOf(compared.ratios);
}

/** CPU of the other side by that of this one, of the server's process and PostgreSQL together. */
export function cpuRatioOf({ compared: { other, own } }: Row): number {
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

export function rate({ perSecond }: Figures): string {
  return perSecond.toFixed(perSecond < 100 ? 1 : 0);
}

function few(count: number): string {
  return String(Number(count.toFixed(count < 1 ? 3 : 1)));
}

/** Resident memory of a server in words. */
export function memoryOf(name: string, { idleMb, peakMb }: Memory): string {
  return `${name} ${idleMb.toFixed(0)} MB after its start, at most ${peakMb.toFixed(0)} MB`;
}

/** The processors, the memory, the system and the Node of this machine. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${platform()} ${release()} ${arch()}, Node ${process.versions.node}`;
}

/** The commit of a checkout, with "-dirty" when files differ from it. */
export function commitOf(root: string): string {
  const words = ["describe", "--always", "--dirty", "--exclude=*"];
  try {
    return execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "no commit";
  }
}
