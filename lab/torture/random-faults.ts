import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { now } from "./promise.ts";
import type { Sender } from "./sender.ts";

/**
 * A fault and when all was whole again: its process back, `/readyz` of every gateway 200. Infinity when that was not
 * seen.
 */
export interface Fault {
  kind: string;
  target: string;
  at: number;
  recoveredAt: number;
}

interface Scene {
  cluster: Cluster;
  senders: Sender[];
  random: () => number;
}

/** Share of the connections that a fault of that kind resets. */
const RESET_SHARE = 0.5;
/** The last faults still find keys that are under way. */
const LAST_FAULT = 0.97;
const POLL_MS = 10;
/** Share of the faults that hit while the last one still lasts, and how soon after it. */
const OVERLAP_SHARE = 0.25;
const OVERLAP_MS_MAX = 1_000;

type Subject = "gateways" | "workers" | "PostgreSQL" | "NATS" | "connections";

/** What can happen to what. Each gives its victim, and returns when that is on its way back. */
const FAULTS = {
  "kill -9 of a gateway": ["gateways", ({ cluster, random }) => restartOne(cluster, cluster.gateways, random)],
  "kill -9 of a worker": ["workers", ({ cluster, random }) => restartOne(cluster, cluster.workers, random)],
  "immediate stop of PostgreSQL": ["PostgreSQL", ({ cluster }) => cluster.postgres.stopImmediately()],
  "kill -9 of a backend": ["PostgreSQL", ({ cluster, random }) => cluster.postgres.killBackend(random)],
  "restart of NATS": ["NATS", ({ cluster }) => cluster.restartNats("SIGTERM")],
  "kill -9 of NATS": ["NATS", ({ cluster }) => cluster.restartNats("SIGKILL")],
  "reset of connections": ["connections", async ({ senders, random }) => reset(senders, random)],
} satisfies Record<string, [Subject, (scene: Scene) => Promise<string>]>;

export type FaultKind = keyof typeof FAULTS;

const KINDS = Object.keys(FAULTS) as FaultKind[];

/** As many kinds as asked for: all of them in a random order, then all again in another. */
export function drawFaults(count: number, random: () => number): FaultKind[] {
  const drawn: FaultKind[] = [];
  while (drawn.length < count) {
    const shuffled = KINDS.map((kind) => ({ kind, at: random() })).sort((a, b) => a.at - b.at);
    drawn.push(...shuffled.map(({ kind }) => kind));
  }
  return drawn.slice(0, count);
}

interface Run extends Scene {
  history: { faults: Fault[] };
  progress: { done: number; of: number };
  note(line: string): void;
}

/** Lets the faults happen in turn, spread over the work by its progress; some begin before the last one is over. */
export async function hitAll(kinds: FaultKind[], run: Run): Promise<void> {
  const { history, progress, random } = run;
  const underWay = new Map<Subject, Promise<void>>();
  for (const [i, kind] of kinds.entries()) {
    const [subject] = FAULTS[kind];
    if (underWay.size > 0 && !underWay.has(subject) && random() < OVERLAP_SHARE) await pause(random() * OVERLAP_MS_MAX);
    else {
      await Promise.all(underWay.values());
      underWay.clear();
      const from = ((i + random()) / kinds.length) * LAST_FAULT * progress.of;
      while (progress.done < from) await pause(POLL_MS);
    }
    const fault: Fault = { kind, target: "", at: now(), recoveredAt: Number.POSITIVE_INFINITY };
    history.faults.push(fault);
    underWay.set(subject, happen(fault, kind, run));
  }
  await Promise.all(underWay.values());
}

async function happen(fault: Fault, kind: FaultKind, { progress, note, ...scene }: Run): Promise<void> {
  fault.target = await FAULTS[kind][1](scene);
  const { done, of } = progress;
  try {
    await scene.cluster.recovered();
    fault.recoveredAt = now();
    note(`${done} of ${of}; ${kind}: ${fault.target}; whole again after ${Math.round(now() - fault.at)} ms`);
  } catch (error) {
    // The history says that it was not seen to recover, which is for the judge.
    note(`${kind}: ${fault.target}; ${(error as Error).message}`);
  }
}

async function restartOne(cluster: Cluster, names: string[], random: () => number): Promise<string> {
  const name = names[Math.floor(random() * names.length)] ?? "";
  await cluster.restart(name, "SIGKILL");
  return name;
}

function reset(senders: Sender[], random: () => number): string {
  return `${senders.reduce((sum, sender) => sum + sender.reset(random, RESET_SHARE), 0)} of them`;
}
