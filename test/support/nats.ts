import { findOrInstall } from "../../lab/harness/apt.ts";
import { natsProgram } from "../../lab/harness/nats-server.ts";
import { describeWith } from "./describe-with.ts";
import { environment } from "./test-run.ts";

// Apart from this, since the setup of a cluster runs where jest's globals are not.
export { type NatsServer, startNats } from "../../lab/harness/nats-server.ts";

/** A group of tests that need a real nats-server; skipped, with the reason in its title, where there is none. */
export function describeBus(title: string, tests: () => void): void {
  describeWith(natsProgram(), title, tests);
}

/** A group of tests that need a load balancer too. */
export function describeCluster(title: string, tests: () => void): void {
  const nats = natsProgram();
  describeWith("path" in nats ? findOrInstall("haproxy", "haproxy") : nats, title, tests);
}

/** A group of tests that need a Citus too, which they start themselves. */
export function describeCitusCluster(title: string, tests: () => void): void {
  const citus = environment.citus();
  if ("path" in citus) describeCluster(title, tests);
  else describeWith(citus, title, tests);
}
