import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../harness/free-port.ts";
import { type Postgres, startPostgres } from "../../harness/postgres.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { type Running as Server, startServer } from "../../harness/server-process.ts";
import { type Child, startChild } from "../child.ts";
import { now, type Outcome } from "../promise.ts";
import type { Word } from "./attackers/attacker.ts";
import type { Order as AttackOrder } from "./attackers/order.ts";
import { ATTACKS } from "./attacks/index.ts";
import { figuresOf } from "./figures.ts";
import { type Answered, type Asked, BEFORE_MS, type History, type Phase } from "./history.ts";
import { BOUNDS, type Bounds, judge, latencyOf } from "./judge.ts";
import { watchProcessors } from "./processors.ts";
import { NAMES } from "./victims/kinds.ts";
import type { Order as VictimsOrder } from "./victims/order.ts";
import { type Watch, watchServer } from "./watch.ts";
import { type AttackerWorkspace, openWorkspaces, type Workspaces } from "./workspaces.ts";

export interface Options {
  /** How long each attack lasts. */
  seconds: number;
  /** Names of attacks, or parts of them; without any, all are made. */
  attacks: string[];
  /** Requests of each kind that the others send in a second. */
  perSecond?: number;
  bounds?: Bounds;
  note(line: string): void;
}

/** The first phase, which tells what the machine gives when nobody attacks. */
export const NOBODY = "nobody attacks";

const [VICTIMS, ATTACKER] = ["victims/victims.ts", "attackers/attacker.ts"].map((file) =>
  join(import.meta.dirname, file),
) as [string, string];
/** So none of them comes near the limits. */
const USERS_OF_A_KIND = 2;
const ATTACKERS = 20;
const PER_SECOND = 10;
/** The others go on after the attack: what it leaves behind may hit them too. */
const AFTER_MS = 2_000;
const WARM_UP_MS = 3_000;
/** How long an attack may take to make what it needs. */
const PREPARE_MS_MAX = 120_000;
/** An attacker that does not come to its end is cut off. */
const ATTACK_MS_LATE = 2_000;

/** What stays from attack to attack. */
interface Scene {
  options: Options;
  port: number;
  metricsPort: number;
  providerPort: number;
  postgres: Postgres;
  workspaces: Workspaces;
  victims: Child;
}

/**
 * Makes one attack after the other beside clients of another workspace, and judges what these and the server went
 * through.
 */
export async function tortureNeighbours(options: Options): Promise<Outcome & { history: History }> {
  const postgres = await startPostgres({ durable: false });
  const workspaces = await openWorkspaces(postgres.url);
  const victims = startChild(VICTIMS);
  const [port, metricsPort, providerPort] = [await freePort(), await freePort(), await freePort()];
  const scene: Scene = { options, port, metricsPort, providerPort, postgres, workspaces, victims };
  const running = openRunning(scene);
  const history: History = { phases: [] };
  try {
    await running.restart();
    const perSecond = options.perSecond ?? PER_SECOND;
    await victims.ask({
      port,
      perSecond,
      ...(await workspaces.victims(NAMES.length * USERS_OF_A_KIND)),
    } satisfies VictimsOrder);
    await warmUp(victims);
    for (const name of [NOBODY, ...chosen(options.attacks)]) {
      // Other programs slow the machine for seconds: an attack that broke a promise only by that hardly does so twice
      // in a row.
      const phase = await playOnce(name, scene, running);
      history.phases.push(phase.isBroken ? { ...phase.seen, isRepeated: true } : phase.seen);
      if (phase.isBroken) history.phases.push((await playOnce(name, scene, running)).seen);
    }
    const broken = judge(history, options.bounds ?? BOUNDS);
    return { broken, history, figures: figuresOf(history) };
  } finally {
    await victims.kill();
    await running.stop();
    await workspaces.close();
    await postgres.stop();
  }
}

/**
 * Plays a phase, and tells what it broke. If that is anything the server is started anew, so that the next phase finds
 * it as the first did.
 */
async function playOnce(name: string, scene: Scene, running: Running): Promise<{ seen: Phase; isBroken: boolean }> {
  const { options, victims } = scene;
  const seen = await play(name, scene, running);
  const broken = judge({ phases: [seen] }, options.bounds ?? BOUNDS);
  const title = `${name}: p99 ${latencyOf(seen.victims, 0.99).toFixed(0)} ms`;
  options.note([title, ...broken.map(({ promise, seen }) => `   ${promise}; ${seen}`)].join("\n"));
  if (broken.length === 0) return { seen, isBroken: false };
  await running.restart();
  await warmUp(victims);
  return { seen, isBroken: true };
}

