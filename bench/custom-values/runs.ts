import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import type { Design, Sql } from "./design.ts";
import { cell } from "./table.ts";

/** How much is measured: the options of the command line. `wide` gives every person a value of more than 1 kB. */
export type Scale = { people: number; runs: number; wide: boolean };

/** A design that is loaded into a schema of its own, with a connection that looks there. */
export type Loaded = { design: Design; client: Client };

/** Where figures stand in the report. */
type Place = { chapter: string; row: string };
type Work = (loaded: Loaded, run: number) => Promise<unknown>;
type Figures = { times: number[]; cpu: number[]; walBytes: number[] };

/** A turn of a design has several runs, since a processor that is at it has code and data of the statement in its caches. */
const RUNS_OF_TURN = 10;

/** One row in one design is measured for at most this long, however few runs that allows. */
const WORK_MS_MAX = 2500;

/**
 * Runs `work` up to `runs` times for each design and notes for the report how long it took. The designs take turns, so that what
 * else the machine does meanwhile falls on all of them. The first, cold runs count only when they are the only ones.
 * @returns how often it ran for each design, in their order
 */
export async function measure(
  designs: Loaded[],
  { chapter, row }: Place,
  runs: number,
  work: Work,
  { wal = false } = {},
): Promise<number[]> {
  const figures = await repeat(designs, runs, work, wal);
  return figures.map(({ times, cpu, walBytes }, i) => {
    const column = designs[i]?.design.key ?? "";
    cell(`${chapter}, median / p95 ms`, row, column, medianAndP95(times));
    cell(`${chapter}, median ms of the server's CPU`, row, column, share(warm(cpu), 0.5));
    if (wal) cell(`${chapter}, median bytes of WAL`, row, column, share(warm(walBytes), 0.5));
    return times.length;
  });
}

/** As `measure`, but only tells "median / p95" in milliseconds. */
export async function medianOf(loaded: Loaded, runs: number, work: Work): Promise<string> {
  const [figures] = await repeat([loaded], runs, work, false);
  return medianAndP95(figures?.times ?? []);
}

async function repeat(designs: Loaded[], runs: number, work: Work, wal: boolean): Promise<Figures[]> {
  const rows: Row[] = [];
  for (const loaded of designs)
    rows.push({
      loaded,
      cpuMs: await cpuOf(loaded.client),
      wal,
      spentMs: 0,
      figures: { times: [], cpu: [], walBytes: [] },
    });
  for (let first = 0; first < runs; first += RUNS_OF_TURN)
    for (const row of rows) await takeTurn(row, first, Math.min(runs, first + RUNS_OF_TURN), work);
  return rows.map(({ figures }) => figures);
}

type Row = { loaded: Loaded; cpuMs: () => number; wal: boolean; spentMs: number; figures: Figures };

async function takeTurn(row: Row, first: number, end: number, work: Work): Promise<void> {
  const { loaded, cpuMs, wal, figures } = row;
  for (let run = first; run < end && row.spentMs <= WORK_MS_MAX; run += 1) {
    const walBefore = wal ? await walPosition(loaded.client) : 0;
    const cpuBefore = cpuMs();
    const begun = performance.now();
    await work(loaded, run);
    const ms = performance.now() - begun;
    figures.times.push(ms);
    // The server process still has to tidy up when its answer is here.
    await pause();
    figures.cpu.push(cpuMs() - cpuBefore);
    if (wal) figures.walBytes.push((await walPosition(loaded.client)) - walBefore);
    row.spentMs += ms;
  }
}

const medianAndP95 = (times: number[]) => `${share(warm(times), 0.5)} / ${share(warm(times), 0.95)}`;

/** All but the first, unless there is no other. */
const warm = (figures: number[]) => (figures.length > 1 ? figures.slice(1) : figures);

/** The figure that such a part of all is below: 0.5 for the median. */
function share(figures: number[], part: number): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const figure = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return figure.toFixed(figure >= 10 ? 0 : 2);
}

/**
 * Gives a function that tells how many milliseconds of CPU time the server process of this connection has used. On a machine that
 * is shared they say more than the time that has passed. NaN where the server runs elsewhere, or not on Linux.
 */
async function cpuOf(client: Client): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const file = `/proc/${rows[0]?.pid}/schedstat`;
  if (!existsSync(file)) return () => Number.NaN;
  return () => Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
}

/** How many bytes of WAL the server has written so far. */
async function walPosition(client: Client): Promise<number> {
  const result = await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes");
  return Number(result.rows[0].bytes);
}

/** Ends in `end`; a failed statement leaves the transaction open. */
export async function transaction(client: Client, statements: Sql[], end: "commit" | "rollback"): Promise<void> {
  await client.query("begin");
  for (const statement of statements) await client.query(statement.text, statement.params);
  await client.query(end);
}
