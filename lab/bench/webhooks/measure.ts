import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "../../harness/load.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { clockMs } from "./clock.ts";

/** A workspace with two webhooks that want each change of its people, one of which tells when it comes. */
export interface Workspace {
  id: string;
  key: string;
  people: string[];
}

/** What a measurement runs on. */
export interface Stage {
  port: number;
  pid: number;
  postmaster: number;
  workspaces: { plain: Workspace; crowded: Workspace };
  /** When each number came to the receiver. */
  receivedAt: Map<number, number>;
  /** Makes a webhook whose receiver never answers. Gives a function that deletes it. */
  hang(workspace: Workspace): Promise<() => Promise<void>>;
  /** Makes a webhook with so many deliveries that are due. Gives a function that deletes it. */
  pile(workspace: Workspace, count: number): Promise<() => Promise<void>>;
  /** Fills a workspace up to so many further webhooks, which want other changes. */
  crowd(workspace: Workspace, count: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Measured {
  sent: number;
  /** Writes that were 503, because the machine had too much to do. */
  refused: number;
  received: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU of the server and of PostgreSQL for each event, its write included, in microseconds. */
  serverUs: number;
  postgresUs: number;
}

/** Numbers go on over all measurements, so that each is told once. */
let number = 0;
/** What has not come so long after the last write is told as not received. */
const WAIT_MS_MAX = 15_000;

/**
 * Changes people in turn at an even rate, whatever comes of it, and tells how long the changes took to the receiver.
 */
export async function measure(
  stage: Stage,
  workspace: Workspace,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Measured> {
  const sentAt = new Map<number, number>();
  const [server, postgres] = [cpuMs(stage.pid), postgresCpuMs(stage.postmaster)];
  const begun = clockMs();
  const writes: Promise<boolean>[] = [];
  for (let i = 0; i < perSecond * seconds; i += 1) {
    await pause(Math.max(0, begun + (i * 1000) / perSecond - clockMs()));
    number += 1;
    sentAt.set(number, clockMs());
    writes.push(change(stage, workspace, number));
  }
  const done = await Promise.all(writes);
  const numbers = [...sentAt.keys()];
  for (const [i, one] of numbers.entries()) if (!done[i]) sentAt.delete(one);
  const isThere = () => [...sentAt.keys()].every((one) => stage.receivedAt.has(one));
  for (const until = clockMs() + WAIT_MS_MAX; clockMs() < until && !isThere(); ) await pause(10);
  const [serverMs, postgresMs] = [cpuMs(stage.pid) - server, postgresCpuMs(stage.postmaster) - postgres];
  const tooks = [...sentAt].flatMap(([one, at]) => {
    const received = stage.receivedAt.get(one);
    return received === undefined ? [] : [received - at];
  });
  return {
    sent: sentAt.size,
    refused: numbers.length - sentAt.size,
    received: tooks.length,
    p50Ms: percentile(tooks, 0.5),
    p99Ms: percentile(tooks, 0.99),
    serverUs: (1000 * serverMs) / sentAt.size,
    postgresUs: (1000 * postgresMs) / sentAt.size,
  };
}

/** Whether it was made: false when the server had no place for it. */
async function change({ port }: Stage, { key, people }: Workspace, value: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/people/${people[value % people.length]}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ jobTitle: String(value) }),
  });
  await response.arrayBuffer();
  if (response.status !== 200 && response.status !== 503) throw new Error(`A change was answered ${response.status}`);
  return response.status === 200;
}

/** The figures as markdown, each the median of its rounds, beside those of the first case. */
export function table(
  rows: Map<string, Measured[]>,
  { perSecond, seconds, rounds }: { perSecond: number; seconds: number; rounds: number },
): string {
  const [first = []] = rows.values();
  const lines = [...rows].map(([name, measured]) => {
    const figure = (of: keyof Measured) =>
      percentile(
        measured.map((one) => one[of]),
        0.5,
      );
    const beside = (of: keyof Measured) =>
      figure(of) /
      percentile(
        first.map((one) => one[of]),
        0.5,
      );
    const sum = (of: (one: Measured) => number) => measured.reduce((all, one) => all + of(one), 0);
    const lost = sum(({ sent, received }) => sent - received);
    const refused = sum((one) => one.refused);
    const both = (of: keyof Measured, digits: number) => `${figure(of).toFixed(digits)} (${beside(of).toFixed(2)} ×)`;
    return [name, both("p50Ms", 1), both("p99Ms", 0), both("serverUs", 0), both("postgresUs", 0), lost, refused].join(
      " | ",
    );
  });
  return [
    `${perSecond} events a second, ${rounds} rounds of ${seconds} s; in brackets beside the first row`,
    "",
    "| | p50 ms | p99 ms | server µs per event | PostgreSQL µs per event | not received | writes refused |",
    "|---|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}
