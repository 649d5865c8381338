import { randomOf } from "../../harness/random.ts";
import { figuresOf } from "../faults/figures.ts";
import type { History } from "../faults/history.ts";
import { BOUNDS, type Bounds, judge } from "../faults/judge.ts";
import { CITUS_FAULTS, GROWTH } from "../faults/kinds/citus.ts";
import type { FaultKind } from "../faults/kinds/kind.ts";
import { PROCESS_FAULTS } from "../faults/kinds/processes.ts";
import { playStage } from "../faults/stage.ts";
import { now, type Outcome } from "../promise.ts";

export interface Options {
  seed: number;
  kills: number;
  perSecond: number;
  bounds?: Bounds;
  /** Told how far it is. */
  note(line: string): void;
}

const USERS = 80;
const CHECKS = { checkEveryMs: 2_000, fall: 2 };
/** Time that something killed stays away: from none, so that it crashes again and again. */
const AWAY_S_MAX = 3;

/**
 * Kills processes of the server and of the Citus that it stands on, one after the other, adds a worker in the end, and
 * judges what clients saw.
 */
export async function tortureDurability(options: Options): Promise<Outcome & { history: History }> {
  const begun = now();
  const { seed, kills, perSecond, note, bounds = BOUNDS } = options;
  const random = randomOf(seed);
  const kinds = [...drawKills(kills, random), GROWTH];
  const settings = {
    seconds: AWAY_S_MAX,
    perSecond,
    users: USERS,
    checks: CHECKS,
    random,
    note,
  };
  const stage = await playStage("Citus", kinds, settings);
  const history: History = { stages: [stage] };
  return { broken: judge(history, bounds), history, figures: figuresOf(history, now() - begun, bounds.firstMs) };
}

/** All kinds of kills in turn, each for another time. */
function drawKills(count: number, random: () => number): FaultKind[] {
  const kinds = [...CITUS_FAULTS, ...PROCESS_FAULTS].filter(({ kind }) => kind === "kill -9");
  return Array.from({ length: count }, (_, n) => ({
    ...(kinds[n % kinds.length] as FaultKind),
    kind: `kill -9 ${n + 1}`,
    seconds: AWAY_S_MAX * random(),
  }));
}
