import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Request } from "../../harness/load.ts";
import { load, target } from "../../harness/load.ts";
import { cpuMs } from "../../harness/processes.ts";
import { ROOT } from "../../harness/server-process.ts";
import { quiet } from "../against/measure.ts";
import type { How } from "../against/run.ts";
import { openSide, type Serving, type Side } from "../against/side.ts";
import type { Postgrest } from "./postgrest.ts";
import { type Profile, pieceTimes, type Window } from "./profile.ts";
import type { BesideRow } from "./rows.ts";
import { withClient } from "./tables.ts";

/** Time that one part of a request takes. */
export interface Piece {
  name: string;
  /** In the process of the server. */
  nodeMs: number;
  /** In statements of PostgreSQL. */
  postgresMs: number;
}

/** Cost of one request of this server, piece by piece, and that of the same request to PostgREST. */
export interface Pieces {
  own: Piece[];
  peer: Omit<Piece, "name">;
}

/** A piece, and the tables and the files that belong to it. A file counts for the first piece that has it. */
interface Kind {
  name: string;
  statements?: RegExp;
  files?: RegExp;
}

const REST = "everything else";
const KINDS: Kind[] = [
  { name: "the records", statements: /insert into people /, files: /^engine\/records\/(apply|batch|row-sets|write)/ },
  { name: "validation", files: /^(base\/contract\/validate|engine\/records\/(draft|faults|judge)|model\/)/ },
  {
    name: "links to companies",
    statements: /insert into person_companies|from companies r .* for key share/,
    files: /^engine\/records\/.*links/,
  },
  { name: "events and history", statements: /change_log|webhook/, files: /^(engine\/events|services\/webhooks)\// },
  { name: "search index", statements: /insert into person_search/, files: /^engine\/filters\/search-columns/ },
  {
    name: "forms of addresses, by which imports match",
    statements: /insert into person_addresses/,
    files: /^engine\/records\/address-forms/,
  },
  { name: "the answer", files: /^(engine\/records\/(present|select|shown|names)|services\/gateway\/response\/)/ },
  { name: "HTTP and bus", files: /^(services\/gateway|mixins|bus)\// },
  { name: "to PostgreSQL and back", files: /^database\// },
  { name: "garbage collection", files: /^\(garbage collector\)$/ },
];

const WARM_UP = { connections: 2, ms: 3000 };
const MEASURED = { connections: 1, ms: 5000, requestsMax: 60 };
/** Events are passed on meanwhile. */
const SETTLE_MS = 1500;

/**
 * Times of the statements of one kind of request, and of the files of this server that run for it. PostgreSQL is
 * started again for that, with pg_stat_statements, and this server once more with a profiler.
 */
export async function piecesOf(
  { own, peer, key, row }: { own: Side; peer: Postgrest; key: string; row: BesideRow },
  { data, keep, note }: How,
): Promise<Pieces> {
  await withClient(own.url, (client) =>
    client.query("alter system set shared_preload_libraries = 'pg_stat_statements'"),
  );
  await own.stop();
  const side = await keep(() => openSide("this", ROOT, join(own.folder, "..")));
  const profiles = join(data, "profiles");
  mkdirSync(profiles, { recursive: true });
  await withClient(side.url, (client) => client.query("create extension if not exists pg_stat_statements"));
  try {
    const measured = await measureOnce(await side.serve(), row.own, key, side.url);
    // The profiler takes more time than what it looks at, so it only tells the shares.
    const flags = ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
    const profiled = await measureOnce(await side.serve(side.url, flags), row.own, key, side.url);
    const other = await measureOnce(await peer.serve(), row.peer, peer.key, side.url);
    note(`the pieces of "${row.name}" are measured`);
    const nodeMs = nodeTimes(profiles, profiled, measured.cpuMs);
    return {
      own: [...KINDS, { name: REST }].map(({ name }) => ({
        name,
        nodeMs: nodeMs.get(name) ?? 0,
        postgresMs: measured.statements.get(name) ?? 0,
      })),
      peer: { nodeMs: other.cpuMs, postgresMs: [...other.statements.values()].reduce((sum, ms) => sum + ms, 0) },
    };
  } finally {
    await withClient(side.url, (client) => client.query("drop extension pg_stat_statements"));
    await withClient(side.url, (client) => client.query("alter system reset shared_preload_libraries"));
  }
}

interface Once extends Window {
  /** CPU of the process, per request. */
  cpuMs: number;
  /** Time of PostgreSQL per request, by the names of the pieces. */
  statements: Map<string, number>;
}

/** Sends the requests to a server, one after another, and stops it. */
async function measureOnce({ pid, port, stop }: Serving, requests: Request[], key: string, url: string): Promise<Once> {
  try {
    const at = target(port, requests, key);
    await quiet(pid);
    await load(at, WARM_UP);
    await pause(SETTLE_MS);
    await withClient(url, (client) => client.query("select pg_stat_statements_reset()"));
    const before = cpuMs(pid);
    const fromUs = nowUs();
    const done = await load(at, MEASURED);
    await pause(SETTLE_MS);
    const { rows } = await withClient(url, (client) =>
      client.query<{ query: string; ms: number }>("select query, total_exec_time as ms from pg_stat_statements"),
    );
    const spent = (cpuMs(pid) - before) / done.requests;
    return {
      cpuMs: spent,
      statements: statementTimes(rows, done.requests),
      fromUs,
      toUs: nowUs(),
    };
  } finally {
    await stop();
  }
}

/** Time of statements per request, by the names of the pieces to which they belong. */
export function statementTimes(statements: { query: string; ms: number }[], requests: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const { query, ms } of statements) {
    const name = KINDS.find((kind) => kind.statements?.test(query))?.name ?? REST;
    times.set(name, (times.get(name) ?? 0) + ms / requests);
  }
  return times;
}

/**
 * CPU time of this server per request, by the names of the pieces, in the shares that its profiles give them.
 * @param spent the CPU time of a request
 */
function nodeTimes(folder: string, window: Window, spent: number): Map<string, number> {
  const pieceOf = (file: string): string | undefined => KINDS.find(({ files }) => files?.test(file))?.name;
  const times = new Map<string, number>();
  for (const name of globSync("*.cpuprofile", { cwd: folder })) {
    const profile: Profile = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const [piece, ms] of pieceTimes(profile, window, pieceOf, REST)) {
      times.set(piece, (times.get(piece) ?? 0) + ms);
    }
  }
  const all = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  return new Map([...times].map(([piece, ms]) => [piece, (ms / all) * spent]));
}

/** The clock of profiles: that of the machine, which is the same in all processes. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
