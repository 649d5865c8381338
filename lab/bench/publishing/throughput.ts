import { createRunsByKey } from "../../../base/jobs/runs-by-key.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { WORKSPACES_AT_ONCE } from "../../../services/webhooks/publishing/event-publisher.service.ts";
import { createPublisher, type Publisher } from "../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../services/webhooks/subscriptions/subscriptions.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { changedPerson, type Stock } from "./stock.ts";

export interface Bench {
  database: Database;
  postmaster: number;
}

/** Workspaces with the same webhooks, which share the events. */
interface Case {
  name: string;
  workspaces: Stock[];
}

interface Scale {
  events: number;
  rounds: number;
}

/** CPU time that the deliveries of an event cost, in microseconds. */
interface Cost {
  name: string;
  workspaces: number;
  wall: number;
  node: number;
  postgres: number;
}

type Part = "wall" | "node" | "postgres";

/**
 * Fills the logs of workspaces and makes their deliveries, case by case and round by round. The first round, which
 * warms up, does not count.
 */
export async function measureThroughput(bench: Bench, cases: Case[], { events, rounds }: Scale): Promise<Cost[]> {
  const publisher = publisherOf(bench.database);
  async function measure({ name, workspaces }: Case): Promise<Cost> {
    const each = Math.ceil(events / workspaces.length);
    for (const workspace of workspaces) await fill(bench.database, workspace, each);
    const before = usage(bench);
    await publishAll(
      publisher,
      workspaces.map(({ workspaceId }) => workspaceId),
    );
    const after = usage(bench);
    const cost = (part: Part) => ((after[part] - before[part]) * 1000) / (each * workspaces.length);
    return { name, workspaces: workspaces.length, wall: cost("wall"), node: cost("node"), postgres: cost("postgres") };
  }
  const measured: Cost[][] = cases.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [i, one] of cases.entries()) measured[i]?.push(await measure(one));
  return measured.map((costs) => mean(costs.slice(1)));
}

/** A publisher as a process has it. */
export function publisherOf(database: Database): Publisher {
  const { definitionsCache } = storeOf(database);
  return createPublisher(database, { definitionsCache, subscriptions: createSubscriptions() });
}

/** Makes all deliveries of workspaces, so many workspaces at once as a process does, but without its rests. */
export function publishAll(publisher: Publisher, workspaceIds: readonly Uuid[]): Promise<void> {
  const left = new Set(workspaceIds);
  return new Promise((resolve, reject) => {
    const runs = createRunsByKey<Uuid>({
      atOnce: WORKSPACES_AT_ONCE,
      async work(workspaceId) {
        const { hasMore } = await publisher.publish(workspaceId);
        if (!hasMore) left.delete(workspaceId);
        if (left.size === 0) resolve();
        return { hasMore, restMs: 0 };
      },
      onFailure: reject,
    });
    for (const workspaceId of workspaceIds) runs.wake(workspaceId);
  });
}

function mean(costs: Cost[]): Cost {
  const of = (part: Part) => costs.reduce((sum, cost) => sum + cost[part], 0) / costs.length;
  const { name, workspaces } = costs[0] ?? { name: "", workspaces: 0 };
  return { name, workspaces, wall: of("wall"), node: of("node"), postgres: of("postgres") };
}

/** So far, in milliseconds. */
export function usage({ postmaster }: Bench): Record<Part, number> {
  return { wall: performance.now(), node: cpuMs(process.pid), postgres: postgresCpuMs(postmaster) };
}

const WRITTEN_AT_ONCE = 1_000;

async function fill(database: Database, workspace: Stock, count: number): Promise<void> {
  for (let left = count; left > 0; left -= WRITTEN_AT_ONCE) {
    const entries = Array.from({ length: Math.min(left, WRITTEN_AT_ONCE) }, () => changedPerson(workspace));
    await database.transaction((trx) =>
      appendToLog((...statement) => run(trx, ...statement), { workspaceId: workspace.workspaceId }, entries),
    );
  }
}

export function throughputTable(costs: Cost[]): string {
  const [base] = costs;
  const rows = costs.map(({ name, workspaces, wall, node, postgres }) => {
    const ratio = base ? (node + postgres) / (base.node + base.postgres) : 1;
    return `| ${name} | ${workspaces} | ${Math.round(1e6 / wall)} | ${Math.round(node)} | ${Math.round(postgres)} | ${ratio.toFixed(1)} |`;
  });
  return [
    "| webhooks of a workspace | workspaces | events /s | Node µs | PostgreSQL µs | CPU, first line = 1 |",
    "|---|---:|---:|---:|---:|---:|",
    ...rows,
    "",
  ].join("\n");
}
