import { setTimeout as pause } from "node:timers/promises";
import { TEST_ENV } from "../../harness/server-env.ts";
import { until } from "../../harness/until.ts";
import { RECEIVER_HOST } from "../../harness/webhook-receiver.ts";
import type { Cluster } from "../cluster.ts";
import { insist } from "../insist.ts";
import { now } from "../promise.ts";
import { openSender } from "../sender.ts";
import type { Change, Told } from "../webhooks/history.ts";
import { readFeed, readStream } from "../webhooks/readers.ts";
import { sendMixed, type UnderWay } from "./clients.ts";
import { emptyHistory, type Found, isFailed, type LoadHistory } from "./history.ts";
import { makeWorkspaces } from "./workspaces.ts";

/** Variables that the processes need so that the receiver gets its deliveries, and soon after a failure. */
export const LOAD_ENV = {
  WEBHOOK_ALLOW: `${RECEIVER_HOST}/32`,
  WEBHOOK_RETRY_WAITS_S: "1,1,1,2,2,5,5,5,5",
  RATE_LIMITS: "default=600/60,burst=20/2",
};

/** Clients of one or more workspaces that send a mixed load, and three kinds of listeners in each of them. */
export interface Load {
  history: LoadHistory;
  /** Waits until all that clients send succeeds, and their probes do; returns the time. */
  calm(since: number): Promise<number>;
  /** Ends the load, waits until every listener knows everything, and reads back what is there. */
  stop(): Promise<void>;
}

interface Options {
  cluster: Pick<Cluster, "ports" | "probes"> & { postgres: { url: string } };
  /** Port that all clients send to. */
  port: number;
  /** Number of workspaces, 1 unless given, which share the load evenly. */
  workspaces?: number;
  /** Number of users of each workspace. */
  users: number;
  perSecond: number;
  random: () => number;
}

const STREAMS = 3;
const PROBE_EVERY_MS = 500;
/** All has succeeded for so long: then it is whole. */
const CALM_MS = 3_000;
/** A fault is watched for so long after its end while something fails. */
const WATCH_MS_MAX = 90_000;
/** A fleet in which requests wait for longer is not calm yet. */
const QUICK_MS = 1_000;
const POLL_MS = 50;
const LOOK_EVERY_MS = 500;
/** When nothing more came for so long, what did not come is lost. */
const SILENCE_MS_MAX = 60_000;

/** Starts it. Returns when its first requests have succeeded. */
export async function startLoad({ cluster, port, users, perSecond, random, workspaces = 1 }: Options): Promise<Load> {
  const history = emptyHistory(STREAMS);
  const all = await makeWorkspaces(workspaces, cluster, { users, random, history });
  const reading = new AbortController();
  let isOver = false;
  const underWay: UnderWay = new Set();
  const watched = { history, underWay, isOver: () => isOver };
  const sender = openSender(port);
  const listeners = all.flatMap(({ apiKeys }) =>
    [history.read, ...history.streamed].map((told, i) =>
      (i === 0 ? readFeed : readStream)({
        ports: [port],
        apiKey: apiKeys[i % users] ?? "",
        told,
        signal: reading.signal,
      }),
    ),
  );
  const asking = [...cluster.probes].map(([name, probe]) => probeSteadily(name, probe, watched));
  const each = { sender, perSecond: perSecond / workspaces, random, ...watched };
  const sending = all.map((workspace) => sendMixed({ ...workspace, ...each }));

  const stop = async () => {
    isOver = true;
    await Promise.all([...sending, ...asking]);
    await allTold(history);
    reading.abort();
    await Promise.all(listeners);
    sender.close();
    for (const { receiver, at, apiKeys } of all) {
      await receiver.close();
      await readBack(at.port, apiKeys, history.found);
    }
  };
  const calm = (since: number) => calmAfter(since, watched);
  await calm(now());
  return { history, calm, stop };
}

