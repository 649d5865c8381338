import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { ConnectionOptions } from "nats";
import { natsOptions } from "../../bus/connection.ts";
import { createPacketSeal } from "../../bus/seal.ts";
import { BusTransporter } from "../../bus/transporter.ts";
import { readEnv } from "../../config/env.ts";
import { brokerOptions } from "../../moleculer.config.ts";

/** The nodes of all tests are of one installation. */
export const BUS_SECRET = Buffer.alloc(32, "test");

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
  const env = readEnv({ NATS_URL: natsUrl, LOG_LEVEL: "fatal" });
  const options = brokerOptions(env, { busSecret: BUS_SECRET });
  // Several nodes of one process need names of their own.
  const nodeID = `${options.nodeID}-${randomBytes(2).toString("hex")}`;
  const transporter = new BusTransporter({ ...natsOptions(env, nodeID), ...connection }, createPacketSeal(BUS_SECRET));
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
