import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** The folder of this checkout. */
export const ROOT = join(import.meta.dirname, "..", "..");

/** A server in a process of its own. */
export interface Running {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** The real server, as users start it; that of another checkout when its folder is given. */
export async function startReal(variables: Record<string, string>, root = ROOT): Promise<Running> {
  const port = await freePort();
  const flags = (process.env.BENCH_NODE_FLAGS ?? "").split(" ").filter((flag) => flag !== "");
  const script = scriptOf(root, "start");
  return start([...flags, ...script.args], { ...script.variables, ...variables, PORT: String(port) }, { root, port });
}

/** What Node gets by a script of package.json: all are `exec node …`, or `exec env NAME=value … node …`. */
export function scriptOf(root: string, name: string): { args: string[]; variables: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const words = scripts[name]?.split(" ") ?? [];
  const at = words.indexOf("node");
  const pairs = words.slice(0, at).flatMap((word) => [...word.matchAll(/^(\w+)=(.*)$/g)]);
  return { args: words.slice(at + 1), variables: Object.fromEntries(pairs.map(([, key, value]) => [key, value])) };
}

async function start(
  args: string[],
  variables: Record<string, string>,
  { root, port }: { root: string; port?: number } = { root: ROOT },
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const line = await ready(child);
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { pid: child.pid ?? 0, port: port ?? Number(line.split(" ")[1]), stop };
}

/** Gives the line in which a server says that it answers. */
function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (data) => {
      output += data;
      const line = output.split("\n").find((one) => one.startsWith("ready"));
      if (line) resolve(line);
    });
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
