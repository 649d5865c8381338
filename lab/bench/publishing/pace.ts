import { setTimeout as pauseFor } from "node:timers/promises";
import { appendToLog } from "../../../engine/events/append.ts";
import { logAppended } from "../../../engine/events/appended.ts";
import { startPublishing } from "../../../services/webhooks/publishing/event-publisher.service.ts";
import { percentile } from "../../harness/load.ts";
import { changedPerson, type Stock } from "./stock.ts";
import { type Bench, publishAll, publisherOf, usage } from "./throughput.ts";

interface Pace {
  perSecond: number;
  seconds: number;
}

interface Paced {
  restMs: number;
  p50Ms: number;
  p99Ms: number;
  runs: number;
  /** CPU of Node and PostgreSQL for each event, its writing included, in microseconds. */
  node: number;
  postgres: number;
}

/**
 * Writes events one by one, so many a second at random times, to the workspaces in turn, while a process makes their
 * deliveries with rests of these lengths.
 */
export async function measurePace(bench: Bench, workspaces: Stock[], rests: number[], pace: Pace): Promise<Paced[]> {
  const paced: Paced[] = [];
  for (const restMs of rests) paced.push(await measureRest(bench, workspaces, restMs, pace));
  return paced;
}

async function measureRest(bench: Bench, workspaces: Stock[], restMs: number, pace: Pace): Promise<Paced> {
  const { database } = bench;
  const publisher = publisherOf(database);
  let runs = 0;
  const counted: typeof publisher = {
    due: publisher.due,
    publish(workspaceId) {
      runs += 1;
      return publisher.publish(workspaceId);
    },
  };
  const publishing = startPublishing(database, counted, {
    restMs,
    hasWaiting: () => false,
    onDeliveries: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  const before = usage(bench);
  const writtenAt = await writeSteadily(bench, workspaces, pace);
  const after = usage(bench);
  await publishing.stop();
  const ids = workspaces.map(({ workspaceId }) => workspaceId);
  await publishAll(publisher, ids);
  const rows = await database.read<{ recordId: string; at: number }>(
    `select record_id as "recordId", extract(epoch from created_at)::float8 * 1000 as at from deliveries
     where workspace_id = any($1::uuid[])`,
    [ids],
  );
  const waits = rows.flatMap(({ recordId, at }) => {
    const written = writtenAt.get(recordId);
    return written === undefined ? [] : [Math.max(0, at - written)];
  });
  const share = (part: "node" | "postgres") => ((after[part] - before[part]) * 1000) / writtenAt.size;
  return {
    restMs,
    p50Ms: percentile(waits, 0.5),
    p99Ms: percentile(waits, 0.99),
    runs,
    node: share("node"),
    postgres: share("postgres"),
  };
}

/** Gives when each event was committed, by its record. */
async function writeSteadily(
  { database }: Bench,
  workspaces: Stock[],
  { perSecond, seconds }: Pace,
): Promise<Map<string, number>> {
  const writtenAt = new Map<string, number>();
  const { read } = database.sharedConnection("writer");
  async function write(stock: Stock): Promise<void> {
    const entry = changedPerson(stock);
    await appendToLog(read, { workspaceId: stock.workspaceId }, [entry]);
    writtenAt.set(entry.recordId, Date.now());
    logAppended(database, stock.workspaceId);
  }
  const writes: Promise<void>[] = [];
  const end = performance.now() + seconds * 1000;
  for (let next = performance.now(); next < end; next += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
    const wait = next - performance.now();
    if (wait > 1) await pauseFor(wait);
    const stock = workspaces[writes.length % workspaces.length];
    if (stock) writes.push(write(stock));
  }
  await Promise.all(writes);
  return writtenAt;
}

export function paceTable(workspaces: number, paced: Paced[]): string {
  const rows = paced.map(
    ({ restMs, p50Ms, p99Ms, runs, node, postgres }) =>
      `| ${workspaces} | ${restMs} | ${p50Ms.toFixed(0)} | ${p99Ms.toFixed(0)} | ${runs} | ${Math.round(node)} | ${Math.round(postgres)} |`,
  );
  return [
    "| workspaces | rest ms | commit to delivery p50 ms | p99 ms | runs | Node µs per event | PostgreSQL µs per event |",
    "|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
  ].join("\n");
}
