import { type Attempt, isFailed, type Probe } from "../load/history.ts";
import { judgeLoad } from "../load/judge.ts";
import type { Broken } from "../promise.ts";
import {
  attemptsDuring,
  type Fault,
  type History,
  type Shares,
  type StageHistory,
  titleOf,
  wholeAfterMs,
  windowsOf,
} from "./history.ts";

export interface Bounds {
  /** The first window of a fault: so soon calls have left what cannot serve. */
  firstMs: number;
  requestMs: number;
  probeMs: number;
  /** Time from the end of a fault until everything succeeds. */
  wholeMs: number;
  /** A delivery may come a second time so long after a fault was over. */
  repeatsMs: number;
  /** In the place of those that faults promise. */
  shares?: Shares;
}

export const BOUNDS: Bounds = {
  firstMs: 3_000,
  requestMs: 10_000,
  probeMs: 500,
  wholeMs: 15_000,
  repeatsMs: 30_000,
};

/** The promises that a history shows broken. docs/torture.md#faults-half-of-a-cluster-is-enough */
export function judge({ stages }: History, bounds: Bounds): Broken[] {
  return stages.flatMap((stage) => [
    ...(stage.failure === undefined ? [] : [broken("every fault is made", `${stage.stage}: ${stage.failure}`)]),
    ...stage.faults.flatMap((fault) => judgeFault(stage, fault, bounds)),
    ...stage.attempts.flatMap((attempt) => judgeAnswer(attempt, faultAround(stage, attempt), bounds)),
    ...stage.probes.flatMap((probe) => judgeProbe(probe, faultAround(stage, probe), bounds)),
    ...stage.leftOver.map((gid) => broken("no transaction stays prepared", gid)),
    ...judgeLoad(stage, disturbancesOf(stage), bounds),
  ]);
}

function judgeFault(stage: StageHistory, fault: Fault, bounds: Bounds): Broken[] {
  const during = attemptsDuring(stage, fault);
  const wholeMs = wholeAfterMs(during, fault);
  return [
    ...judgeShares(during, fault, bounds),
    ...(wholeMs > bounds.wholeMs
      ? [
          broken(
            `all is whole again ${bounds.wholeMs} ms after a fault`,
            `${titleOf(fault)}: after ${Math.round(wholeMs)} ms`,
          ),
        ]
      : []),
    ...judgeReadiness(stage, fault, bounds),
  ];
}

function judgeShares(during: Attempt[], fault: Fault, bounds: Bounds): Broken[] {
  const promised = fault.promised && (bounds.shares ?? fault.promised);
  if (!promised) return [];
  const windows = windowsOf(during, fault, bounds.firstMs);
  const names = {
    first: `in the first ${bounds.firstMs} ms of a fault`,
    meanwhile: "from then until its end",
    after: "after the end of a fault",
  };
  return (Object.keys(windows) as (keyof Shares)[]).flatMap((name) => {
    const sent = windows[name];
    const failed = sent.filter(isFailed).length;
    if (failed <= promised[name] * sent.length) return [];
    const promise = `at most ${100 * promised[name]} % fail ${names[name]}`;
    return [broken(promise, `${titleOf(fault)}: ${failed} of ${sent.length}`)];
  });
}

function judgeReadiness({ probes }: StageHistory, fault: Fault, { firstMs }: Bounds): Broken[] {
  const ready = probes.filter(({ path, sentAt }) => path === "/readyz" && sentAt >= fault.at);
  const whileCutOff = ready.filter(
    ({ process, sentAt, answeredAt, status }) =>
      fault.cutOff.includes(process) && status === 200 && sentAt > fault.at + firstMs && answeredAt < fault.endedAt,
  );
  const last = new Map(
    ready.filter(({ sentAt }) => sentAt < fault.watchedUntil).map((probe) => [probe.process, probe.status]),
  );
  return [
    ...whileCutOff.map(({ process, sentAt }) =>
      broken(
        "/readyz tells the truth",
        `${titleOf(fault)}: ${process} ready after ${Math.round(sentAt - fault.at)} ms`,
      ),
    ),
    ...[...last]
      .filter(([, status]) => status !== 200)
      .map(([process]) => broken("/readyz says when all is whole", `${titleOf(fault)}: ${process}`)),
  ];
}

function judgeAnswer(attempt: Attempt, fault: Fault | undefined, { requestMs }: Bounds): Broken[] {
  const { kind, tried, sentAt, answeredAt, status, reason = "" } = attempt;
  const ms = Math.round(answeredAt - sentAt);
  const promises = [
    ...(ms > requestMs && !fault?.cutsClients ? [`every request ends within ${requestMs} ms`] : []),
    ...(isAnswered(attempt) || fault?.cutsClients ? [] : ["every request gets an answer"]),
    ...(attempt.isProxys || status === 0 ? [] : promisesBrokenBy(attempt, fault)),
  ];
  const seen = `${placeOf(sentAt, fault)}: ${kind}, attempt ${tried}: ${status} ${reason}, ${ms} ms`;
  return promises.map((promise) => broken(promise, seen));
}

/** The load balancer gives 503 when it has no gateway, and another status when the connection to one has ended. */
function isAnswered({ status, isProxys }: Attempt): boolean {
  return status !== 0 && (!isProxys || status === 503);
}

/** Promises about what an answer of the server says. */
function promisesBrokenBy(attempt: Attempt, fault: Fault | undefined): string[] {
  const { status, isJson, retryAfterS = 0 } = attempt;
  return [
    ...(isJson ? [] : ["every answer is JSON"]),
    ...(status === 503 && retryAfterS < 1 ? ["a 503 says when to try again"] : []),
    ...(isExpected(attempt) || fault?.corrupts ? [] : ["answers are 200 or 503"]),
  ];
}

/** Only a client that tries again can meet its own key, or its limit. */
function isExpected({ status, tried }: Attempt): boolean {
  return [200, 503, 429].includes(status) || (status === 409 && tried > 1);
}

function judgeProbe(probe: Probe, fault: Fault | undefined, { probeMs }: Bounds): Broken[] {
  const { process, path, sentAt, answeredAt, status } = probe;
  if (fault?.away.includes(process)) return [];
  const ms = Math.round(answeredAt - sentAt);
  const seen = `${placeOf(sentAt, fault)}: ${process}, ${path}: ${status}, ${ms} ms`;
  return [
    ...(status === 0 || (path === "/livez" && status !== 200) ? [broken("every process lives on", seen)] : []),
    ...(ms > probeMs ? [broken(`probes are answered within ${probeMs} ms`, seen)] : []),
  ];
}

/** The fault that began or lasted while a request was under way; undefined between two faults. */
function faultAround({ faults }: StageHistory, { sentAt, answeredAt }: { sentAt: number; answeredAt: number }) {
  return faults.find(({ at, watchedUntil }) => answeredAt >= at && sentAt < watchedUntil);
}

function disturbancesOf({ faults }: StageHistory) {
  return faults.map(({ at, watchedUntil }) => ({ at, recoveredAt: watchedUntil }));
}

function placeOf(time: number, fault: Fault | undefined): string {
  return fault ? `${titleOf(fault)}, after ${Math.round(time - fault.at)} ms` : "between two faults";
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
