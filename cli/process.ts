import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import type { Uuid } from "../base/values/ids.ts";
import type { Log } from "../bus/logger.ts";
import { createReadiness } from "../bus/readiness.ts";
import { followReleases } from "../bus/releases.ts";
import { leaveWithoutDatabase } from "../bus/without-database.ts";
import type { Env } from "../config/env.ts";
import { serviceFiles, serviceFolders } from "../config/service-folders.ts";
import { onLogAppended } from "../engine/events/appended.ts";
import type { ServiceContext } from "../mixins/context.ts";
import { wakeAll } from "../mixins/polling.mixin.ts";
import { brokerOptions } from "../moleculer.config.ts";
import { serverOfStart } from "../services/gateway/starting.ts";
import { openProcessDatabase, type ProcessDatabase } from "../tools/installation/open-database.ts";
import { closeNow, listen, serverOfProbes } from "./health.ts";
import { showBus, watchProcess } from "./metrics.ts";
import { prepare } from "./prepare.ts";
import { openGateway, readyBus, readyDatabase, tellMigration } from "./readying.ts";
import type { Tracing } from "./tracing.ts";

const GATEWAY = "gateway";
/** Longest time that a stop waits for a start that is still under way. */
const START_SETTLES_MS = 5_000;

export interface ServerProcess {
  /** Gives the lines to print once requests are answered. */
  started: Promise<string[]>;
  /** Finishes running requests and closes everything, also in the middle of a start. */
  stop(): Promise<void>;
}

/**
 * Whether requests are logged: as events of level info, and by default not at a terminal.
 * docs/guides/monitoring.md#access-log
 */
function hasAccessLog({ accessLog, logLevel }: Pick<Env, "accessLog" | "logLevel">): boolean {
  if (!["info", "debug", "trace"].includes(logLevel)) return false;
  return accessLog === "on" || (accessLog === "auto" && !process.stdout.isTTY);
}

/** Runs the services of SERVICES on their database and bus. */
export function runServer(env: Env, log: Log): ServerProcess {
  const stopping = new AbortController();
  const folders = env.services ?? serviceFolders();
  const hasGateway = folders.includes(GATEWAY);
  let opened: ProcessDatabase | undefined;
  let broker: ServiceBroker | undefined;
  let tracing: Tracing | undefined;

  const waiting = { signal: stopping.signal, onWait: (message: string) => log("warn", "process", [message]) };
  let endWatch = () => {};
  let readiness: (() => Promise<string | null>) | undefined;
  const obstacle = async () => (readiness ? readiness() : "starting");

  async function start(): Promise<string[]> {
    // The stand-in holds the port until the gateway takes it over. So a port that is in use ends the start before
    // anything else has begun, and probes find the process alive while it waits for its database or bus.
    const standIn = hasGateway ? await listen(serverOfStart(env), env.host, env.port) : undefined;
    if (env.metricsPort)
      await listen(serverOfProbes({ obstacle, metrics: watchProcess(env) }), env.host, env.metricsPort);
    tracing = env.otelEndpoint ? (await import("./tracing.ts")).startTracing(env, env.otelEndpoint, log) : undefined;
    // Kept before anything can fail, so that a stop closes it.
    opened = await openProcessDatabase(env, waiting, tellMigration(log));
    await readyDatabase(opened, env, { log, ...waiting });
    const busSecret = await readyBus(opened, env, waiting);
    broker = new ServiceBroker(brokerOptions(env, { log, busSecret }));
    // Until it is done, `/readyz` is 503: a gateway that listens may not know the services yet.
    broker.metadata.starting = true;
    showBus(broker);
    followReleases(broker, (message) => log("info", "process", [message]));
    await createServices(broker, folders, {
      env,
      database: opened.database,
      ...(hasAccessLog(env) && { accessLog: process.stdout }),
    });
    if (standIn) await closeNow(standIn);
    await broker.start();
    readiness = createReadiness(broker, opened.database);
    endWatch = leaveWithoutDatabase(broker, opened.database);
    const demo = hasGateway ? await openGateway(broker, opened, env, { log, ...waiting }) : [];
    broker.metadata.starting = false;
    prepare(broker).catch((error) => log("warn", "process", ["A preparation of the start failed:", error]));
    // Every process prints this line, whatever services it runs, so that a script can wait for it:
    // docs/guides/running.md#starting.
    return [...demo, `ready ${env.publicUrl}`];
  }

  const started = start();

  async function stop(): Promise<void> {
    if (broker) beginDrain(broker);
    endWatch();
    stopping.abort();
    const settled = started.catch(() => undefined);
    await Promise.race([settled, new Promise((done) => setTimeout(done, START_SETTLES_MS).unref())]);
    if (broker) await stopBroker(broker);
    await opened?.close();
    await tracing?.stop();
  }

  return { started, stop };
}

/** Time for connections in use to carry one more answer, which asks their client to close them. */
const LAST_ANSWERS_MS = 500;

/**
 * Marks the process as one that is about to stop. From now on `/readyz` is 503, which tells load balancers, and every
 * answer carries `Connection: close`, which tells clients. Nothing is closed yet, and requests are served as before.
 * docs/guides/running.md#stopping
 */
function beginDrain(broker: ServiceBroker): void {
  broker.metadata.draining = true;
}

/**
 * Lets running requests finish and stops the broker. The gateway goes first: its running requests still need the
 * services of this process, and Moleculer would stop all services at the same time.
 */
async function stopBroker(broker: ServiceBroker): Promise<void> {
  const gateway: (Service & { server?: Server }) | undefined = broker.getLocalService("gateway");
  if (gateway?.server?.listening) {
    // Clients are asked to close their connections, because a request would fail whose connection is closed while it is
    // sent.
    gateway.server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    await pause(LAST_ANSWERS_MS);
  }
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
}

type ServiceModule = { default: ServiceSchema | ((context: ServiceContext) => ServiceSchema) };

/**
 * Time in which a process gathers its messages about logs that it has appended to. Readers look at intervals too.
 */
const TELL_EVERY_MS = 10;

/** Tells all processes when this one has appended to logs, and to which: once for a burst of writes. */
function tellOfLogs(broker: ServiceBroker, { database }: ServiceContext): void {
  const appended = new Set<Uuid>();
  const tell = () => {
    wakeAll(broker, "log.appended", { workspaces: [...appended] });
    appended.clear();
  };
  onLogAppended(database, (workspaceId) => {
    if (appended.size === 0) setTimeout(tell, TELL_EVERY_MS).unref();
    appended.add(workspaceId);
  });
}

/** Creates the services of the folders; they start with the broker. */
export async function createServices(broker: ServiceBroker, folders: string[], context: ServiceContext): Promise<void> {
  tellOfLogs(broker, context);
  for (const path of folders.flatMap(serviceFiles)) {
    const { default: service }: ServiceModule = await import(path);
    broker.createService(typeof service === "function" ? service(context) : service);
  }
}
