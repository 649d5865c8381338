import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions } from "moleculer";
import { BUNDLES } from "./bus/bundles.ts";
import { callSpans } from "./bus/call-spans.ts";
import { natsOptions } from "./bus/connection.ts";
import { logFailures } from "./bus/failures.ts";
import { fittingNode } from "./bus/fitting-node.ts";
import { hangWatch } from "./bus/hang-watch.ts";
import { heldByCalls } from "./bus/held-by-calls.ts";
import { LineLogger, type Log, openLog } from "./bus/logger.ts";
import { createPeers } from "./bus/peers.ts";
import { plainAnswers } from "./bus/plain-answers.ts";
import { proofOfLife } from "./bus/proof-of-life.ts";
import { ErrorRegenerator } from "./bus/regenerator.ts";
import { remoteCalls } from "./bus/remote-calls.ts";
import { createPacketSeal } from "./bus/seal.ts";
import { BusTransporter } from "./bus/transporter.ts";
import { JsonSchemaValidator } from "./bus/validator.ts";
import { wholeSchemas } from "./bus/whole-schemas.ts";
import type { Env } from "./config/env.ts";
import { CALL_MS_MAX, DRAIN_MS_MAX } from "./config/limits.ts";
import { release } from "./config/release.ts";

interface BrokerSettings {
  /** Destination of the broker's log: standard output, unless a command prints its results there. */
  log?: Log;
  /** Secret that seals the bus (bus/seal.ts). It is needed with NATS_URL. */
  busSecret?: Buffer | undefined;
}

/** The options of the broker of a process. */
export function brokerOptions(env: Env, settings: BrokerSettings = {}): BrokerOptions {
  const { log = openLog(env.logLevel), busSecret } = settings;
  const nodeID = newNodeId();
  const peers = createPeers();
  return {
    nodeID,
    namespace: env.namespace,
    // The things that other processes have to know of this one: docs/guides/upgrading.md#several-processes.
    metadata: { release: release(), bundles: BUNDLES },
    transporter: env.natsUrls ? sealedBus(env, nodeID, busSecret) : null,
    logger: new LineLogger(log),
    validator: new JsonSchemaValidator(),
    errorRegenerator: new ErrorRegenerator(),
    middlewares: [
      remoteCalls(peers),
      logFailures,
      wholeSchemas,
      plainAnswers,
      proofOfLife,
      hangWatch(peers),
      ...(env.eventLoopGuardMs ? [heldByCalls] : []),
      ...(env.otelEndpoint ? [callSpans] : []),
    ],
    // Moleculer's default is to wait for an answer for ever.
    requestTimeout: CALL_MS_MAX,
    // NATS tells at once that a node has died (bus/transporter.ts), and calls leave one that hangs (bus/hang-watch.ts).
    // The heartbeat finds nodes that hang while nobody calls them.
    heartbeatInterval: 5,
    heartbeatTimeout: 15,
    // The strategy prefers this node itself. Moleculer would do so before it asks the strategy, whatever the call is
    // made for.
    registry: { strategy: fittingNode(peers), preferLocal: false },
    // Other nodes learn of a node's services after this time. Moleculer's default of a second would make every start
    // longer.
    transit: { serviceChangedDebounceTime: 100 } as BrokerOptions["transit"],
    // A node that stops waits for the calls that it is running. Without tracking it would break them off.
    tracking: { enabled: true, shutdownTimeout: DRAIN_MS_MAX },
    // Moleculer would stop the broker by itself on a signal. cli/process.ts does it instead, and closes the database
    // after it.
    skipProcessEventRegistration: true,
    // Each of the two costs nearly as much as a whole request without them (measured: 24 and 20 µs, beside 30).
    metrics: false,
    tracing: false,
  };
}

function sealedBus(env: Env, nodeID: string, secret: Buffer | undefined): BusTransporter {
  if (!secret) throw new Error("The bus needs the secret that its packets are sealed with.");
  return new BusTransporter(natsOptions(env, nodeID), createPacketSeal(secret));
}

/**
 * A name for this node that no other process has. Containers start again with the same host name and the same process
 * id, so a part of it is random.
 */
function newNodeId(): string {
  const host = hostname().replace(/[^\w-]/g, "-");
  return `${host}-${process.pid}-${randomBytes(3).toString("hex")}`;
}
