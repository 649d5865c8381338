import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { ConnectionOptions } from "nats";
import { natsOptions } from "../../bus/connection.ts";
import { BusTransporter } from "../../bus/transporter.ts";
import { readEnv } from "../../config/env.ts";
import { brokerOptions } from "../../moleculer.config.ts";

/** A broker with the options of a real process, started on the bus. */
export function startNode(natsUrl: string, ...services: ServiceSchema[]): Promise<ServiceBroker> {
  return startNodeWith({}, natsUrl, ...services);
}

/** The same with other settings of its connection to NATS. */
export async function startNodeWith(
  connection: ConnectionOptions,
  natsUrl: string,
  ...services: ServiceSchema[]
): Promise<ServiceBroker> {
  const options = brokerOptions(readEnv({ NATS_URL: natsUrl, LOG_LEVEL: "fatal" }));
  // Several nodes of one process need names of their own.
  const nodeID = `${options.nodeID}-${randomBytes(2).toString("hex")}`;
  const transporter = new BusTransporter({ ...natsOptions([natsUrl], nodeID), ...connection });
  const broker = new ServiceBroker({ ...options, nodeID, transporter });
  for (const service of services) broker.createService(service);
  await broker.start();
  return broker;
}

/** A node in a process of its own, which offers the service `work` (test/bus/work-node.ts). */
export async function startChildNode(natsUrl: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("./work-node.ts", import.meta.url));
  const child = spawn(process.execPath, [program, natsUrl], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}
