import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { createReadiness } from "../../bus/readiness.ts";
import { READY_CHECK_MS } from "../../config/limits.ts";
import { type NetworkProxy, proxyTo } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startChildNode, startNodeWith } from "./nodes.ts";

/** So seldom that nobody finds a silent connection by it. */
const SELDOM = { pingInterval: 600_000 };
const BUS = "the bus does not answer";

describeBus("the readiness of a process", () => {
  let nats: NatsServer;
  let proxy: NetworkProxy;
  let broker: ServiceBroker;

  beforeEach(async () => {
    nats = await startNats();
    proxy = await proxyTo({ host: "127.0.0.1", port: nats.port }, nats.url);
    broker = await startNodeWith(SELDOM, proxy.url);
  });

  afterEach(async () => {
    await proxy.restore();
    await broker.stop();
    await proxy.stop();
    await nats.stop();
  });

  const there = { check: () => Promise.resolve() };
  /** Asks until the readiness has this state. NATS has half a second for its answer, too little on a busy machine. */
  const tells = (state: string | null, database = there) =>
    until(`it is ${state ?? "ready"}`, async () => (await createReadiness(broker, database)()) === state);

  it("is about its bus and its database, and not about a node that hangs", async () => {
    const child = await startChildNode(nats.url);
    try {
      await until("the node is known", () => broker.registry.actions.isAvailable("work.where"));
      process.kill(child.pid ?? 0, "SIGSTOP");
      await tells(null);
      const away = { check: () => Promise.reject(new Error("away")) };
      await tells("the database does not answer", away);
      expect(broker.registry.actions.isAvailable("work.where")).toBe(true);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("tells that the bus is silent although its connection was not closed, and that NATS hangs", async () => {
    await tells(null);
    proxy.freeze();
    expect(await createReadiness(broker, there)()).toBe(BUS);
    await proxy.restore();
    await tells(null);
    process.kill(nats.pid, "SIGSTOP");
    try {
      await tells(BUS);
    } finally {
      process.kill(nats.pid, "SIGCONT");
    }
  });

  it("tells of a start and of a stop that are under way", async () => {
    const readiness = createReadiness(broker, there);
    broker.metadata.starting = true;
    expect(await readiness()).toBe("starting");
    broker.metadata.starting = false;
    await until("it is ready", async () => (await readiness()) === null);
    broker.metadata.draining = true;
    expect(await readiness()).toBe("draining");
  });

  it("is told in less than half a second", () => {
    expect(READY_CHECK_MS).toBeLessThan(500);
  });
});
