import pLimit, { type LimitFunction } from "p-limit";

/** Runs the work of a user when at most a few of the same user run beside it, in the order in which it came. */
export type InLine = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

interface Line {
  run: LimitFunction;
  /** Those at work and those who wait. */
  length: number;
}

/** One line for each user who has work to do; users do not wait for each other. */
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
