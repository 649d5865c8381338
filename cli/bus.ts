import type { ServiceBroker } from "moleculer";
import { connect } from "nats";
import { type NatsSettings, natsOptions } from "../bus/connection.ts";
import { type Patience, tryPatiently } from "./patience.ts";

const CONNECT_MS = 2_000;
const SERVICES_POLL_MS = 100;

type Waiting = Pick<Patience, "onWait" | "signal">;

/** Waits until NATS answers. A broker that is started while NATS is away would neither get ready nor say why. */
export async function waitForBus(settings: NatsSettings, waiting: Waiting): Promise<void> {
  const options = { ...natsOptions(settings, "contact-workspace start"), reconnect: false, timeout: CONNECT_MS };
  const attempt = async () => {
    const client = await connect(options);
    await client.close();
  };
  // A refused password is waited out too, since it may be put right at the NATS server.
  await tryPatiently("NATS", attempt, { ...waiting, isAway: () => true });
}

/** Waits until all services are known to the broker, wherever they run. */
export async function waitForServices(broker: ServiceBroker, names: string[], waiting: Waiting): Promise<void> {
  const attempt = async () => {
    const known = new Set(broker.registry.getServiceList({ onlyAvailable: true }).map(({ fullName }) => fullName));
    const missing = names.filter((name) => !known.has(name));
    if (missing.length > 0) throw new Error(missing.join(", "));
  };
  await tryPatiently("services", attempt, { ...waiting, isAway: () => true, pauseMs: SERVICES_POLL_MS });
}
