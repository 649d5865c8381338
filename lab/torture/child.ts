import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";

/** A process of this program that is told what to do and answers. */
export interface Child {
  pid: number;
  tell(message: object | string): void;
  /** Tells it and gives its next answer; rejects when it ends before. */
  ask<Answer>(message: object | string): Promise<Answer>;
  /** Its next answer. */
  answer<Answer>(): Promise<Answer>;
  /** Ends it at once, with all its connections. */
  kill(): Promise<void>;
}

/**
 * Starts one with this file. A patient one gives way to all others: what it does costs nothing where it really would be
 * done, elsewhere.
 */
export function startChild(file: string, { isPatient = false }: { isPatient?: boolean } = {}): Child {
  const child = fork(file, { execArgv: [] });
  if (isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const answer = <Answer>() => answerOf(child) as Promise<Answer>;
  return {
    pid: child.pid ?? 0,
    tell: (message) => void child.send(message),
    ask<Answer>(message: object | string) {
      const coming = answer<Answer>();
      child.send(message);
      return coming;
    },
    answer,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const ended = once(child, "exit", { signal: stop.signal }).then(([code, signal]) => {
    throw new Error(`A process of the program ended with ${code ?? signal}`);
  });
  // When the answer was faster, nobody waits for the end any more.
  ended.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, "message", { signal: stop.signal }), ended]);
    return message;
  } finally {
    stop.abort();
  }
}
