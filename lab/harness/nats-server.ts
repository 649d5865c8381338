import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "./apt.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** As deploy files set it: a page of interactions does not fit into the default of 1 MiB. */
const CONFIG = "max_payload: 32MB\nmax_pending: 256MB\n";

const PROGRAM = "CONTACT_WORKSPACE_NATS_SERVER";

/** Says where nats-server is, or why there is none, to this process and to those that it starts from now on. */
export function setNatsProgram(program: Program): void {
  process.env[PROGRAM] = JSON.stringify(program);
}

/** Path of nats-server, or the reason why there is none. */
export function natsProgram(): Program {
  const program = process.env[PROGRAM];
  if (!program) throw new Error(`${PROGRAM} is not set: run the tests through jest, whose global setup sets it.`);
  return JSON.parse(program);
}

export interface NatsServer {
  url: string;
  port: number;
  pid: number;
  /** Lets it end in its own way. */
  stop(): Promise<void>;
  /** kill -9. Start another with the same port to bring it back. */
  kill(): Promise<void>;
  /** Sends a signal; returns when the server is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a nats-server of one's own on 127.0.0.1, by default on a free port.
 * @param options.config further settings, in the language of its configuration file
 */
export async function startNats(options: { port?: number; config?: string } = {}): Promise<NatsServer> {
  const nats = natsProgram();
  if (!("path" in nats)) throw new Error(nats.missing);
  const port = options.port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-nats-"));
  writeFileSync(join(folder, "nats.conf"), CONFIG + (options.config ?? ""));
  const child = spawn(nats.path, ["-a", "127.0.0.1", "-p", String(port), "-c", join(folder, "nats.conf")], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(`nats-server answers on port ${port}`, () => isStillRunning(child) && greets(port));
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    end,
  };
}

function isStillRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The first line of a NATS server begins with INFO. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("data", (data) => finish(data.toString().startsWith("INFO")));
    socket.once("error", () => finish(false));
  });
}
