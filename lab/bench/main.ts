/**
 * Measures this checkout against another one of the project: the same requests to both servers, in short turns.
 *
 *   npm run bench -- --against DIR [--people 100000] [--interactions 0] [--rounds 6] [--starts 3] [--only "get|list"]
 *   [--data FOLDER] [--out docs/benchmarks.md]
 *
 * DIR holds another commit, with its packages (`npm ci`). Either side has a PostgreSQL of its own, which its server
 * migrates and its API fills, so both may store things as they like. `--data` keeps the databases for a next run, with
 * what the writes of this one leave there. `--interactions` are so many with each person, on the sides whose commit
 * knows interactions. The table goes to standard output and, without `--only`, into its section of the file.
 *
 * Both servers are started `--starts` times, each time for as many of the rounds. Two starts of one commit differ by up
 * to 15 %, since V8 does not compile the same functions at the same moments, and rounds with the same processes only
 * repeat that difference. SERVER_NODE_FLAGS goes to them, for example "--cpu-prof --cpu-prof-dir=/tmp/profiles".
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readOptions } from "../../scripts/options.ts";
import { ROOT } from "../harness/server-process.ts";
import { measure, measureImport } from "./against/measure.ts";
import { type Asked, prepare } from "./against/prepare.ts";
import { failuresOf, report } from "./against/report.ts";
import { openSide, type Side } from "./against/side.ts";
import { withAgainst } from "./sections.ts";

/** With fewer some filters would find nobody. */
const PEOPLE_MIN = 2000;
const INTERRUPTED = 130;

const options = readOptions("npm run bench --", {
  against: { type: "string" },
  people: { type: "string", default: "100000" },
  interactions: { type: "string", default: "0" },
  rounds: { type: "string", default: "6" },
  starts: { type: "string", default: "3" },
  only: { type: "string", default: "" },
  data: { type: "string" },
  out: { type: "string", default: "docs/benchmarks.md" },
});
const numbers = [options.people, options.rounds, options.starts, options.interactions].map(Number);
const [people = 0, askedRounds = 0, starts = 0, interactions = 0] = numbers;
if (options.against === undefined)
  refuse("--against is missing: the folder of another checkout of the project, with its packages (npm ci)");
if (!(people >= PEOPLE_MIN && starts >= 1 && askedRounds >= 1))
  refuse(`--people takes ${PEOPLE_MIN} or more, --rounds and --starts 1 or more`);
/** Each start has as many. */
const rounds = Math.ceil(askedRounds / starts) * starts;
const folder = resolve(options.against);
if (!existsSync(join(folder, "node_modules"))) refuse(`${folder} is no checkout with its packages: run npm ci there`);
const begun = performance.now();
const load = loadavg()[0] ?? 0;
const note = (text: string): void =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const data = options.data ?? mkdtempSync(join(tmpdir(), "bench-"));
mkdirSync(data, { recursive: true });
const sides: Promise<Side>[] = [];
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
  const other = await open("other", folder);
  const own = await open("this", ROOT);
  const how = { people, interactions, rounds, starts, only: new RegExp(options.only), note };
  const pair: [Asked, Asked] = [await prepare(other, how), await prepare(own, how)];
  const { rows, memory } = await measure(pair, how);
  if (how.only.test("import")) rows.push(await measureImport([other, own], how));
  const text = report({ rows, memory, people, rounds, starts, load, roots: [other.root, own.root] });
  console.log(text);
  const before = existsSync(options.out) ? readFileSync(options.out, "utf8") : "";
  if (options.only === "") writeFileSync(options.out, withAgainst(before, text));
  for (const failure of failuresOf(rows)) console.error(failure);
  if (failuresOf(rows).length > 0) process.exitCode = 1;
}

/** Ends the program with 2 and one line, as unknown options do. */
function refuse(why: string): never {
  console.error(`${why}. npm run bench -- --help says what there is`);
  process.exit(2);
}

async function open(name: Side["name"], root: string): Promise<Side> {
  if (stopped) throw new Error("Stopped");
  const opening = openSide(name, root, data);
  sides.push(opening);
  return opening;
}

function stop(): Promise<void> {
  stopped ??= stopAll();
  return stopped;
}

async function stopAll(): Promise<void> {
  for (const side of await Promise.allSettled(sides)) {
    if (side.status === "fulfilled") await side.value.stop();
  }
  if (options.data === undefined) rmSync(data, { recursive: true, force: true });
}
