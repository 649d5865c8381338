/**
 * Measures the server against the least that could do the same: node:http and pg with the same statements (bench/http).
 *
 *   npm run bench -- [--people 100000] [--interactions 10] [--seconds 2] [--connections 20] [--only "get|list"] [--plans] [--plan-once] [--data FOLDER] [--out docs/benchmarks.md]
 *
 * Starts a PostgreSQL of its own, fills a workspace, and takes some minutes. `--data` keeps the database for a next run, with
 * what the writes of this one leave there. With `--plan-once` the bare server does not plan its statements anew either
 * (database/statement.ts). With `--plans` it prints how PostgreSQL runs every filter instead.
 * BENCH_NODE_FLAGS goes to the server, for example "--cpu-prof --cpu-prof-dir=/tmp/profiles".
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../database/migrate/migrate.ts";
import { fillInteractions } from "../lab/bench/interactions.ts";
import { keptSections } from "../lab/bench/sections.ts";
import { target } from "../lab/harness/load.ts";
import { watchMemory } from "../lab/harness/processes.ts";
import { startEmbedded } from "../packages/postgres/embedded.ts";
import { findPostmaster } from "../packages/postgres/postmaster.ts";
import { readOptions } from "../scripts/options.ts";
import type { Case, Request } from "./http/case.ts";
import { alternate, compare, type Side, unloaded } from "./http/measure.ts";
import { type Original, startOriginal } from "./http/original.ts";
import { plansReport } from "./http/plans.ts";
import { measurePromises, type Promised } from "./http/promises.ts";
import { type Measured, report } from "./http/report.ts";
import { BATCH, type Route, routes } from "./http/routes.ts";
import { readSeeded, type Seeded, seed, vacuum } from "./http/seed.ts";
import { type Running, startBare, startReal } from "./http/servers.ts";
import { sweep } from "./http/sweep.ts";

const options = readOptions("npm run bench --", {
  people: { type: "string", default: "100000" },
  /** With each person. */
  interactions: { type: "string", default: "10" },
  seconds: { type: "string", default: "2" },
  connections: { type: "string", default: "20" },
  only: { type: "string", default: "" },
  plans: { type: "boolean", default: false },
  "plan-once": { type: "boolean", default: false },
  /** With it `npm run bench` is against/main.ts. */
  against: { type: "string" },
  data: { type: "string" },
  out: { type: "string", default: "docs/benchmarks.md" },
});
const [peopleCount, seconds, connections, interactionsEach] = [
  Number(options.people),
  Number(options.seconds),
  Number(options.connections),
  Number(options.interactions),
];
/** Limits count and their headers are sent, but nobody meets them. The windows are short, so that no log of many requests grows. */
const ENV = {
  RATE_LIMITS: "default=1000000/2,burst=1000000/1",
  PUBLIC_URL: "http://localhost:3000",
  LOG_LEVEL: "warn",
};
/** A client that makes people one by one, and one that makes them in batches. */
const SINGLES = 100;
/** Requests that wait longer than a second for their turn at the pool are refused (engine/store/turns.ts). */
const POOLED_CONNECTIONS_MAX = 8;
const ROUNDS = 3;

const only = new RegExp(options.only);
const folder = options.data ?? mkdtempSync(join(tmpdir(), "bench-"));
const begun = performance.now();
const note = (text: string) =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);

mkdirSync(folder, { recursive: true });
const embedded = await startEmbedded(folder);
try {
  await migrate(embedded.url);
  const original = await startOriginal(embedded.url, { ...ENV, LOG_LEVEL: "error" });
  const recorded = await prepare(original);
  if (recorded) await measureAll(recorded);
} finally {
  await embedded.stop();
  if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
}

/** The workspace, made now or, with --data, by an earlier run. */
async function filled({ database, broker }: Original): Promise<Seeded> {
  const file = join(folder, "bench-key");
  if (!existsSync(file)) {
    const key = await seed(database, broker, peopleCount);
    note(`${await fillInteractions(embedded.url, interactionsEach)} interactions are there`);
    await vacuum(database);
    writeFileSync(file, key);
  }
  return readSeeded(database, readFileSync(file, "utf8"));
}

/** What the real server in this process is needed for. */
async function prepare(original: Original): Promise<Recorded | undefined> {
  try {
    const seeded = await filled(original);
    note(`${seeded.people.length} people are there`);
    return options.plans ? await showPlans(original, seeded) : await recordRoutes(original, seeded);
  } finally {
    await original.stop();
  }
}

async function showPlans(original: Original, seeded: Seeded): Promise<undefined> {
  console.log(
    await plansReport(
      original,
      seeded.key,
      sweep(seeded).filter(({ name }) => only.test(name)),
    ),
  );
}

interface Recorded {
  seeded: Seeded;
  routes: { route: Route; cases: Case[] }[];
}

