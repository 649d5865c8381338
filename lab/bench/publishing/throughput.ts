import { type Database, run } from "../../../database/database.ts";
import { writeEvents } from "../../../engine/events/outbox.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { createPublisher } from "../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../services/webhooks/subscriptions/subscriptions.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { changedPerson, type Stock } from "./stock.ts";

export interface Bench {
  database: Database;
  postmaster: number;
}

interface Case {
  name: string;
  workspace: Stock;
}

interface Scale {
  events: number;
  rounds: number;
}

/** What passing an event on costs, in microseconds. */
interface Cost {
  name: string;
  wall: number;
  node: number;
  postgres: number;
}

/**
 * Fills the outbox and empties it, case by case and round by round. The first round, which warms up, does not count.
 */
export async function measureThroughput(bench: Bench, cases: Case[], { events, rounds }: Scale): Promise<Cost[]> {
  const publisher = createPublisher(bench.database, {
    definitionsCache: storeOf(bench.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  async function publishAll({ name, workspace }: Case): Promise<Cost> {
    await fill(bench.database, workspace, events);
    const before = usage(bench);
    while ((await publisher.publish()).hasMore);
    const after = usage(bench);
    const each = (part: "wall" | "node" | "postgres") => ((after[part] - before[part]) * 1000) / events;
    return { name, wall: each("wall"), node: each("node"), postgres: each("postgres") };
  }
  const measured: Cost[] = [];
  for (let round = 0; round <= rounds; round += 1) for (const one of cases) measured.push(await publishAll(one));
  return cases.map(({ name }) => mean(measured.slice(cases.length).filter((cost) => cost.name === name)));
}

function mean(costs: Cost[]): Cost {
  const of = (part: "wall" | "node" | "postgres") => costs.reduce((sum, cost) => sum + cost[part], 0) / costs.length;
  return { name: costs[0]?.name ?? "", wall: of("wall"), node: of("node"), postgres: of("postgres") };
}

/** So far, in milliseconds. */
export function usage({ postmaster }: Bench): Omit<Cost, "name"> {
  return { wall: performance.now(), node: cpuMs(process.pid), postgres: postgresCpuMs(postmaster) };
}

const WRITTEN_AT_ONCE = 1_000;

async function fill(database: Database, workspace: Stock, count: number): Promise<void> {
  for (let left = count; left > 0; left -= WRITTEN_AT_ONCE) {
    const events = Array.from({ length: Math.min(left, WRITTEN_AT_ONCE) }, () => changedPerson(workspace));
    await database.transaction((trx) =>
      writeEvents((sql, values, form) => run(trx, sql, values, form), workspace.workspaceId, events),
    );
  }
}

export function throughputTable(costs: Cost[]): string {
  const [base] = costs;
  const rows = costs.map(({ name, wall, node, postgres }) => {
    const ratio = base ? (node + postgres) / (base.node + base.postgres) : 1;
    return `| ${name} | ${Math.round(1e6 / wall)} | ${Math.round(node)} | ${Math.round(postgres)} | ${ratio.toFixed(1)} |`;
  });
  return [
    "| webhooks of the workspace | events /s | Node µs | PostgreSQL µs | CPU, no webhook = 1 |",
    "|---|---:|---:|---:|---:|",
    ...rows,
    "",
  ].join("\n");
}
