import { randomOf } from "../../harness/random.ts";
import { now, type Outcome } from "../promise.ts";
import { figuresOf } from "./figures.ts";
import { missingFor } from "./fleet.ts";
import { type History, type StageHistory, titleOf } from "./history.ts";
import { BOUNDS, type Bounds, judge } from "./judge.ts";
import { FAULT_KINDS } from "./kinds/index.ts";
import type { FaultKind, StageName } from "./kinds/kind.ts";
import { emptyStage, playStage, type StageOptions } from "./stage.ts";

export interface Options extends Pick<StageOptions, "seconds" | "perSecond" | "note"> {
  seed: number;
  /** Titles of faults, or parts of them; without any, all are made. */
  faults: string[];
  bounds?: Bounds;
}

const USERS = 60;
/** As the probes of the Kubernetes manifests are. */
const CHECKS = { checkEveryMs: 2_000, fall: 2 };

/** Makes one fault after the other under a steady mixed load, and judges what clients and listeners saw. */
export async function tortureFaults(options: Options): Promise<Outcome & { history: History }> {
  const begun = now();
  const { seed, faults, bounds = BOUNDS, ...rest } = options;
  const stageOptions = { ...rest, users: USERS, checks: CHECKS, random: randomOf(seed) };
  const history: History = { stages: [] };
  for (const [stage, kinds] of Map.groupBy(chosen(faults), (kind) => kind.stage)) {
    history.stages.push(await playIfPossible(stage, kinds, stageOptions));
  }
  const figures = figuresOf(history, now() - begun, bounds.firstMs);
  return { broken: judge(history, bounds), history, figures };
}

/** A fleet that fails takes nothing of the others along. */
async function playIfPossible(stage: StageName, kinds: FaultKind[], options: StageOptions): Promise<StageHistory> {
  const missing = missingFor(stage);
  if (missing !== undefined)
    return emptyStage(stage, { skipped: Object.fromEntries(kinds.map((kind) => [titleOf(kind), missing])) });
  return playStage(stage, kinds, options).catch((error: Error) => emptyStage(stage, { failure: error.message }));
}

/** Faults whose name contains one of these words, or all. */
function chosen(words: string[]): FaultKind[] {
  return FAULT_KINDS.filter((kind) => words.length === 0 || words.some((word) => nameOf(kind).includes(word)));
}

/** Name by which a fault is chosen. */
export function nameOf({ kind, target }: Pick<FaultKind, "kind" | "target">): string {
  return `${kind} ${target}`;
}
