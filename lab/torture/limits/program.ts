import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "../../harness/postgres.ts";
import { randomOf } from "../../harness/random.ts";
import { makeUsers } from "../../harness/users.ts";
import { type Cluster, startCluster } from "../cluster.ts";
import { now, type Outcome } from "../promise.ts";
import { openSender } from "../sender.ts";
import { sendAll } from "./clients.ts";
import { figuresOf } from "./figures.ts";
import type { History, Manner, Policy, User } from "./history.ts";
import { BOUNDS, type Bounds, judge } from "./judge.ts";

export interface Options {
  seed: number;
  requests: number;
  gateways: number;
  /** How many, or of what. */
  restarts: number | string[];
  policies: Policy[];
  users: Record<Manner, number>;
  bounds?: Bounds;
  /** Whether PostgreSQL waits for the disk; nothing is judged that it keeps. */
  durable?: boolean;
  note(line: string): void;
}

/** The defaults of a server. docs/guides/limits.md#rate-limits */
export const POLICIES: Policy[] = [
  { name: "default", quota: 600, windowS: 60 },
  { name: "burst", quota: 20, windowS: 2 },
];

const WORKERS = 2;
/** A user who floods has several: they share one quota. */
const FLOOD_KEYS = 3;
const NATS = "NATS";
const POLL_MS = 10;

/**
 * Lets users of all manners send through all gateways while gateways and NATS are restarted, as announced; then judges.
 */
export async function tortureLimits(options: Options): Promise<Outcome & { history: History }> {
  const { gateways, policies, durable = true } = options;
  const limits = policies.map(({ name, quota, windowS }) => `${name}=${quota}/${windowS}`).join(",");
  const postgres = await startPostgres({ durable });
  const cluster = await startCluster({ gateways, workers: WORKERS, postgres, env: { RATE_LIMITS: limits } });
  const senders = cluster.ports.map(openSender);
  const history: History = { asked: [], restarts: [] };
  try {
    const users = await fill(cluster, options.users);
    const begun = now();
    let restarting = true;
    const isOver = () => history.asked.length >= options.requests && !restarting;
    const sending = sendAll(users, slowest(policies), { senders, history, isOver });
    await restartAll(cluster, history, options);
    restarting = false;
    await sending;
    const broken = judge(history, users, policies, options.bounds ?? BOUNDS);
    return { broken, history, figures: figuresOf(history, users, broken, now() - begun) };
  } finally {
    for (const sender of senders) sender.close();
    await cluster.stop();
  }
}

async function fill(cluster: Cluster, counts: Record<Manner, number>): Promise<User[]> {
  const manners = Object.entries(counts).flatMap(([manner, count]) => Array<Manner>(count).fill(manner as Manner));
  const keys = await makeUsers(
    cluster.postgres.url,
    manners.map((manner) => (manner === "flood" ? FLOOD_KEYS : 1)),
  );
  return manners.map((manner, i) => ({ name: `${manner} ${i}`, manner, keys: keys[i] ?? [] }));
}

/** What all policies together allow in a second, in the long run. */
function slowest(policies: Policy[]): number {
  return Math.min(...policies.map(({ quota, windowS }) => quota / windowS));
}

/** One restart after the other, spread over the requests. */
async function restartAll(
  cluster: Cluster,
  history: History,
  { seed, restarts, requests, note }: Options,
): Promise<void> {
  const random = randomOf(seed);
  const all = Array.isArray(restarts) ? restarts : drawRestarts(restarts, [...cluster.gateways, NATS], random);
  for (const [i, what] of all.entries()) {
    const from = ((i + random()) / all.length) * requests;
    while (history.asked.length < from) await pause(POLL_MS);
    const restart = { what, at: now(), recoveredAt: Number.POSITIVE_INFINITY };
    history.restarts.push(restart);
    await (what === NATS ? cluster.restartNats("SIGTERM") : cluster.restart(what, "SIGTERM"));
    await cluster.recovered();
    restart.recoveredAt = now();
    note(
      `${history.asked.length} of ${requests} requests; restart of ${what} took ${Math.round(now() - restart.at)} ms`,
    );
  }
}

function drawRestarts(count: number, subjects: string[], random: () => number): string[] {
  return Array.from({ length: count }, () => subjects[Math.floor(random() * subjects.length)] ?? NATS);
}
