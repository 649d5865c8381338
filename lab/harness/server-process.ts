import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** The folder of this checkout. */
export const ROOT = join(import.meta.dirname, "..", "..");
const OUTPUT_KEPT = 20_000;
/** Time that a process has to stop before it is killed. */
const STOP_MS_MAX = 15_000;

/** A process of `cli/main.mjs start`. */
export interface ServerProcess {
  pid: number;
  /** The line by which it says that it is ready; rejects with what it said when it ends before. */
  ready: Promise<string>;
  /** The end of what the process has printed so far. */
  said(): string;
  isAlive(): boolean;
  /** Sends a signal, kill -9 unless another is given; returns when the process is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Lets it end in its own way; one that takes too long is killed. */
  stop(): Promise<void>;
}

/** Options in which a process differs from the default of the tests. */
interface Start {
  /** Node unless told otherwise. */
  program?: string;
  /** Options of the program. */
  args?: string[];
  /** The checkout. */
  root?: string;
  /** Takes each line that the process says. */
  read?(line: string): void;
}

/** Starts a process with these variables besides those of this one. */
export function spawnServer(
  name: string,
  variables: Record<string, string>,
  { program = process.execPath, args = [join("cli", "main.mjs"), "start"], root = ROOT, read }: Start = {},
): ServerProcess {
  const child = spawn(program, args, {
    // With npm's variable a process watches its parent, and ends when that is killed.
    env: { ...process.env, ...variables, npm_lifecycle_event: "test" },
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    const kill = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await end("SIGTERM");
    clearTimeout(kill);
  };
  let output = "";
  const keep = (data: Buffer) => {
    output = (output + data.toString()).slice(-OUTPUT_KEPT);
    if (process.env.TEST_LOG_LEVEL) process.stderr.write(`${name}: ${data.toString()}`);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const said = () => output;
  if (read) for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read);
  const ready = saysReady(name, child, said);
  // A caller that stops a process during its start does not wait for it to be ready.
  ready.catch(() => undefined);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return { pid: child.pid ?? 0, ready, said, isAlive, end, stop };
}

/** A server that answers at this port. */
export interface Running extends ServerProcess {
  port: number;
}

/**
 * A server that says that it is ready, as `npm start` starts it, of this checkout or of another one. SERVER_NODE_FLAGS
 * goes to it, for example "--cpu-prof --cpu-prof-dir=/tmp/profiles".
 * @param variables without a PORT it gets a free one
 * @param options `flags` are further options of Node
 */
export async function startServer(
  variables: Record<string, string>,
  { root = ROOT, read, flags: given = [] }: Pick<Start, "root" | "read"> & { flags?: string[] } = {},
): Promise<Running> {
  const port = Number(variables.PORT ?? (await freePort()));
  const flags = (process.env.SERVER_NODE_FLAGS ?? "").split(" ").filter((flag) => flag !== "");
  const script = startScript(root);
  const server = spawnServer(
    "the server",
    { ...script.variables, ...variables, PORT: String(port) },
    { args: [...flags, ...given, ...script.args], root, ...(read && { read }) },
  );
  await server.ready;
  return { ...server, port };
}

/**
 * Variables and options that the script `start` of package.json gives to Node. The script is `exec env NAME=value …
 * node …`.
 */
function startScript(root: string): { args: string[]; variables: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  const words = scripts.start.split(" ");
  const at = words.indexOf("node");
  const pairs = words.slice(0, at).flatMap((word) => [...word.matchAll(/^(\w+)=(.*)$/g)]);
  return { args: words.slice(at + 1), variables: Object.fromEntries(pairs.map(([, key, value]) => [key, value])) };
}

/** Waits for the line `ready …`; a process that ends before it fails with what it said. */
function saysReady(name: string, child: ChildProcess, said: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = /^ready .*(?=\n)/m.exec(said())?.[0];
      if (line !== undefined) resolve(line);
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The process of ${name} ended with ${code}:\n${said()}`)));
  });
}
