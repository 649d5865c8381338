import { describe } from "@jest/globals";
import { natsProgram } from "../../lab/harness/nats-server.ts";

// Apart from this, since the setup of a cluster runs where jest's globals are not.
export { type NatsServer, startNats } from "../../lab/harness/nats-server.ts";

/** A group of tests that need a real nats-server; skipped, with the reason in its title, where there is none. */
export function describeBus(title: string, tests: () => void): void {
  const nats = natsProgram();
  if ("path" in nats) describe(title, tests);
  else describe.skip(`${title} (skipped: ${nats.missing})`, tests);
}