async function probeSteadily(
  process: string,
  port: number,
  { history: { probes }, underWay, isOver }: Watched & { isOver(): boolean },
): Promise<void> {
  const sender = openSender(port);
  while (!isOver()) {
    for (const path of ["/livez", "/readyz"] as const) {
      const sentAt = now();
      const mark = { sentAt };
      underWay.add(mark);
      const { status } = await sender.send({ method: "GET", path, headers: { Connection: "close" } });
      underWay.delete(mark);
      probes.push({ process, path, sentAt, answeredAt: now(), status });
    }
    await pause(PROBE_EVERY_MS);
  }
  sender.close();
}

/**
 * Waits until everything has succeeded for some time, and what was under way then too; gives the time. All that was
 * sent before has its answer, so that the next fault does not hit it.
 */
async function calmAfter(since: number, watched: Watched): Promise<number> {
  for (;;) {
    const until = await quietAfter(since, watched);
    while (oldest(watched.underWay) < until) await pause(POLL_MS);
    if (now() - since > WATCH_MS_MAX || recentOf(watched.history, until).every((one) => !isFailed(one))) return until;
  }
}

interface Watched {
  history: LoadHistory;
  underWay: UnderWay;
}

/** Waits until everything has succeeded for some time, and nothing waits for long; gives the time. */
async function quietAfter(since: number, { history, underWay }: Watched): Promise<number> {
  for (;;) {
    await pause(POLL_MS);
    if (now() - since > WATCH_MS_MAX) return now();
    const from = now() - CALM_MS;
    if (from < since || oldest(underWay) < now() - QUICK_MS) continue;
    const recent = recentOf(history, from);
    if (recent.length > 0 && recent.every((one) => !isFailed(one))) return now();
  }
}

/** First attempts and questions to probes that were answered since that time. */
function recentOf({ attempts, probes }: LoadHistory, from: number): { status: number }[] {
  const since = <One extends { answeredAt: number }>(all: One[]) =>
    all.slice(all.findLastIndex(({ answeredAt }) => answeredAt < from) + 1);
  return [...since(attempts).filter(({ tried }) => tried === 1), ...since(probes)];
}

function oldest(underWay: UnderWay): number {
  const [first] = underWay;
  return first?.sentAt ?? Number.POSITIVE_INFINITY;
}

/** Waits until every listener was told everything, or nothing more came for some time. */
async function allTold(history: LoadHistory): Promise<void> {
  const { received, read, streamed } = history;
  const count = () => [received, read, ...streamed].reduce((sum, told) => sum + told.length, 0);
  while (missingOf(history) > 0) {
    const before = count();
    const isMore = await until("more was told", () => count() > before, SILENCE_MS_MAX).catch(() => false);
    if (!isMore) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** Number of changes that listeners do not know yet. */
function missingOf({ written, received, read, streamed }: LoadHistory): number {
  const keyOf = ({ recordId, number }: Change) => `${recordId} ${number}`;
  const missing = (told: Told[]) => {
    const heard = new Set(told.map(keyOf));
    return written.filter((change) => !heard.has(keyOf(change))).length;
  };
  return [received, read, ...streamed].reduce((sum, told) => sum + missing(told), 0);
}

async function readBack(port: number, apiKeys: string[], { people, notes }: Found): Promise<void> {
  people.push(...(await allOf<Found["people"][number]>("/v1/people?limit=100", port, apiKeys)));
  notes.push(...(await allOf<Found["notes"][number]>("/v1/notes?limit=100", port, apiKeys)));
}

/** A list, page by page, each asked for by the next user: none comes near the limits. */
async function allOf<Item>(path: string, port: number, apiKeys: string[]): Promise<Item[]> {
  const all: Item[] = [];
  let next: string | undefined = path;
  for (let n = 0; next !== undefined; n += 1) {
    const page: Page<Item> = await insist({ port, key: apiKeys[n % apiKeys.length] ?? "" }, "GET", next);
    all.push(...page.items);
    next = page.pagination.nextLink?.slice(TEST_ENV.PUBLIC_URL.length);
  }
  return all;
}

interface Page<Item> {
  items: Item[];
  pagination: { nextLink?: string };
}
