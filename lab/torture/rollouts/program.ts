import { randomOf } from "../../harness/random.ts";
import { figuresOf } from "../faults/figures.ts";
import type { History } from "../faults/history.ts";
import { BOUNDS, type Bounds, judge } from "../faults/judge.ts";
import { type FaultKind, NONE_FAILS } from "../faults/kinds/kind.ts";
import { playStage } from "../faults/stage.ts";
import { now, type Outcome } from "../promise.ts";

export interface Options {
  seed: number;
  /** Number of restarts of each process. */
  rounds: number;
  perSecond: number;
  bounds?: Bounds;
  /** Told how far it is. */
  note(line: string): void;
}

const USERS = 120;
const PROCESSES = ["gateway 0", "gateway 1", "worker 0", "worker 1"];
/** A load balancer that soon knows of a gateway which is about to stop. */
const CHECKS = { checkEveryMs: 500, fall: 1 };

/** Restarts every process as an update does, one after the other, and judges what clients saw: nothing. */
export async function tortureRollouts(options: Options): Promise<Outcome & { history: History }> {
  const begun = now();
  const { seed, rounds, perSecond, note, bounds = BOUNDS } = options;
  const kinds = Array.from({ length: rounds }, (_, round) => PROCESSES.map((name) => restartOf(name, round + 1)));
  const settings = { seconds: 0, perSecond, users: USERS, checks: CHECKS, random: randomOf(seed), note };
  const history: History = { stages: [await playStage("one NATS", kinds.flat(), settings)] };
  const figures = figuresOf(history, now() - begun, bounds.firstMs);
  return { broken: judge(history, bounds), history, figures };
}

function restartOf(name: string, round: number): FaultKind {
  return {
    stage: "one NATS",
    kind: `restart ${round}`,
    target: name,
    about: "SIGTERM, and a start when the process is gone",
    seconds: 0,
    away: [name],
    promised: NONE_FAILS,
    async begin({ cluster: { members } }) {
      await members.end(name, "SIGTERM");
      return () => members.start(name);
    },
  };
}
