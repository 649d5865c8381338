import { setTimeout as pauseFor } from "node:timers/promises";
import { writeEvents } from "../../../engine/events/outbox.ts";
import { eventsWritten } from "../../../engine/events/written.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { startPublishing } from "../../../services/webhooks/publishing/event-publisher.service.ts";
import { createPublisher } from "../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../services/webhooks/subscriptions/subscriptions.ts";
import { percentile } from "../../harness/load.ts";
import { changedPerson, type Stock } from "./stock.ts";
import { type Bench, usage } from "./throughput.ts";

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

/** Writes events one by one, so many a second at random times, while they are passed on with rests of these lengths. */
export async function measurePace(bench: Bench, workspace: Stock, rests: number[], pace: Pace): Promise<Paced[]> {
  const paced: Paced[] = [];
  for (const restMs of rests) paced.push(await measureRest(bench, workspace, restMs, pace));
  return paced;
}

async function measureRest(bench: Bench, workspace: Stock, restMs: number, pace: Pace): Promise<Paced> {
  const { database } = bench;
  const publisher = createPublisher(database, {
    definitionsCache: storeOf(database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  let runs = 0;
  const publishing = startPublishing(database, publisher, {
    restMs: () => restMs,
    hasWaiting: () => false,
    onPublished: () => {
      runs += 1;
    },
    onFailure: (error) => {
      throw error;
    },
  });
  const before = usage(bench);
  const writtenAt = await writeSteadily(bench, workspace, pace);
  const after = usage(bench);
  await publishing.stop();
  while ((await publisher.publish()).events > 0);
  const rows = await database.read<{ recordId: string; at: number }>(
    `select record_id as "recordId", extract(epoch from published_at)::float8 * 1000 as at from events where workspace_id = $1`,
    [workspace.workspaceId],
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
  stock: Stock,
  { perSecond, seconds }: Pace,
): Promise<Map<string, number>> {
  const writtenAt = new Map<string, number>();
  const writes: Promise<void>[] = [];
  const end = performance.now() + seconds * 1000;
  for (let next = performance.now(); next < end; next += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
    const wait = next - performance.now();
    if (wait > 1) await pauseFor(wait);
    const event = changedPerson(stock);
    const written = writeEvents(database.sharedConnection("writer").read, stock.workspaceId, [event]).then(() => {
      writtenAt.set(event.recordId, Date.now());
      eventsWritten(database);
    });
    writes.push(written);
  }
  await Promise.all(writes);
  return writtenAt;
}

export function paceTable(paced: Paced[]): string {
  const rows = paced.map(
    ({ restMs, p50Ms, p99Ms, runs, node, postgres }) =>
      `| ${restMs} | ${p50Ms.toFixed(0)} | ${p99Ms.toFixed(0)} | ${runs} | ${Math.round(node)} | ${Math.round(postgres)} |`,
  );
  return [
    "| rest ms | commit to published p50 ms | p99 ms | runs | Node µs per event | PostgreSQL µs per event |",
    "|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
  ].join("\n");
}
