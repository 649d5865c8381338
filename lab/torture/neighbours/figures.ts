import { type Answered, type Asked, BEFORE_MS, type History, type Phase } from "./history.ts";
import { latencyOf } from "./judge.ts";

/** Columns of the closing table, and what each tells of an attack. */
const COLUMNS: [title: string, tell: (phase: Phase) => string][] = [
  ["asked", ({ victims }) => String(victims.length)],
  ["before", ({ victims }) => latencyOf(before(victims), 0.5).toFixed(0)],
  ["p50", ({ victims }) => latencyOf(victims, 0.5).toFixed(0)],
  ["p99", ({ victims }) => latencyOf(victims, 0.99).toFixed(0)],
  ["max ms", ({ victims }) => latencyOf(victims, 1).toFixed(0)],
  ["503", ({ victims }) => String(victims.filter(({ status }) => status === 503).length)],
  ["other", ({ victims }) => String(victims.filter(({ status }) => status !== 200 && status !== 503).length)],
  ["turn ms", ({ turnMaxMs }) => (turnMaxMs === undefined ? "not measured" : turnMaxMs.toFixed(0))],
  ["MB", ({ peakMb }) => peakMb.toFixed(0)],
  ["held", ({ hasGauges, heldAtRest }) => (hasGauges ? String(sum(heldAtRest)) : "not shown")],
  ["alive", ({ isAlive }) => (isAlive ? "yes" : "NO")],
  ["elsewhere", ({ elsewhere }) => `${(elsewhere * 100).toFixed(0)} %`],
];

/** What the closing table tells: a line of titles, and one for each attack. */
export function figuresOf({ phases }: History): Record<string, string> {
  const cells = phases.map((phase) => COLUMNS.map(([, tell]) => tell(phase)));
  const widths = COLUMNS.map(([title], i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const lineOf = (row: string[], rest: string) =>
    [...row.map((cell, i) => cell.padStart(widths[i] ?? 0)), rest].join("  ");
  const titles = COLUMNS.map(([title]) => title);
  return {
    "": lineOf(titles, "the attacker was answered"),
    ...Object.fromEntries(
      phases.map((phase, i) => [
        phase.isRepeated ? `${phase.name}, at first` : phase.name,
        lineOf(cells[i] ?? [], countsOf(phase.attacker)),
      ]),
    ),
  };
}

/** What was asked before the attack began: it tells how fast the machine was at the time. */
function before(victims: Asked[]): Asked[] {
  return victims.filter(({ dueMs }) => dueMs < BEFORE_MS);
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function countsOf(answered: Answered): string {
  return Object.entries(answered)
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${count} × ${what}`)
    .join(", ");
}
