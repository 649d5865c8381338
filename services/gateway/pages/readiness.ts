import type { ServiceBroker } from "moleculer";
import { isBusReachable, unreachableServices } from "../../../bus/reachable.ts";
import { READY_KEPT_MS } from "../../../config/limits.ts";
import type { Database } from "../../../database/database.ts";
import { routes } from "../operation/routes.ts";

/** Actions that all requests need, beside those of their routes. */
const NEEDED_BY_ALL = ["keys.identify", "ratelimit.countRequest", "idempotency.findSaved"];
const NEEDED = [...NEEDED_BY_ALL, ...routes.map(({ action }) => action)];
const BUS = "the bus does not answer";
const SERVICES = new Set(NEEDED.map(serviceOf));

/**
 * Gives a function that tells what keeps this process from serving requests, in the words of docs/guides/running.md#health, or
 * null when nothing does. Anybody may ask, so those who ask within half a second share the answers of the others.
 */
export function createReadiness(broker: ServiceBroker, database: Database): () => Promise<string | null> {
  let asked: Promise<string | null> | undefined;
  const forget = () => {
    asked = undefined;
  };
  return async () => {
    if (broker.metadata.draining) return "draining";
    // While the bus is away the registry still names the services that were there before.
    if (broker.transit?.tx.connected === false) return BUS;
    const unknown = NEEDED.filter((action) => !broker.registry.actions.isAvailable(action)).map(serviceOf);
    if (unknown.length > 0) return away(unknown);
    asked ??= askAll(broker, database).finally(() => setTimeout(forget, READY_KEPT_MS).unref());
    return asked;
  };
}

/** All are asked at the same time, so that this takes no longer than the slowest. */
async function askAll(broker: ServiceBroker, database: Database): Promise<string | null> {
  const [isBusThere, unreachable, isDatabaseThere] = await Promise.all([
    isBusReachable(broker),
    unreachableServices(broker, SERVICES),
    database.check().then(
      () => true,
      () => false,
    ),
  ]);
  if (!isBusThere) return BUS;
  if (unreachable.length > 0) return away(unreachable);
  return isDatabaseThere ? null : "the database does not answer";
}

function away(services: string[]): string {
  return `away: ${[...new Set(services)].join(", ")}`;
}

function serviceOf(action: string): string {
  return action.slice(0, action.lastIndexOf("."));
}
