import { type Attempt, isFailed } from "../load/history.ts";
import { duplicatesIn } from "../webhooks/judge.ts";
import {
  attemptsDuring,
  type Fault,
  type History,
  type StageHistory,
  titleOf,
  wholeAfterMs,
  windowsOf,
} from "./history.ts";

/** Figures of a fault in the closing table, by the titles of its columns. */
type Row = Record<string, string>;

const REASONS_SHOWN = 3;

/** The closing table: a line of titles, a line for each fault, and the sums of each fleet. */
export function figuresOf({ stages }: History, ms: number, firstMs: number): Record<string, string> {
  const rows = stages.flatMap((stage) =>
    stage.faults.map((fault) => [titleOf(fault), rowOf(attemptsDuring(stage, fault), fault, firstMs)] as const),
  );
  const titles = Object.keys(rows[0]?.[1] ?? {});
  const widths = titles.map((title) => Math.max(title.length, ...rows.map(([, row]) => row[title]?.length ?? 0)));
  const lineOf = (cells: string[]) => cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  ");
  return {
    minutes: (ms / 60_000).toFixed(1),
    fault: lineOf(titles),
    ...Object.fromEntries(rows.map(([title, row]) => [title, lineOf(titles.map((name) => row[name] ?? ""))])),
    ...Object.fromEntries(stages.flatMap(sumsOf)),
  };
}

function rowOf(during: Attempt[], fault: Fault, firstMs: number): Row {
  const failed = during.filter(isFailed);
  const { first, meanwhile, after } = windowsOf(during, fault, firstMs);
  const [from, to] = [failed[0], failed.at(-1)].map((one) => (one ? seconds(one.sentAt - fault.at) : "–"));
  return {
    failed: `${failed.length} of ${during.length}`,
    [`first ${firstMs / 1000} s`]: shareOf(first),
    "then until its end": shareOf(meanwhile),
    "after it": shareOf(after),
    "from → to": failed.length === 0 ? "–" : `${from} → ${to}`,
    "whole again": `${seconds(wholeAfterMs(during, fault))}`,
    longest: seconds(Math.max(0, ...during.map(({ sentAt, answeredAt }) => answeredAt - sentAt))),
    because: reasonsOf(failed),
  };
}

function shareOf(attempts: Attempt[]): string {
  if (attempts.length === 0) return "–";
  return `${((100 * attempts.filter(isFailed).length) / attempts.length).toFixed(0)} %`;
}

function reasonsOf(failed: Attempt[]): string {
  return [...Map.groupBy(failed, ({ status, reason = "" }) => `${status} ${reason}`)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, REASONS_SHOWN)
    .map(([reason, group]) => `${group.length} × ${reason}`)
    .join(", ");
}

function sumsOf({ stage, attempts, probes, written, received, read, streamed, skipped }: StageHistory) {
  const readyMs = probes.filter(({ path }) => path === "/readyz").map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  const told = [read, ...streamed].map((list) => list.length).join(", ");
  const sums = [
    `${attempts.filter(({ tried }) => tried === 1).length} requests`,
    `${written.length} changes acknowledged`,
    `told to the webhook ${received.length} (${duplicatesIn(received).length} again), to feed and streams ${told}`,
    `longest /readyz ${Math.round(readyMs.reduce((most, ms) => Math.max(most, ms), 0))} ms`,
  ];
  const missing = Object.entries(skipped).map(([fault, reason]) => [fault, `skipped: ${reason}`]);
  return [...(attempts.length > 0 ? [[`in all, ${stage}`, sums.join("; ")]] : []), ...missing];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
