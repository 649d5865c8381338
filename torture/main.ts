/**
 * Proves what the server promises by breaking what it stands on (docs/torture.md):
 *
 *   npm run torture -- idempotency [--keys 10000] [--duplicates 5] [--faults 40] [--at-once 40] [--seed N]
 *   npm run torture -- limits [--requests 100000] [--gateways 4] [--restarts 12] [--seed N]
 *   npm run torture -- overload [--seconds 60] [--times 10] [--connections 1000] [--seed N]
 *
 * Each starts a PostgreSQL, a nats-server and processes of its own. Exit code 1: a promise was broken.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findOrInstall } from "../test/support/apt.ts";
import { environment } from "../test/support/test-run.ts";
import { tortureIdempotency } from "./idempotency/program.ts";
import { POLICIES, tortureLimits } from "./limits/program.ts";
import { tortureOverload } from "./overload/program.ts";
import type { Outcome } from "./promise.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    keys: { type: "string", default: "10000" },
    duplicates: { type: "string", default: "5" },
    faults: { type: "string", default: "40" },
    "at-once": { type: "string", default: "40" },
    requests: { type: "string", default: "100000" },
    gateways: { type: "string", default: "4" },
    restarts: { type: "string", default: "12" },
    seconds: { type: "string", default: "60" },
    times: { type: "string", default: "10" },
    connections: { type: "string", default: "1000" },
  },
});
const SEEDS = 1_000_000;
/** Broken promises that are printed; the history has all. */
const SHOWN = 20;

const begun = performance.now();
const note = (line: string) =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);
const seed = Number(values.seed ?? Math.floor(Math.random() * SEEDS));

/** Each gives its outcome, and what is kept of a run that broke a promise. */
const PROGRAMS: Record<string, () => Promise<Outcome & { history: object }>> = {
  idempotency: () =>
    tortureIdempotency({
      seed,
      keys: Number(values.keys),
      duplicates: Number(values.duplicates),
      faults: Number(values.faults),
      atOnce: Number(values["at-once"]),
      note,
    }),
  limits: () =>
    tortureLimits({
      seed,
      requests: Number(values.requests),
      gateways: Number(values.gateways),
      restarts: Number(values.restarts),
      policies: POLICIES,
      users: { flood: 4, patient: 6, reader: 6, steady: 4 },
      note,
    }),
  overload: () =>
    tortureOverload({
      seed,
      seconds: Number(values.seconds),
      times: Number(values.times),
      connections: Number(values.connections),
      note,
    }),
};

const [name = ""] = positionals;
const program = PROGRAMS[name];
if (!program) {
  console.error(`"${name}" is no program. There are: ${Object.keys(PROGRAMS).join(", ")}.`);
  process.exit(2);
}
console.log(`${name}, seed ${seed}`);
environment.setNats(findOrInstall("nats-server", "nats-server"));
const { figures, broken, history } = await program();
console.log(table(figures));
report(broken, history);

function table(rows: Outcome["figures"]): string {
  const width = Math.max(...Object.keys(rows).map((title) => title.length));
  return Object.entries(rows)
    .map(([title, value]) => `${title.padEnd(width)}  ${value}`)
    .join("\n");
}

function report(list: Outcome["broken"], kept: object): void {
  if (list.length === 0) {
    console.log("No promise was broken.");
    return;
  }
  process.exitCode = 1;
  for (const [promise, seen] of Map.groupBy(list, (one) => one.promise)) {
    console.log(`\nBROKEN ${seen.length} times: ${promise}`);
    for (const line of [...new Set(seen.map((one) => one.seen))].slice(0, SHOWN)) console.log(`  ${line}`);
  }
  const file = join(mkdtempSync(join(tmpdir(), "contact-workspace-history-")), `${name}-${seed}.json`);
  writeFileSync(file, JSON.stringify(kept));
  console.log(`\nThe history is in ${file}. The same seed draws the same requests and faults: --seed ${seed}`);
}