async function recordRoutes(original: Original, seeded: Seeded): Promise<Recorded> {
  const recorded: Recorded = { seeded, routes: [] };
  for (const route of routes(seeded)) {
    if (!only.test(route.name)) continue;
    recorded.routes.push({ route, cases: await recordAll(original, route, seeded.key) });
  }
  return recorded;
}

async function measureAll({ seeded, routes: recorded }: Recorded): Promise<void> {
  const all = recorded.flatMap(({ cases }) => cases);
  const file = join(folder, "cases.json");
  writeFileSync(file, JSON.stringify(all));
  note(`${all.length} requests are recorded`);
  const bare = await startBare(embedded.url, file, options["plan-once"] ? "plan-once" : "as-pg-opens-them");
  const real = await startReal({ ...ENV, DATABASE_URL: embedded.url });
  const memory = watchMemory(real.pid);
  const idleMb = memory.peakMb();
  const measured: Measured[] = [];
  try {
    for (const { route, cases } of recorded) {
      const at = all.indexOf(cases[0] as Case);
      const asked = cases.map(({ request }) => request);
      const requests = route.pages ? asked : route.real;
      const sides: [floor: Side, real: Side] = [
        { pid: bare.pid, target: target(bare.port, asked, seeded.key, at) },
        { pid: real.pid, target: target(real.port, requests, seeded.key, at) },
      ];
      measured.push({ ...(await measureRoute(route, sides)), ...sizeOf(cases), residentMb: memory.peakMb() });
    }
    const batches = await compareBatches(real.port, seeded);
    const promised = only.test("promises") ? await comparePromises(real, seeded) : [];
    const text = report({ measured, batches, promised, idleMb, people: seeded.people.length, connections, seconds });
    console.log(text);
    if (options.only === "") writeFileSync(options.out, text + keptOf(options.out));
  } finally {
    memory.stop();
    await Promise.all([bare.stop(), real.stop()]);
  }
}

/** With another server beside the real one, which counts no limit. */
async function comparePromises(limited: Running, seeded: Seeded): Promise<Promised[]> {
  const unlimited = await startReal({ ...ENV, RATE_LIMITS: "off", DATABASE_URL: embedded.url });
  try {
    const writes = Math.min(connections, POOLED_CONNECTIONS_MAX);
    const servers = { limited, unlimited, reads: connections, writes };
    return await measurePromises(seeded, { ...servers, seconds, postmaster: postmasterPid() });
  } finally {
    await unlimited.stop();
  }
}

function postmasterPid(): number {
  return findPostmaster(join(folder, "postgres"))?.pid ?? 0;
}

async function measureRoute(
  route: Route,
  sides: [floor: Side, real: Side],
): Promise<Pick<Measured, "route" | "floor" | "figures" | "alone">> {
  const alone = route.kind === "filter" ? await unloaded(sides[1].target) : undefined;
  const atOnce = route.kind === "read" ? connections : Math.min(connections, POOLED_CONNECTIONS_MAX);
  const [floor, figures] = await compare(sides, {
    connections: atOnce,
    seconds,
    postmaster: postmasterPid(),
  });
  note(`${route.name}: ${figures.perSecond.toFixed(0)} of ${floor.perSecond.toFixed(0)} per second`);
  return { route, floor, figures, alone };
}

function sizeOf(cases: Case[]): Pick<Measured, "statements" | "bytes"> {
  return { statements: Math.max(...cases.map(({ steps }) => steps.length)), bytes: cases[0]?.answer.body.length ?? 0 };
}

async function recordAll(original: Original, route: Route, key: string): Promise<Case[]> {
  const cases: Case[] = [];
  for (const request of route.bare) cases.push(await original.record(request, key));
  for (let page = 1; page < (route.pages ?? 1); page++) {
    const next = nextPage(cases.at(-1));
    if (next) cases.push(await original.record(next, key));
  }
  return cases;
}

function nextPage(last: Case | undefined): Request | undefined {
  const { nextLink } = JSON.parse(last?.answer.body ?? "{}").data?.pagination ?? {};
  return typeof nextLink === "string" ? { method: "GET", path: nextLink.slice(ENV.PUBLIC_URL.length) } : undefined;
}

/** Milliseconds per record: one by one, and in batches, by one client. */
async function compareBatches(
  port: number,
  seeded: Seeded,
): Promise<{ singleMs: number; batchMs: number } | undefined> {
  const [single, batch] = ["create", `batch create ${BATCH}`].map((name) =>
    routes(seeded).find((route) => route.name === name),
  );
  if (!single || !batch || !only.test(batch.name)) return undefined;
  const [singleMs = 0, batchMs = 0] = await alternate(
    [
      { target: target(port, single.real, seeded.key, 0), requests: SINGLES },
      { target: target(port, batch.real, seeded.key, 0), requests: 5 },
    ],
    ROUNDS,
  );
  return { singleMs, batchMs: batchMs / BATCH };
}

/** What the file of the last run keeps. */
function keptOf(file: string): string {
  return existsSync(file) ? keptSections(readFileSync(file, "utf8")) : "";
}
