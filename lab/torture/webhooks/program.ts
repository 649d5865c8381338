import type { Access } from "../../harness/api.ts";
import { percentile } from "../../harness/load.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { randomOf } from "../../harness/random.ts";
import { until } from "../../harness/until.ts";
import { makeUsers } from "../../harness/users.ts";
import { RECEIVER_HOST, type Receiver, startReceiver } from "../../harness/webhook-receiver.ts";
import { type Cluster, startCluster } from "../cluster.ts";
import { insist } from "../insist.ts";
import { now, type Outcome } from "../promise.ts";
import { drawFaults, type FaultKind, hitAll } from "../random-faults.ts";
import { openSender, type Sender } from "../sender.ts";
import { toldIn } from "./event.ts";
import type { History } from "./history.ts";
import { BOUNDS, type Bounds, duplicatesIn, judge } from "./judge.ts";
import { readFeed, readStream } from "./readers.ts";
import { writeAll } from "./writers.ts";

export interface Options {
  seed: number;
  events: number;
  /** Events a second at most. */
  perSecond: number;
  /** How many, or which. */
  faults: number | FaultKind[];
  bounds?: Bounds;
  /** Whether PostgreSQL waits for the disk, which takes time and matters only when the machine dies. */
  durable?: boolean;
  /** Told how far it is. */
  note(line: string): void;
}

const GATEWAYS = 2;
const WORKERS = 2;
const WRITERS = 8;
const RECORDS_PER_WRITER = 25;
/**
 * When nothing more came for so long, what did not come is lost. A killed sender's deliveries are taken over in a third
 * of it. All together may take longer, because a webhook gets 250 deliveries a second at most.
 */
const SILENCE_MS_MAX = 60_000;
/** An attempt that fails, because its process is about to end for example, is made again soon. */
const RETRY_WAITS_S = "1,1,1,2,2,5,5,5,5";

/**
 * Changes records while faults hit, and lets a webhook, a reader of the feed and one of the stream listen; then
 * compares what was written with what they were told.
 */
export async function tortureWebhooks(options: Options): Promise<Outcome & { history: History }> {
  const history: History = { written: [], received: [], read: [], streamed: [], faults: [] };
  const receiver = await startReceiver(({ text, isGenuine }) => {
    for (const told of toldIn(text, now())) history.received.push({ ...told, isGenuine });
  });
  const env = { WEBHOOK_ALLOW: `${RECEIVER_HOST}/32`, WEBHOOK_RETRY_WAITS_S: RETRY_WAITS_S };
  const postgres = await startPostgres({ durable: options.durable ?? true });
  const cluster = await startCluster({ gateways: GATEWAYS, workers: WORKERS, postgres, env });
  const senders = cluster.ports.map(openSender);
  try {
    return await run(options, { cluster, senders, receiver, history });
  } finally {
    for (const sender of senders) sender.close();
    await cluster.stop();
    await receiver.close();
  }
}

interface Parts {
  cluster: Cluster;
  senders: Sender[];
  receiver: Receiver;
  history: History;
}

async function run(options: Options, { cluster, senders, receiver, history }: Parts) {
  const { seed, events, perSecond, faults, note, bounds = BOUNDS } = options;
  const random = randomOf(seed);
  const [[apiKey = ""] = []] = await makeUsers(cluster.postgres.url, [1]);
  const at = { port: cluster.ports[0] ?? 0, key: apiKey };
  receiver.expect(await subscribe(at, receiver.url));
  const records = await Promise.all(Array.from({ length: WRITERS }, () => makeRecords(at)));
  history.written.push(...records.flat().map((recordId) => ({ recordId, number: 0 })));
  const rounds = Math.ceil(events / (WRITERS * RECORDS_PER_WRITER));
  const progress = { done: 0, of: rounds * WRITERS * RECORDS_PER_WRITER };
  const reading = new AbortController();
  const { ports } = cluster;
  const readers = [
    readFeed({ ports, apiKey, told: history.read, signal: reading.signal }),
    readStream({ ports, apiKey, told: history.streamed, signal: reading.signal }),
  ];
  const begun = now();
  const writing = writeAll({ senders, apiKey, records, rounds, perSecond, written: history.written, progress });
  const kinds = Array.isArray(faults) ? faults : drawFaults(faults, random);
  await hitAll(kinds, { cluster, senders, random, history, progress, note });
  await writing;
  const writtenMs = now() - begun;
  note(`${progress.done} changes are written`);
  await allTold(history, history.written.length);
  const allMs = now() - begun;
  reading.abort();
  await Promise.all(readers);
  return { broken: judge(history, bounds), history, figures: figuresOf(history, { writtenMs, allMs }) };
}

async function allTold(history: History, count: number): Promise<void> {
  for (let before = -1, told = 0; before < told && told < count; ) {
    before = told;
    await until("more were told", () => leastTold(history) >= count, SILENCE_MS_MAX).catch(() => undefined);
    told = leastTold(history);
  }
}

function leastTold({ received, read, streamed }: History): number {
  return Math.min(...[received, read, streamed].map((told) => new Set(told.map(({ eventId }) => eventId)).size));
}

async function subscribe(at: Access, targetUrl: string): Promise<string> {
  const subscribedEvents = [
    { eventType: "person.created" },
    { eventType: "person.updated", filter: { path: ["jobTitle"] } },
  ];
  const made = await insist<{ signingSecret: string }>(at, "POST", "/v1/webhooks", {
    name: "T",
    targetUrl,
    subscribedEvents,
  });
  return made.signingSecret;
}

async function makeRecords(at: Access): Promise<string[]> {
  const records = Array.from({ length: RECORDS_PER_WRITER }, () => ({}));
  const { results } = await insist<{ results: { data: { id: string } }[] }>(at, "POST", "/v1/people/batch/create", {
    records,
  });
  return results.map(({ data }) => data.id);
}

function figuresOf(
  { written, received, read, streamed, faults }: History,
  { writtenMs, allMs }: { writtenMs: number; allMs: number },
): Outcome["figures"] {
  const recoveries = faults.map(({ at, recoveredAt }) => recoveredAt - at);
  const duplicates = duplicatesIn(received).length;
  return {
    "seconds, writing and all": `${(writtenMs / 1000).toFixed(1)}, ${(allMs / 1000).toFixed(1)}`,
    "changes written": written.length,
    "deliveries received": received.length,
    "of these again": `${duplicates} (${((100 * duplicates) / Math.max(1, written.length)).toFixed(3)} %)`,
    "events read from the feed": read.length,
    "events of the stream": streamed.length,
    faults: faults.length,
    "recovery ms, median and most": `${percentile(recoveries, 0.5).toFixed(0)}, ${Math.max(0, ...recoveries).toFixed(0)}`,
  };
}
