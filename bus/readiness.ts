import type { ServiceBroker } from "moleculer";
import { READY_KEPT_MS } from "../config/limits.ts";
import type { Database } from "../database/database.ts";
import { BusTransporter } from "./transporter.ts";

const BUS = "the bus does not answer";

/**
 * Gives a function that tells what keeps this process from serving requests, in the words of
 * docs/guides/monitoring.md#health, or null when nothing does. It asks about this process alone: while the services of
 * another one are away, their operations are 503, and all others are served. Anybody may ask, so those who ask within
 * half a second share the answers of the others.
 */
export function createReadiness(
  broker: Pick<ServiceBroker, "metadata" | "transit">,
  database: Pick<Database, "check">,
): () => Promise<string | null> {
  let asked: Promise<string | null> | undefined;
  const forget = () => {
    asked = undefined;
  };
  return async () => {
    if (broker.metadata.starting) return "starting";
    if (broker.metadata.draining) return "draining";
    if (broker.transit?.tx.connected === false) return BUS;
    asked ??= ask(broker, database).finally(() => setTimeout(forget, READY_KEPT_MS).unref());
    return asked;
  };
}

/** Both are asked at the same time, so that this takes no longer than the slower one. */
async function ask({ transit }: Pick<ServiceBroker, "transit">, database: Pick<Database, "check">) {
  const transporter = transit?.tx;
  const [isBusThere, isDatabaseThere] = await Promise.all([
    // A process without a bus needs none.
    transporter instanceof BusTransporter ? transporter.answers() : true,
    database.check().then(
      () => true,
      () => false,
    ),
  ]);
  if (!isBusThere) return BUS;
  return isDatabaseThere ? null : "the database does not answer";
}
