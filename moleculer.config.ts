import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions } from "moleculer";
import { LineLogger, openLog } from "./broker/logger.ts";
import { JsonSchemaValidator } from "./broker/validator.ts";
import { natsOptions } from "./bus/connection.ts";
import { logFailures } from "./bus/failures.ts";
import { ErrorRegenerator } from "./bus/regenerator.ts";
import { retryUndelivered } from "./bus/retry.ts";
import { BusTransporter } from "./bus/transporter.ts";
import { wholeSchemas } from "./bus/whole-schemas.ts";
import type { Env } from "./config/env.ts";
import { CALL_MS_MAX, DRAIN_MS_MAX } from "./config/limits.ts";

/**
 * The options of the broker of a process.
 * @param log where it logs; standard output unless a command prints its own results there
 */
export function brokerOptions(env: Env, log = openLog(env.logLevel)): BrokerOptions {
  const nodeID = newNodeId();
  return {
    nodeID,
    namespace: env.namespace,
    transporter: env.natsUrls ? new BusTransporter(natsOptions(env.natsUrls, nodeID)) : null,
    logger: new LineLogger(log),
    validator: new JsonSchemaValidator(),
    errorRegenerator: new ErrorRegenerator(),
    middlewares: [retryUndelivered, logFailures, wholeSchemas],
    // Moleculer's default is to wait forever.
    requestTimeout: CALL_MS_MAX,
    // A dead node is found by NATS; the heartbeat is for one that hangs.
    heartbeatInterval: 5,
    heartbeatTimeout: 15,
    registry: { strategy: "RoundRobin", preferLocal: true },
    // Others learn of a node's services after this time; Moleculer's second would be added to every start.
    transit: { serviceChangedDebounceTime: 100 } as BrokerOptions["transit"],
    // Without tracking a stopping node cuts the calls that it is running.
    tracking: { enabled: true, shutdownTimeout: DRAIN_MS_MAX },
    // cli/process.ts stops the broker, then the database, in this order.
    skipProcessEventRegistration: true,
    // Each costs as much as a whole request (measured: 24 and 20 µs beside 30).
    metrics: false,
    tracing: false,
  };
}

/** Unique also for a process that starts again under the same host name and process id, as containers do. */
function newNodeId(): string {
  const host = hostname().replace(/[^\w-]/g, "-");
  return `${host}-${process.pid}-${randomBytes(3).toString("hex")}`;
}
