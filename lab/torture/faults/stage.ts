import { setTimeout as pause } from "node:timers/promises";
import { emptyHistory } from "../load/history.ts";
import { type Load, startLoad } from "../load/load.ts";
import { now } from "../promise.ts";
import { type Checks, type RunningFleet, startFleet, WORKSPACES } from "./fleet.ts";
import { attemptsDuring, type Fault, type StageHistory, titleOf, wholeAfterMs } from "./history.ts";
import type { FaultKind, StageName } from "./kinds/kind.ts";

export interface StageOptions {
  /** A fault lasts at most so long. */
  seconds: number;
  perSecond: number;
  users: number;
  checks: Checks;
  random: () => number;
  /** Told how far it is. */
  note(line: string): void;
}

/** Starts a fleet and a load, makes these faults one after the other, and gives what was seen. */
export async function playStage(
  stage: StageName,
  kinds: readonly FaultKind[],
  options: StageOptions,
): Promise<StageHistory> {
  const fleet = await startFleet(stage, options.checks, options.random);
  try {
    const workspaces = WORKSPACES[stage];
    const users = Math.ceil(options.users / workspaces);
    const load = await startLoad({ ...options, cluster: fleet.cluster, port: fleet.front.port, workspaces, users });
    const history: StageHistory = Object.assign(load.history, { stage, faults: [], skipped: {}, leftOver: [] });
    try {
      for (const kind of kinds) options.note(await tellOf(kind, { fleet, load, history, options }));
      await fleet.cluster.recovered();
    } catch (error) {
      // The judge reports the failure. Answers that clients saw before it still count.
      history.failure = (error as Error).message;
    }
    await load.stop();
    history.leftOver = (await fleet.cluster.postgres.leftOver?.()) ?? [];
    return history;
  } finally {
    await fleet.stop();
  }
}

/** Makes a fault; tells how it went. */
async function tellOf(kind: FaultKind, scene: Scene): Promise<string> {
  const fault = await hit(kind, scene);
  const whole = (wholeAfterMs(attemptsDuring(scene.history, fault), fault) / 1000).toFixed(1);
  return `${titleOf(fault)}; whole again after ${whole} s`;
}

/** The history of a fleet that made no fault. */
export function emptyStage(stage: StageName, why: Partial<Pick<StageHistory, "skipped" | "failure">>): StageHistory {
  return { ...emptyHistory(0), stage, faults: [], skipped: {}, leftOver: [], ...why };
}

interface Scene {
  fleet: RunningFleet;
  load: Load;
  history: StageHistory;
  options: StageOptions;
}

/** Lets one fault happen, and watches it until all is whole. */
async function hit(kind: FaultKind, { fleet, load, history, options }: Scene): Promise<Fault> {
  const never = Number.POSITIVE_INFINITY;
  const { away = [], cutOff = [], cutsClients = false, corrupts = false, stays = false } = kind;
  const fault: Fault = {
    kind: kind.kind,
    target: kind.target,
    ...(kind.promised && { promised: kind.promised }),
    ...{ away, cutOff, cutsClients, corrupts, stays },
    ...{ at: now(), endedAt: never, watchedUntil: never },
  };
  history.faults.push(fault);
  const end = await kind.begin(fleet);
  await pause(Math.min(kind.seconds, options.seconds) * 1000);
  if (!stays) await end?.();
  fault.endedAt = now();
  fault.watchedUntil = await load.calm(fault.endedAt);
  if (stays) await end?.();
  await kind.repair?.(fleet);
  return fault;
}
