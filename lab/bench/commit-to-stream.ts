/**
 * Measures how long after the answer to a write its event arrives on a stream of its workspace: when nothing else
 * happens, while other workspaces write, and while the events of a person of another workspace are erased.
 *
 *   node_modules/.bin/node lab/bench/commit-to-stream.ts [--writes 1000] [--events 1000000] [--seconds 20]
 *
 * Starts a PostgreSQL and a server of its own and prints markdown. Times wander on a shared machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "../../database/database.ts";
import { readOptions } from "../../scripts/options.ts";
import { type Access, askJson } from "../harness/api.ts";
import { startCommand } from "../harness/command.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startServer } from "../harness/server-process.ts";
import { startWorld, type TestWorkspace } from "../harness/world.ts";

const options = readOptions("node lab/bench/commit-to-stream.ts", {
  writes: { type: "string", default: "1000" },
  events: { type: "string", default: "1000000" },
  seconds: { type: "string", default: "20" },
});

const WRITE_EVERY_MS = 40;
/** An event that takes longer than this is lost. */
const LONGEST_MS = 30_000;
const BATCH = 100;
const INSERTED_AT_ONCE = 50_000;

const postgres = await startPostgres({ durable: true });
const variables = { DATABASE_URL: postgres.url, RATE_LIMITS: "off", LOG_LEVEL: "warn" };
const server = await startServer(variables);
const database = await openDatabase(postgres.url);
const world = await startWorld(database);
try {
  const accessTo = ({ ada }: TestWorkspace): Access => ({ port: server.port, key: ada.key });
  const [watched, busy, erased] = [await world.workspace(), await world.workspace(), await world.workspace()];
  const stream = await openStream(accessTo(watched));
  const ms = Number(options.seconds) * 1000;
  const rows: string[] = [];
  const measure = async (name: string, beside: () => Promise<string>) => {
    const work = beside();
    const latencies = await writeAndWait(accessTo(watched), stream, { name, ms, beside: work });
    rows.push(
      `| ${name} | ${await work} | ${latencies.length} | ${shareOf(latencies, 0.5)} | ${shareOf(latencies, 0.99)} | ${shareOf(latencies, 1)} |`,
    );
  };
  await measure("nothing else", () => pause(ms).then(() => ""));
  await measure("others write", () => writeElsewhere(accessTo(busy), Number(options.writes), ms));
  const person = await fillLog(database, erased, accessTo(erased), Number(options.events));
  await measure("an erasure elsewhere", () => erase(erased, person));
  stream.close();
  console.log(
    ["| beside it | what | events | p50 ms | p99 ms | most ms |", "|---|---|---:|---:|---:|---:|", ...rows].join("\n"),
  );
} finally {
  await world.stop();
  await database.close();
  await server.stop();
  await postgres.stop();
}

interface Stream {
  /** When the event with this marker arrived. */
  arrived(marker: string): Promise<number>;
  close(): void;
}

async function openStream({ port, key }: Access): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/v1/events`, {
    headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream" },
    signal: abort.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream was answered with ${response.status}`);
  const waiting = new Map<string, (at: number) => void>();
  const seen = new Map<string, number>();
  void (async () => {
    let text = "";
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const at = performance.now();
      for (const [, marker = ""] of text.matchAll(/"marker-([^"]+)"/g)) {
        waiting.get(marker)?.(at);
        seen.set(marker, at);
      }
      text = text.slice(text.lastIndexOf("\n") + 1);
    }
  })().catch(() => undefined);
  return {
    close: () => abort.abort(),
    arrived: (marker) =>
      new Promise((resolve, reject) => {
        const at = seen.get(marker);
        if (at !== undefined) return resolve(at);
        setTimeout(() => reject(new Error(`The event ${marker} has not arrived`)), LONGEST_MS).unref();
        waiting.set(marker, resolve);
      }),
  };
}

/** Changes a person again and again until the other work is done, and for so long at least; gives the times. */
async function writeAndWait(
  access: Access,
  stream: Stream,
  { name, ms, beside }: { name: string; ms: number; beside: Promise<unknown> },
): Promise<number[]> {
  const { id } = await askJson<{ id: string }>(access, "POST", "/v1/people", { fullName: "Watched" });
  let isDone = false;
  void beside.then(() => {
    isDone = true;
  });
  const latencies: Promise<number>[] = [];
  const begun = performance.now();
  for (let i = 0; !isDone || performance.now() - begun < ms; i += 1) {
    const marker = `${name}-${i}`;
    await askJson(access, "PATCH", `/v1/people/${id}`, { jobTitle: `marker-${marker}` });
    const answered = performance.now();
    latencies.push(stream.arrived(marker).then((at) => Math.max(0, at - answered)));
    await pause(WRITE_EVERY_MS);
  }
  return Promise.all(latencies);
}

async function writeElsewhere(access: Access, perSecond: number, ms: number): Promise<string> {
  const begun = performance.now();
  let written = 0;
  while (performance.now() - begun < ms) {
    const people = Array.from({ length: BATCH }, (_, i) => ({ fullName: `Person ${written + i}` }));
    await askJson(access, "POST", "/v1/people/batch/create", { records: people });
    written += BATCH;
    await pause(Math.max(0, (written / perSecond) * 1000 - (performance.now() - begun)));
  }
  return `${Math.round(written / ((performance.now() - begun) / 1000))} writes/s`;
}

/** Gives a person of a workspace so many events of changes. */
async function fillLog(target: Database, { uuid }: TestWorkspace, access: Access, events: number): Promise<string> {
  const { id } = await askJson<{ id: string }>(access, "POST", "/v1/people", { fullName: "Erased" });
  for (let made = 0; made < events; made += INSERTED_AT_ONCE)
    await target.knex.raw(
      `insert into change_log (workspace_id, id, type, record_id, source, body)
       select ?, gen_random_uuid(), 'person.updated', ?, 'api',
         json_build_object('groups', '[]'::json, 'changes', json_build_array(json_build_object('path', '["jobTitle"]'::json, 'before', 'Engineer ' || n, 'after', 'Engineer ' || n + 1)))
       from generate_series(1, ?::int) n`,
      [uuid, id.slice(id.indexOf("_") + 1), Math.min(INSERTED_AT_ONCE, events - made)],
    );
  return id;
}

async function erase({ slug }: TestWorkspace, person: string): Promise<string> {
  const begun = performance.now();
  const { code, err } = await startCommand(["people", "erase", person, "--workspace", slug, "--yes"], variables).ended;
  if (code !== 0) throw new Error(err);
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

function shareOf(latencies: number[], share: number): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
