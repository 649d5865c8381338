import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ROOT, scriptOf } from "../../harness/servers.ts";

/** A server as `npm start` starts it, whose log is read line by line. */
export interface Server {
  pid: number;
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** How long a server that was told to stop may take before it is killed. */
const STOP_MS_MAX = 15_000;

/**
 * Starts a server; returns when it says that it is ready. Each line that it says goes to `read`. TORTURE_NODE_FLAGS goes to it,
 * for example "--cpu-prof --cpu-prof-dir=/tmp/profiles".
 */
export async function startServer(variables: Record<string, string>, read: (line: string) => void): Promise<Server> {
  const flags = (process.env.TORTURE_NODE_FLAGS ?? "").split(" ").filter((flag) => flag !== "");
  const script = scriptOf(ROOT, "start");
  const child = spawn(process.execPath, [...flags, ...script.args], {
    cwd: ROOT,
    // With npm's variable a process watches its parent, and ends when the program is killed.
    env: { ...process.env, ...script.variables, ...variables, npm_lifecycle_event: "test" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await saysReady(child, read);
  return {
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
      await ended;
      clearTimeout(kill);
    },
  };
}

function saysReady(child: ChildProcess, read: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    for (const input of [child.stdout, child.stderr]) {
      if (!input) continue;
      createInterface({ input }).on("line", (line) => {
        if (process.env.TEST_LOG_LEVEL) console.error(line);
        if (line.startsWith("ready")) resolve();
        else said.push(line.slice(0, 300));
        if (said.length > 20) said.shift();
        read(line);
      });
    }
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${said.join("\n")}`)));
  });
}