/** The first requests of a process take longer than all later ones, whatever anybody does. */
async function warmUp(victims: Child): Promise<void> {
  victims.tell("begin");
  await pause(WARM_UP_MS);
  await victims.ask("end");
}

/** Attacks whose name contains one of these words, or all. */
function chosen(words: string[]): string[] {
  const names = ATTACKS.map(({ name }) => name);
  return words.length === 0 ? names : names.filter((name) => words.some((word) => name.includes(word)));
}

/** The server that runs, and who looks at it. */
interface Running {
  server(): Server;
  restart(): Promise<void>;
  watch(): Promise<Watch>;
  stop(): Promise<void>;
}

function openRunning({ port, metricsPort, providerPort, postgres }: Scene): Running {
  let server: Server | undefined;
  let watch: Watch | undefined;
  const variables = {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "warn",
    EVENT_LOOP_GUARD_MS: String(BOUNDS.turnMs),
    ENRICHMENT_PROVIDER: "http",
    ENRICHMENT_URL: `http://127.0.0.1:${providerPort}/`,
    WEBHOOK_ALLOW: "127.0.0.0/8",
    WEBHOOK_RETRY_WAITS_S: "1,2,5",
  };
  const current = () => {
    if (!server) throw new Error("There is no server.");
    return server;
  };
  return {
    server: current,
    async restart() {
      await server?.stop();
      server = await startServer(variables, { read: (line) => watch?.read(line) });
    },
    async watch() {
      watch = await watchServer(current(), metricsPort);
      return watch;
    },
    stop: async () => server?.stop(),
  };
}

/** One attack, or nobody's. */
async function play(name: string, scene: Scene, running: Running): Promise<Phase> {
  const attacker = name === NOBODY ? undefined : startChild(ATTACKER, { isPatient: true });
  const workspace = attacker && (await scene.workspaces.attacker(ATTACKERS));
  try {
    const failure = workspace && (await prepare({ ...workspace, attack: name }, attacker, scene));
    const watch = await running.watch();
    const ours = [process.pid, running.server().pid, scene.victims.pid, attacker?.pid ?? 0];
    const elsewhere = watchProcessors(
      () => ours.reduce((sum, pid) => sum + cpuMs(pid), 0) + postgresCpuMs(scene.postgres.pid()),
    );
    scene.victims.tell("begin");
    await pause(BEFORE_MS);
    const answered = failure === undefined ? await attack(attacker, scene.options) : {};
    await attacker?.kill();
    const endedAt = now();
    await pause(AFTER_MS);
    const share = elsewhere();
    const victims = await scene.victims.ask<Asked[]>("end");
    const watched = await watch.end(endedAt + (scene.options.bounds ?? BOUNDS).restMs);
    const made = failure === undefined ? {} : { failure };
    return { name, victims, attacker: answered, elsewhere: share, ...watched, ...made };
  } finally {
    await attacker?.kill();
    if (workspace) await scene.workspaces.silence(workspace.uuid);
  }
}

/** Lets the attacker make what it needs; gives why it cannot. */
async function prepare(
  order: AttackerWorkspace & Pick<AttackOrder, "attack">,
  attacker: Child,
  { port, providerPort, postgres, options }: Scene,
): Promise<string | undefined> {
  const whole: AttackOrder = {
    ...order,
    ...{ port, providerPort, databaseUrl: postgres.url, ms: options.seconds * 1000 },
  };
  const late = pause(PREPARE_MS_MAX, { failure: "it was not prepared in time" }, { ref: false });
  const word = await Promise.race([attacker.ask<Word>(whole), late]).catch(({ message }: Error) => ({
    failure: message,
  }));
  return "failure" in word ? word.failure : undefined;
}

/** Lets it attack; gives what it was answered. One that says nothing at the end was too busy to count. */
async function attack(attacker: Child | undefined, { seconds }: Options): Promise<Answered> {
  if (!attacker) {
    await pause(seconds * 1000);
    return {};
  }
  const late = pause(seconds * 1000 + ATTACK_MS_LATE, { failure: "no word at the end" }, { ref: false });
  const word = await Promise.race([attacker.ask<Word>("go"), late]).catch(({ message }: Error) => ({
    failure: message,
  }));
  if ("answered" in word) return word.answered;
  return "failure" in word ? { [word.failure]: 1 } : {};
}
