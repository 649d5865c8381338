import type { ServiceBroker, ServiceSchema } from "moleculer";
import { serviceFiles } from "../config/service-folders.ts";
import { onEventsWritten } from "../engine/events/written.ts";
import type { ServiceContext } from "../mixins/context.ts";
import { wakeAll } from "../mixins/polling.mixin.ts";

type ServiceModule = { default: ServiceSchema | ((context: ServiceContext) => ServiceSchema) };

/**
 * Time in which a process gathers its messages about events that it has written. The publisher works at intervals too.
 */
const TELL_EVERY_MS = 10;

/** Tells all processes when this one has written events: once for a burst of writes. */
function tellOfEvents(broker: ServiceBroker, { database }: ServiceContext): void {
  let isDue = false;
  const tell = () => {
    isDue = false;
    wakeAll(broker, "events.written");
  };
  onEventsWritten(database, () => {
    if (!isDue) setTimeout(tell, TELL_EVERY_MS).unref();
    isDue = true;
  });
}

/** Creates the services of the folders; they start with the broker. */
export async function createServices(broker: ServiceBroker, folders: string[], context: ServiceContext): Promise<void> {
  tellOfEvents(broker, context);
  for (const path of folders.flatMap(serviceFiles)) {
    const { default: service }: ServiceModule = await import(path);
    broker.createService(typeof service === "function" ? service(context) : service);
  }
}
