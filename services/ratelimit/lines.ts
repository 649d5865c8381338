import pLimit, { type LimitFunction } from "p-limit";

/** Runs a piece of work for a user, in the order in which they came, with only a few of the same user running at once. */
export type InLine = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

interface Line {
  run: LimitFunction;
  /** Number of pieces of work that run or wait. */
  length: number;
}

/** Gives a function that keeps a line for each user who has work to do, so that users do not wait for each other. */
export function linesOfUsers(atOnce: number): InLine {
  const lines = new Map<string, Line>();
  return async (key, work) => {
    const line = lines.get(key) ?? { run: pLimit(atOnce), length: 0 };
    lines.set(key, line);
    line.length += 1;
    try {
      return await line.run(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
