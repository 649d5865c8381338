/**
 * Proves what the server promises by breaking what it stands on (docs/torture.md): `npm run torture -- --help`.
 *
 * Each program starts a PostgreSQL, a nats-server and processes of its own. Exit code 1: a promise was broken.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { findOrInstall } from "../harness/apt.ts";
import { setNatsProgram } from "../harness/nats-server.ts";
import { tortureDurability } from "./durability/program.ts";
import { FAULT_KINDS } from "./faults/kinds/index.ts";
import { nameOf, tortureFaults } from "./faults/program.ts";
import { tortureIdempotency } from "./idempotency/program.ts";
import { POLICIES, tortureLimits } from "./limits/program.ts";
import { ATTACKS } from "./neighbours/attacks/index.ts";
import { tortureNeighbours } from "./neighbours/program.ts";
import { tortureOverload } from "./overload/program.ts";
import type { Outcome } from "./promise.ts";
import { tortureRetention } from "./retention/program.ts";
import { tortureRollouts } from "./rollouts/program.ts";
import { tortureWebhooks } from "./webhooks/program.ts";

/** What a program came to, and what is kept of a run that broke a promise. */
type Run = Outcome & { history: object };

const SEEDS = 1_000_000;
/** Broken promises that are printed; the history has all. */
const SHOWN = 20;

const begun = performance.now();
const note = (line: string) =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const torture = new Command("npm run torture --")
  .description("Breaks what the server stands on, and judges what its clients saw (docs/torture.md).")
  .showHelpAfterError()
  // 1 is a broken promise.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

add("idempotency", "exactly once, while processes are killed", {
  options: { keys: 10_000, duplicates: 5, faults: 40, atOnce: 40 },
  run: tortureIdempotency,
});
add("limits", "exact limits over several gateways, while they are restarted", {
  options: { requests: 100_000, gateways: 4, restarts: 12 },
  run: (options) =>
    tortureLimits({ ...options, policies: POLICIES, users: { flood: 4, patient: 6, reader: 6, steady: 4 } }),
});
add("overload", "several times as many requests as can be served", {
  options: { seconds: 60, times: 10, connections: 1000 },
  run: tortureOverload,
});
add("webhooks", "no event lost, while everything is killed", {
  options: { events: 100_000, perSecond: 500, faults: 50 },
  run: tortureWebhooks,
});
add("faults", "half of a cluster is enough, while the other half hangs or is cut off", {
  options: { seconds: 40, perSecond: 100, fault: "" },
  needs: "haproxy",
  run: ({ fault, ...options }) => tortureFaults({ ...options, faults: wordsOf(fault) }),
})
  .option("--list", "tells the faults, and makes none")
  .on("option:list", () => list(FAULT_KINDS.map((kind) => [nameOf(kind), kind.about])));
add("durability", "no write lost on Citus, while its servers are killed", {
  options: { kills: 50, perSecond: 60 },
  needs: "haproxy",
  run: tortureDurability,
});
add("rollouts", "no request fails while every process is restarted", {
  options: { rounds: 10, perSecond: 200 },
  needs: "haproxy",
  run: tortureRollouts,
});
add("retention", "tables that level off under steady load", {
  options: { events: 1_000_000, perSecond: 5_000, keptS: 20 },
  run: tortureRetention,
});
add("neighbours", "everybody's answers, whatever somebody else does", {
  options: { seconds: 8, attack: "" },
  run: ({ attack, ...options }) => tortureNeighbours({ ...options, attacks: wordsOf(attack) }),
})
  .option("--list", "tells the attacks, and makes none")
  .on("option:list", () => list(ATTACKS.map(({ name, about }) => [name, about])));
await torture.parseAsync();

interface Program<Options> {
  /** What can be chosen, each a whole number or a text, as it is when it is not. */
  options: Options;
  /** Program of a Debian package of the same name without which it cannot run. */
  needs?: string;
  run(options: Options & { seed: number; note(line: string): void }): Promise<Run>;
}

function add<Options extends Record<string, number | string>>(
  name: string,
  description: string,
  { options, needs, run }: Program<Options>,
): Command {
  const command = torture.command(name).description(description);
  for (const [option, value] of Object.entries(options)) {
    if (typeof value === "number") command.option(`--${dashed(option)} <N>`, "a whole number", wholeNumber, value);
    else command.option(`--${dashed(option)} <TEXT>`, "a part of a name, several parted by commas", value);
  }
  command.option("--seed <N>", "draws the same requests and faults again", wholeNumber);
  command.action(async (given: Options & { seed?: number }) => {
    const { seed = Math.floor(Math.random() * SEEDS) } = given;
    console.log(`${name}, seed ${seed}`);
    const needed = needs === undefined ? undefined : findOrInstall(needs, needs);
    if (needed && "missing" in needed) command.error(needed.missing);
    setNatsProgram(findOrInstall("nats-server", "nats-server"));
    const { figures, broken, history } = await run({ ...given, seed, note });
    console.log(table(figures));
    report(`${name}-${seed}.json`, seed, broken, history);
  });
  return command;
}

function wordsOf(text: string): string[] {
  return text === "" ? [] : text.split(",").map((word) => word.trim());
}

function list(names: [name: string, about: string][]): never {
  console.log(table(Object.fromEntries(names)));
  process.exit();
}

function dashed(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

function table(rows: Outcome["figures"]): string {
  const width = Math.max(...Object.keys(rows).map((title) => title.length));
  return Object.entries(rows)
    .map(([title, value]) => `${title.padEnd(width)}  ${value}`)
    .join("\n");
}

function report(name: string, seed: number, list: Outcome["broken"], kept: object): void {
  if (list.length === 0) {
    console.log("No promise was broken.");
    return;
  }
  process.exitCode = 1;
  for (const [promise, seen] of Map.groupBy(list, (one) => one.promise)) {
    console.log(`\nBROKEN ${seen.length} times: ${promise}`);
    for (const line of [...new Set(seen.map((one) => one.seen))].slice(0, SHOWN)) console.log(`  ${line}`);
  }
  const file = join(mkdtempSync(join(tmpdir(), "contact-workspace-history-")), name);
  writeFileSync(file, JSON.stringify(kept));
  console.log(`\nThe history is in ${file}. The same seed draws the same requests and faults: --seed ${seed}`);
}
