import { askedDuring, type History, titleOf, wholeAfterMs } from "./history.ts";

/** What the closing table tells of a run that took `ms`. */
export function figuresOf(history: History, ms: number): Record<string, string | number> {
  const { faults, asked, probes, lost } = history;
  const readyMs = probes.filter(({ path }) => path === "/readyz").map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  return {
    minutes: (ms / 60_000).toFixed(1),
    requests: asked.length,
    ...Object.fromEntries(faults.map((fault) => [titleOf(fault), figureOf(history, fault)])),
    "longest /readyz": seconds(Math.max(0, ...readyMs)),
    lost: lost.length,
  };
}

function figureOf(history: History, fault: History["faults"][number]): string {
  const during = askedDuring(history, fault);
  const failed = during.filter(({ status }) => status !== 200).length;
  const longest = Math.max(0, ...during.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
  return `longest request ${seconds(longest)}, whole after ${seconds(wholeAfterMs(history, fault))}, ${failed} of ${during.length} failed`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
