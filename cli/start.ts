import { showGauge } from "../base/budgets/gauges.ts";
import { guardLoop } from "../base/loop/guard.ts";
import { type Log, openLog } from "../bus/logger.ts";
import { type Env, readEnv } from "../config/env.ts";
import { DRAIN_MS_MAX } from "../config/limits.ts";
import { databaseFailure, plainMessage } from "../database/migrate/failure.ts";
import { runServer } from "./process.ts";
import { onStopSignal } from "./stop-signals.ts";

/** Longest time of a stop beyond the running requests, for closing broker, database and embedded server. */
const CLOSE_MS = 15_000;

const env = checkedEnv();
const log = openLog(env.logLevel);

// The program that reads the output may have ended. That is no reason to stop serving.
process.stdout.on("error", () => undefined);

if (env.eventLoopGuardMs !== undefined) logHolders(env.eventLoopGuardMs, log);

const server = runServer(env, log);
let state: "starting" | "serving" | "stopping" = "starting";

process.on("unhandledRejection", (error) => log("error", "process", ["A rejection was not handled:", error]));
process.on("uncaughtException", (error) => {
  log("fatal", "process", ["An exception was not caught:", error]);
  process.exit(1);
});
onStopSignal((reason) => {
  state = "stopping";
  log("info", "process", [`Stopping: ${reason}.`]);
  void stopAndExit(0);
});

server.started.then((lines) => {
  if (state !== "starting") return;
  state = "serving";
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}, fail);

function fail(error: unknown): void {
  if (state !== "starting") return;
  state = "stopping";
  process.stderr.write(`${failure(error)}\n`);
  log("debug", "process", ["The start failed:", error]);
  void stopAndExit(1);
}

function checkedEnv(): Env {
  try {
    return readEnv();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

async function stopAndExit(code: number): Promise<void> {
  setTimeout(() => process.exit(1), DRAIN_MS_MAX + CLOSE_MS).unref();
  try {
    await server.stop();
    process.exit(code);
  } catch (error) {
    log("error", "process", ["The stop failed:", error]);
    process.exit(1);
  }
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string };

/** Message of a failed start, in one line with the variable to change. The stack is logged at level debug. */
function failure(error: unknown): string {
  const { code, syscall, port, address, message } = error as ListenError;
  const variable = port === env.metricsPort ? "METRICS_PORT" : "PORT";
  if (code === "EADDRINUSE")
    return `Port ${port} of ${address} is in use: stop what listens there, or set ${variable} to another one.`;
  if (syscall === "listen" && code === "EACCES")
    return `Port ${port} is not open to this user: set ${variable} to one above 1023.`;
  if (code === "EADDRNOTAVAIL" || (syscall === "getaddrinfo" && message.endsWith(env.host)))
    return `HOST is "${env.host}", which is not an address of this machine: set it to one that is, or to 0.0.0.0 for all.`;
  return databaseFailure(error, env.databaseUrl) ?? `The start failed: ${plainMessage(error)}`;
}

/**
 * Logs who held the event loop for longer than this, and shows the longest time.
 * docs/guides/monitoring.md#who-held-the-event-loop
 */
function logHolders(limitMs: number, log: Log): void {
  const guard = guardLoop(limitMs, ({ ms, longestMs, ...holder }) =>
    log("warn", "process", ["The event loop was held", { ms: rounded(ms), longestMs: rounded(longestMs), ...holder }]),
  );
  showGauge("contact_workspace_event_loop_turn_max_seconds", {}, () => guard.takeMaxMs() / 1000);
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
