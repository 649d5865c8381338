import type { ImportedInteraction } from "../../../engine/interactions/imported.ts";

const MIB = 1024 * 1024;
/** Written in one transaction, and sent over the bus in one message. */
const BATCH_MAX = 200;
const BATCH_LENGTH_MAX = 4 * MIB;

export interface Waiting {
  place: number;
  interaction: ImportedInteraction;
}

/** Gathers interactions that are written together. No two of them have one id, since the later one is to find the earlier. */
export interface Batch {
  /** Gives those that have to be written before this one, when it does not fit behind them. */
  add(waiting: Waiting): Waiting[];
  /** Gives those that are left. */
  rest(): Waiting[];
}

export function createBatch(): Batch {
  let batch: Waiting[] = [];
  let ids = new Set<string>();
  let length = 0;

  function rest(): Waiting[] {
    const full = batch;
    batch = [];
    ids = new Set();
    length = 0;
    return full;
  }

  function add(waiting: Waiting): Waiting[] {
    const added = JSON.stringify(waiting.interaction).length;
    const fits = batch.length < BATCH_MAX && length + added <= BATCH_LENGTH_MAX && !ids.has(waiting.interaction.id);
    const full = fits ? [] : rest();
    batch.push(waiting);
    ids.add(waiting.interaction.id);
    length += added;
    return full;
  }

  return { add, rest };
}
