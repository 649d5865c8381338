import { type ServerProcess, spawnServer } from "./server-process.ts";

const HELD = "The event loop was held";

/** Processes of one installation by their names, each of which can be ended and come back. */
export interface Members {
  /** Starts a process again; returns when it says that it is ready. */
  start(name: string): Promise<void>;
  /** Sends a signal to a process; returns when it is gone. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  /** Lets a process hang, as one whose machine stands still: it keeps its connections, and does nothing. */
  pause(name: string): void;
  resume(name: string): void;
  /** kill -9 of all. */
  stop(): Promise<void>;
}

/**
 * Starts all processes at once; returns when each says that it is ready.
 * @param variables those of each process, by its name
 */
export async function startMembers(variables: Record<string, Record<string, string>>): Promise<Members> {
  const running = new Map<string, ServerProcess>();

  async function start(name: string): Promise<void> {
    const server = spawnServer(name, variables[name] ?? {}, { read: (line) => tellHold(name, line) });
    running.set(name, server);
    await server.ready;
  }

  async function end(name: string, signal: NodeJS.Signals): Promise<void> {
    const server = running.get(name);
    if (!server) throw new Error(`No process runs ${name}.`);
    running.delete(name);
    await server.end(signal);
  }

  const signal = (name: string, which: NodeJS.Signals) => {
    const { pid = 0 } = running.get(name) ?? {};
    if (pid === 0) throw new Error(`No process runs ${name}.`);
    process.kill(pid, which);
  };

  const stop = async () => {
    await Promise.all([...running.keys()].map((name) => end(name, "SIGKILL")));
  };
  try {
    await Promise.all(Object.keys(variables).map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    start,
    end,
    pause: (name) => signal(name, "SIGSTOP"),
    resume: (name) => signal(name, "SIGCONT"),
    stop,
  };
}

/**
 * Prints what the guard of the event loop says of a request that held it:
 * docs/guides/monitoring.md#who-held-the-event-loop
 */
function tellHold(name: string, line: string): void {
  if (!line.includes(HELD)) return;
  const { what, ms, requestId } = JSON.parse(line) as { what: string; ms: number; requestId?: string };
  if (requestId) process.stderr.write(`${name}: ${what} held the event loop for ${ms} ms\n`);
}
