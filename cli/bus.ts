import type { ServiceBroker } from "moleculer";
import { connect } from "nats";
import { type NatsSettings, natsOptions } from "../bus/connection.ts";
import { type Patience, tryPatiently } from "../tools/installation/patience.ts";

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
  const meaning = (error: unknown) => busFailure(error, settings);
  await tryPatiently("NATS", attempt, { ...waiting, isAway: () => true, meaning });
}

/** Meaning of an error of the NATS client for the admin who has set NATS_URL, by its code or, for some, its message. */
function busFailure(error: unknown, { natsUrls = [] }: NatsSettings): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const hosts = natsUrls.map((url) => new URL(url).host).join(", ");
  if (/authorization|authentication/i.test(`${code} ${message}`))
    return `NATS at ${hosts} does not let us in (${message}): correct user and password in NATS_URL, or NATS_CREDS.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `A host of NATS_URL, ${hosts}, is not found (${message}): correct the name, or the DNS of this machine.`;
  if (code === "CONNECTION_REFUSED" || code === "TIMEOUT")
    return `No NATS answers at ${hosts} (${message}): start NATS there, with TLS if NATS_URL begins with tls://, or correct NATS_URL.`;
  return `The connection to ${hosts} fails (${message}): look into the log of NATS, and at NATS_URL and NATS_CA.`;
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
