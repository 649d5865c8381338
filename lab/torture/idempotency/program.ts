import { startPostgres } from "../../harness/postgres.ts";
import { randomOf } from "../../harness/random.ts";
import { makeUsers } from "../../harness/users.ts";
import { type Cluster, startCluster } from "../cluster.ts";
import { now, type Outcome } from "../promise.ts";
import { drawFaults, type FaultKind, hitAll } from "../random-faults.ts";
import { openSender, type Sender } from "../sender.ts";
import { type Api, openApi } from "./api.ts";
import { sendAll } from "./clients.ts";
import { figuresOf } from "./figures.ts";
import type { History } from "./history.ts";
import { BOUNDS, type Bounds, judge } from "./judge.ts";
import { drawWork, type Surroundings } from "./work.ts";

export interface Options {
  seed: number;
  keys: number;
  duplicates: number;
  /** How many, or which. */
  faults: number | FaultKind[];
  /** Keys that are under way at the same time. */
  atOnce: number;
  bounds?: Bounds;
  /** Whether PostgreSQL waits for the disk, which takes time and matters only when the machine dies. */
  durable?: boolean;
  /** Told how far it is. */
  note(line: string): void;
}

const GATEWAYS = 2;
const WORKERS = 2;

/**
 * Sends keys with duplicates through two gateways while faults hit; then everything is read back and judged. Gives the
 * history too, for whoever wants to know what happened.
 */
export async function tortureIdempotency(options: Options): Promise<Outcome & { history: History }> {
  const postgres = await startPostgres({ durable: options.durable ?? true });
  const cluster = await startCluster({ gateways: GATEWAYS, workers: WORKERS, postgres });
  const senders = cluster.ports.map(openSender);
  try {
    return await run(options, cluster, senders);
  } finally {
    for (const sender of senders) sender.close();
    await cluster.stop();
  }
}

async function run(options: Options, cluster: Cluster, senders: Sender[]): Promise<Outcome & { history: History }> {
  const { seed, keys, duplicates, faults, atOnce, note, bounds = BOUNDS } = options;
  const random = randomOf(seed);
  const [[apiKey = ""] = []] = await makeUsers(cluster.postgres.url, [1]);
  const api = openApi(cluster.ports[0] ?? 0, apiKey);
  const work = drawWork(keys, `t${seed}`, random, await makeCompanies(api));
  const kinds = Array.isArray(faults) ? faults : drawFaults(faults, random);
  const history: History = { attempts: [], faults: [] };
  const begun = now();
  const progress = { done: 0, of: work.length };
  const sending = sendAll(work, { senders, apiKey, duplicates, atOnce, random, history, progress });
  await hitAll(kinds, { cluster, senders, random, history, progress, note });
  await sending;
  const ms = now() - begun;
  const people = await api.people();
  return { broken: judge(work, history, people, bounds), history, figures: figuresOf(history, people, ms) };
}

async function makeCompanies(api: Api): Promise<Surroundings> {
  const takenName = "Taken";
  await api.makeCompany(takenName);
  return { companyId: await api.makeCompany("Free"), takenName };
}
