import { setTimeout as pause } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { connect } from "nats";
import { type NatsSettings, natsOptions } from "../bus/connection.ts";
import type { Log } from "../bus/logger.ts";
import type { Env } from "../config/env.ts";
import { serviceFolders, serviceNames } from "../config/service-folders.ts";
import { type Database, isUnavailable } from "../database/database.ts";
import type { MigrationTold } from "../database/migrate/migrate.ts";
import { loadSecret } from "../engine/secrets/shared-secret.ts";
import {
  type Patience,
  type ProcessDatabase,
  refusePooler,
  tryPatiently,
} from "../tools/installation/open-database.ts";
import { connectionsAllowed, connectionWarning } from "../tools/installation/room.ts";
import { demoOnce } from "./demo.ts";
import { LOST_KEY, laterNotice, nextStep, startNotices } from "./start-notices.ts";

type Waiting = Pick<Patience, "onWait" | "signal">;
type Telling = Waiting & { log: Log };

/** Logs each migration that a start runs. */
export function tellMigration(log: Log): MigrationTold {
  return ({ name }, ms) => log("info", "process", [`Ran the migration ${name}.`, { durationMs: Math.round(ms) }]);
}

/** Checks that the database can serve, and logs notices for the operator about this start. */
export async function readyDatabase(
  { database, applied }: ProcessDatabase,
  env: Env,
  { log, ...waiting }: Telling,
): Promise<void> {
  await refusePooler(env, waiting);
  // A database that is busy, with starts of other processes for example, may not be in time with these statements.
  const patience = { ...waiting, isAway: isUnavailable };
  const [later, allowed] = await tryPatiently("PostgreSQL", () => askAtStart(database), patience);
  for (const [level, line] of startNotices(env, applied)) log(level, "process", [line]);
  if (later !== null) log("warn", "process", [later]);
  const few = connectionWarning(allowed, env);
  if (few !== null) log("warn", "process", [`${few}.`]);
}

async function askAtStart(database: Database) {
  await database.warmUp();
  return Promise.all([laterNotice(database), connectionsAllowed((sql, values) => database.read(sql, values))]);
}

/** Waits until NATS answers, and returns the secret that seals the bus; undefined without a bus. */
export async function readyBus({ database }: ProcessDatabase, env: Env, waiting: Waiting): Promise<Buffer | undefined> {
  if (!env.natsUrls) return undefined;
  await waitForBus(env, waiting);
  return loadSecret(database, "bus");
}

/**
 * Waits until the gateway, which listens already, knows all services that it calls, wherever they run; but not for
 * long, because without some of them it serves the others. Gives the lines that a first start prints.
 */
export async function openGateway(
  broker: ServiceBroker,
  { database, embedded }: ProcessDatabase,
  env: Env,
  { log, signal }: Telling,
): Promise<string[]> {
  const missing = await waitForServices(broker, serviceFolders().flatMap(serviceNames), signal);
  if (missing.length > 0) log("warn", "process", [`No process runs ${missing.join(", ")}: their requests are 503.`]);
  const demo = embedded ? await demoOnce(database, broker, env) : [];
  if (demo.length > 0) return demo;
  const step = embedded ? LOST_KEY : await nextStep(database);
  if (step !== null) log("info", "process", [step]);
  return [];
}

const CONNECT_MS = 2_000;
const SERVICES_POLL_MS = 100;
/** Longest time that a gateway waits for services of other processes, as long as a process takes to start. */
const SERVICES_MS = 10_000;

/** Waits until NATS answers. A broker that is started while NATS is away would neither get ready nor say why. */
async function waitForBus(settings: NatsSettings, waiting: Waiting): Promise<void> {
  const options = { ...natsOptions(settings, "contact-workspace start"), reconnect: false, timeout: CONNECT_MS };
  const attempt = async () => {
    const client = await connect(options);
    await client.close();
  };
  // A refused password is waited out too, since it may be put right at the NATS server.
  const meaning = (error: unknown) => busFailure(error, settings);
  await tryPatiently("NATS", attempt, { ...waiting, isAway: () => true, meaning });
}

/** Meaning of an error of the NATS client for the admin who has set NATS_URL, by its code or, for some, its message. */
function busFailure(error: unknown, { natsUrls = [] }: NatsSettings): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const hosts = natsUrls.map((url) => new URL(url).host).join(", ");
  if (/authorization|authentication/i.test(`${code} ${message}`))
    return `NATS at ${hosts} refuses the connection (${message}): correct user and password in NATS_URL, or NATS_CREDS.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `A host of NATS_URL, ${hosts}, is not found (${message}): correct the name, or the DNS of this machine.`;
  if (code === "CONNECTION_REFUSED" || code === "TIMEOUT")
    return `No NATS answers at ${hosts} (${message}): start NATS there, with TLS if NATS_URL begins with tls://, or correct NATS_URL.`;
  return `The connection to ${hosts} fails (${message}): look into the log of NATS, and at NATS_URL and NATS_CA.`;
}

/** Waits until all services are known to the broker, wherever they run. Gives those that are not in time. */
async function waitForServices(broker: ServiceBroker, names: string[], signal: AbortSignal): Promise<string[]> {
  const end = performance.now() + SERVICES_MS;
  for (;;) {
    const known = new Set(broker.registry.getServiceList({ onlyAvailable: true }).map(({ fullName }) => fullName));
    const missing = names.filter((name) => !known.has(name));
    if (missing.length === 0 || performance.now() >= end) return missing;
    await pause(SERVICES_POLL_MS, undefined, { signal });
  }
}
