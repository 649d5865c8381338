import { ServiceBroker } from "moleculer";
import type { Log } from "../bus/logger.ts";
import { isBusReachable } from "../bus/reachable.ts";
import type { Env } from "../config/env.ts";
import { serviceFolders, serviceNames } from "../config/service-folders.ts";
import { loadSecret } from "../engine/secrets/shared-secret.ts";
import { brokerOptions } from "../moleculer.config.ts";
import { serverOfStart } from "../services/gateway/starting.ts";
import { connectionsAllowed, connectionWarning } from "../tools/installation/connection-room.ts";
import { openProcessDatabase, type ProcessDatabase, refusePooler } from "../tools/installation/open-database.ts";
import { waitForBus, waitForServices } from "./bus.ts";
import { demoOnce } from "./demo.ts";
import { beginDrain, stopBroker } from "./drain.ts";
import { closeNow, listen, serverOfProbes } from "./health.ts";
import { showBus, watchProcess } from "./metrics.ts";
import { prepare } from "./prepare.ts";
import { createServices } from "./services.ts";
import { LOST_KEY, nextStep, startNotices } from "./start-notices.ts";

const GATEWAY = "gateway";
/** Longest time that a stop waits for a start that is still under way. */
const START_SETTLES_MS = 5_000;

export interface ServerProcess {
  /** Gives the lines to print once requests are answered. */
  started: Promise<string[]>;
  /** Finishes running requests and closes everything, also in the middle of a start. */
  stop(): Promise<void>;
}

/** Whether requests are logged: as events of level info, and by default not at a terminal. docs/guides/running.md#access-log */
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

  const waiting = { signal: stopping.signal, onWait: (message: string) => log("warn", "process", [message]) };

  async function isReady(): Promise<boolean> {
    if (!broker?.started || broker.metadata.draining) return false;
    const [isBusThere] = await Promise.all([isBusReachable(broker), opened?.database.check()]);
    return isBusThere;
  }

  async function start(): Promise<string[]> {
    // The stand-in holds the port until the gateway takes it over. So a port that is in use ends the start before anything
    // else has begun, and probes find the process alive while it waits for its database or bus.
    const standIn = hasGateway ? await listen(serverOfStart(env), env.host, env.port) : undefined;
    if (env.metricsPort) await listen(serverOfProbes({ isReady, metrics: watchProcess() }), env.host, env.metricsPort);
    const readied = await readyDatabase();
    const busSecret = await readyBus(readied);
    broker = new ServiceBroker(brokerOptions(env, { log, busSecret }));
    showBus(broker);
    await createServices(broker, folders, {
      env,
      database: readied.database,
      ...(hasAccessLog(env) && { accessLog: process.stdout }),
    });
    if (standIn) await closeNow(standIn);
    await broker.start();
    const demo = hasGateway ? await openGateway(broker, readied) : [];
    prepare(broker).catch((error) => log("warn", "process", ["Something was not prepared:", error]));
    // Every process prints this line, whatever services it runs, so that a script can wait for it:
    // docs/guides/running.md#starting.
    return [...demo, `ready ${env.publicUrl}`];
  }

  /** Opens the database, looks whether it can serve, and tells what an operator should know about this start. */
  async function readyDatabase(): Promise<ProcessDatabase> {
    // Kept before anything can fail, so that a stop closes it.
    opened = await openProcessDatabase(env, waiting);
    await refusePooler(env, waiting);
    for (const [level, line] of startNotices(env, opened.applied)) log(level, "process", [line]);
    const { read } = opened.database;
    const few = connectionWarning(await connectionsAllowed((sql, values) => read(sql, values)), env);
    if (few !== null) log("warn", "process", [`${few}.`]);
    return opened;
  }

  /** Waits until NATS answers, and gives what the bus is sealed with; undefined without a bus. */
  async function readyBus({ database }: ProcessDatabase): Promise<Buffer | undefined> {
    if (!env.natsUrls) return undefined;
    await waitForBus(env, waiting);
    return loadSecret(database, "bus");
  }

  /**
   * Waits until the gateway, which listens already, knows all services that it needs, wherever they run. Gives the lines that
   * a first start prints.
   */
  async function openGateway(broker: ServiceBroker, { database, embedded }: ProcessDatabase): Promise<string[]> {
    await waitForServices(broker, serviceFolders().flatMap(serviceNames), waiting);
    const demo = embedded ? await demoOnce(database, broker, env) : [];
    if (demo.length > 0) return demo;
    const step = embedded ? LOST_KEY : await nextStep(database);
    if (step !== null) log("info", "process", [step]);
    return [];
  }

  const started = start();

  async function stop(): Promise<void> {
    if (broker) beginDrain(broker);
    stopping.abort();
    const settled = started.catch(() => undefined);
    await Promise.race([settled, new Promise((done) => setTimeout(done, START_SETTLES_MS).unref())]);
    if (broker) await stopBroker(broker);
    await opened?.close();
  }

  return { started, stop };
}
