import type { Broken } from "../promise.ts";
import { type Asked, askedDuring, type Fault, type History, type Probe, titleOf, wholeAfterMs } from "./history.ts";

export interface Bounds {
  requestMs: number;
  wholeMs: number;
  readyMs: number;
}

export const BOUNDS: Bounds = { requestMs: 10_000, wholeMs: 15_000, readyMs: 3_000 };

/** So long after the beginning of a fault may `/readyz` still give an answer that others have got before it. */
const KEPT_MS = 600;

/** The promises about peers that a history shows broken. docs/torture.md#peers-connections-that-are-dead */
export function judge(history: History, bounds: Bounds): Broken[] {
  return [
    ...history.faults.flatMap((fault) => judgeFault(history, fault, bounds)),
    ...history.probes.flatMap((probe) => judgeProbe(probe, bounds)),
    ...history.lost.map((name) => broken("no acknowledged write is lost", name)),
  ];
}

function judgeFault(history: History, fault: Fault, bounds: Bounds): Broken[] {
  const title = titleOf(fault);
  const list = askedDuring(history, fault).flatMap((asked) => judgeAnswer(asked, fault, bounds));
  const wholeMs = wholeAfterMs(history, fault);
  if (wholeMs > bounds.wholeMs)
    list.push(broken(`all is whole again ${bounds.wholeMs} ms after a fault`, `${title}: ${Math.round(wholeMs)} ms`));
  return [...list, ...judgeReadiness(history, fault)];
}

function judgeAnswer({ what, sentAt, answeredAt, status, error }: Asked, fault: Fault, bounds: Bounds): Broken[] {
  const list: Broken[] = [];
  const seen = `${titleOf(fault)}, ${Math.round(sentAt - fault.at)} ms after its beginning: ${what}`;
  if (answeredAt - sentAt > bounds.requestMs)
    list.push(
      broken(`every request ends within ${bounds.requestMs} ms`, `${seen}, ${Math.round(answeredAt - sentAt)} ms`),
    );
  if (status === 0) list.push(broken("every request gets an answer", `${seen}, ${error}`));
  // What was corrupted may be read as something else than it was.
  else if (![200, 503].includes(status) && fault.kind !== "corrupting")
    list.push(broken("answers are 200 or 503", `${seen}, ${status}`));
  return list;
}

/** While nothing at all can be reached, the process says so; and in the end each says that it is ready. */
function judgeReadiness({ probes }: History, fault: Fault): Broken[] {
  const list: Broken[] = [];
  const ready = probes.filter(({ path }) => path === "/readyz");
  if (fault.kind === "silent") {
    const inSilence = ready.filter(
      ({ sentAt, answeredAt }) => sentAt > fault.at + KEPT_MS && answeredAt < fault.endedAt,
    );
    for (const { process, sentAt } of inSilence.filter(
      ({ process, status }) => process === fault.victim && status === 200,
    ))
      list.push(
        broken(
          "/readyz tells the truth",
          `${titleOf(fault)}: ${process} ready after ${Math.round(sentAt - fault.at)} ms`,
        ),
      );
  }
  const within = ready.filter(({ sentAt }) => sentAt >= fault.at && sentAt < fault.watchedUntil);
  for (const [process, mine] of Map.groupBy(within, (probe) => probe.process))
    if (mine.at(-1)?.status !== 200)
      list.push(broken("/readyz says when all is whole", `${titleOf(fault)}: ${process}`));
  return list;
}

function judgeProbe({ process, path, sentAt, answeredAt, status }: Probe, bounds: Bounds): Broken[] {
  const seen = `${process}, ${path} at ${Math.round(sentAt)}: ${status}, ${Math.round(answeredAt - sentAt)} ms`;
  const list: Broken[] = [];
  if (status === 0 || (path === "/livez" && status !== 200)) list.push(broken("every process lives on", seen));
  if (answeredAt - sentAt > bounds.readyMs) list.push(broken(`probes are answered within ${bounds.readyMs} ms`, seen));
  return list;
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
