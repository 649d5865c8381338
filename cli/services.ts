import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ServiceContext } from "../actions/service-context.ts";
import { serviceFiles } from "../config/service-folders.ts";

type ServiceModule = { default: ServiceSchema | ((context: ServiceContext) => ServiceSchema) };

/** Creates the services of the folders; they start with the broker. */
export async function createServices(broker: ServiceBroker, folders: string[], context: ServiceContext): Promise<void> {
  for (const path of folders.flatMap(serviceFiles)) {
    const { default: service }: ServiceModule = await import(path);
    broker.createService(typeof service === "function" ? service(context) : service);
  }
}
