import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { EVENTS_KEPT_MS } from "../../../config/limits.ts";
import { type Database, openDatabase } from "../../../database/database.ts";
import { errorCode } from "../../../database/errors.ts";
import { SQLSTATE } from "../../../database/sqlstates.ts";
import * as log from "../../../engine/events/periods.ts";
import { beginPeriod, DELIVERIES, dropPeriods } from "../../../engine/periods/periods.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { PATIENT } from "../../harness/waits.ts";
import { now, type Outcome } from "../promise.ts";
import { type Flow, inTransaction, openFlow } from "./flow.ts";
import { type History, judge, type Sample, type Size, TABLES } from "./judge.ts";

export interface Options {
  /** Events that are written altogether. */
  events: number;
  /** Events that are written in a second. */
  perSecond: number;
  /** Time for which entries of the log and deliveries are kept, in the place of their days. */
  keptS: number;
  note(line: string): void;
}

const SAMPLE_MS = 2_000;
const IDLE_MS = 5;
/** A writer that falls behind catches up this much at most. In a larger burst most entries would be of one moment. */
const LATE_MS_MAX = 500;
/** SQLSTATEs of work that waited for too long. All of it is undone, and it is done again, as in the server. */
const HELD_UP: string[] = [SQLSTATE.lockNotAvailable, SQLSTATE.queryCanceled, SQLSTATE.idleInTransactionTimeout];
/** The days are a few seconds here, so the minute after which PostgreSQL looks what to vacuum is one too. */
const NAPTIME = "1s";

/**
 * Sends events through the log and the deliveries, while what is old is dropped; then judges sizes.
 */
export async function tortureRetention(options: Options): Promise<Outcome & { history: History }> {
  const { events, keptS, note } = options;
  const postgres = await startPostgres({ durable: false });
  const database = await openDatabase(postgres.url, { waits: PATIENT });
  const stopping = new AbortController();
  const history: History = { keptMs: keptS * 1000, samples: [], dropped: [] };
  // As short beside the time for which they are kept as it is in the server.
  const periodMs = (history.keptMs * log.PERIOD_MS) / EVENTS_KEPT_MS;
  const deliveries = { ...DELIVERIES, periodMs, keptMs: history.keptMs };
  let written = 0;
  try {
    await hurryAutovacuum(postgres.url);
    const flow = await openFlow(database);
    const begun = now();
    const until = (work: () => Promise<number>) => repeat(work, stopping.signal);
    const beside = [
      until(flow.publish),
      until(flow.deliver),
      until(async () => {
        await inTransaction(database, (query) => log.beginPeriod(query, periodMs));
        history.dropped.push(...(await log.dropPeriods(database.queryPlanned, history.keptMs)));
        await beginPeriod(database, deliveries);
        history.dropped.push(...(await dropPeriods(database, deliveries)));
        return 0;
      }),
      sample(async () => {
        const taken = await sizesOf(database, written, now() - begun);
        history.samples.push(taken);
        note(lineOf(taken));
      }, stopping.signal),
    ];
    const writing = writeAll(flow, options, (count) => {
      written = count;
    }).then(() => stopping.abort());
    await Promise.all([writing, ...beside]);
    return { broken: judge(history), history, figures: figuresOf(history, events, now() - begun) };
  } finally {
    stopping.abort();
    await database.close();
    await postgres.stop();
  }
}

/** Writes evenly, as far as the machine can. */
async function writeAll(flow: Flow, { events, perSecond }: Options, note: (count: number) => void): Promise<void> {
  let dueAt = now();
  for (let written = 0; written < events; note(written)) {
    const count = await unlessHeldUp(flow.write);
    written += count;
    dueAt = Math.max(dueAt, now() - LATE_MS_MAX) + (count / perSecond) * 1000;
    if (dueAt > now()) await pause(dueAt - now());
  }
}

async function repeat(work: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) if ((await unlessHeldUp(work)) === 0) await pause(IDLE_MS);
}

async function unlessHeldUp(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (HELD_UP.includes(errorCode(error) ?? "")) return 0;
    throw error;
  }
}

/** The last one is taken when all is over. */
async function sample(take: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let isOver = false; !isOver; ) {
    await pause(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
    isOver = signal.aborted;
    await take();
  }
}

async function hurryAutovacuum(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`alter system set autovacuum_naptime = '${NAPTIME}'`);
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function sizesOf(database: Database, written: number, ms: number): Promise<Sample> {
  const one = (name: string) =>
    `select '${name}' as name, (select count(*) from ${name}) as rows, sum(pg_table_size(relid))::float8 as bytes,
       sum(pg_indexes_size(relid))::float8 as "indexBytes"
     from (select '${name}'::regclass as relid union select relid from pg_partition_tree('${name}')) parts`;
  const rows = await database.queryPlanned<Size & { name: string }>(TABLES.map(one).join(" union all "));
  const sizes = Object.fromEntries(rows.map(({ name, ...size }) => [name, size]));
  return { ms, written, sizes: sizes as Sample["sizes"] };
}

function lineOf({ written, sizes }: Sample): string {
  const parts = TABLES.map((table) => {
    const { bytes, indexBytes, rows } = sizes[table];
    return `${table} ${rows} rows ${mib(bytes)} + ${mib(indexBytes)} MiB`;
  });
  return `${written} written, ${parts.join(", ")}`;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

function figuresOf({ samples, dropped }: History, events: number, ms: number): Outcome["figures"] {
  const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))];
  return {
    events,
    "events in a second": Math.round(events / (ms / 1000)),
    "partitions dropped": dropped.length,
    ...Object.fromEntries(
      TABLES.map((table) => [
        `${table}, MiB of table + indexes after 1/3, 2/3, all`,
        [1 / 3, 2 / 3, 1]
          .map((share) => at(share)?.sizes[table])
          .map((size) => (size ? `${mib(size.bytes)} + ${mib(size.indexBytes)}` : "-"))
          .join(", "),
      ]),
    ),
  };
}
