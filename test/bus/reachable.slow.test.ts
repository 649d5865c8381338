import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { isBusReachable, unreachableServices } from "../../bus/reachable.ts";
import { READY_CHECK_MS } from "../../config/limits.ts";
import { type NetworkProxy, proxyTo } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startChildNode, startNode, startNodeWith } from "./nodes.ts";
import { workService } from "./work-service.ts";

/** So seldom that nobody finds a silent connection by it. */
const SELDOM = { pingInterval: 600_000 };

describeBus("what can be reached over the bus", () => {
  let nats: NatsServer;
  let proxy: NetworkProxy;
  const nodes: ServiceBroker[] = [];

  beforeEach(async () => {
    nats = await startNats();
    proxy = await proxyTo({ host: "127.0.0.1", port: nats.port }, nats.url);
  });

  afterEach(async () => {
    await proxy.restore();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    await proxy.stop();
    await nats.stop();
  });

  async function asker(): Promise<ServiceBroker> {
    const broker = await startNode(nats.url);
    nodes.push(broker);
    return broker;
  }
  const offering = (broker: ServiceBroker, count: number) =>
    until(`${count} offer it`, () => {
      const services = broker.registry.getServiceList({ onlyAvailable: true });
      return services.filter(({ name }) => name === "work").length === count;
    });
  const wanted = new Set(["work", "nobodys"]);

  it("a service whose only node has fallen silent is away, whatever the registry says", async () => {
    const broker = await asker();
    nodes.push(await startNodeWith(SELDOM, proxy.url, workService));
    await offering(broker, 1);
    expect(await unreachableServices(broker, wanted)).toEqual(["nobodys"]);
    proxy.freeze();
    expect(await unreachableServices(broker, wanted)).toEqual(["work", "nobodys"]);
    await offering(broker, 1);
  });

  it("a service is there as long as one of its nodes answers, or when this node offers it", async () => {
    const broker = await asker();
    const frozen = await startNodeWith(SELDOM, proxy.url, workService, { name: "alone" });
    nodes.push(frozen, await startNode(nats.url, workService));
    await offering(broker, 2);
    proxy.freeze();
    expect(await unreachableServices(broker, wanted)).toEqual(["nobodys"]);
    // The silent node is waited for only where nobody else offers the same.
    const ended: string[] = [];
    const ask = async (name: string) => {
      await unreachableServices(broker, new Set([name]));
      ended.push(name);
    };
    await Promise.all([ask("alone"), ask("work")]);
    expect(ended).toEqual(["work", "alone"]);
    const offerer = nodes.at(-1);
    expect(offerer && (await unreachableServices(offerer, wanted))).toEqual(["nobodys"]);
  });

  it("a service whose only node hangs is away before the node goes on, and so is the bus when NATS hangs", async () => {
    const broker = await asker();
    const child = await startChildNode(nats.url);
    try {
      await offering(broker, 1);
      process.kill(child.pid ?? 0, "SIGSTOP");
      expect(await unreachableServices(broker, wanted)).toEqual(["work", "nobodys"]);
      process.kill(child.pid ?? 0, "SIGCONT");
      await until("it answers again", async () => (await unreachableServices(broker, wanted)).length === 1);
      process.kill(nats.pid, "SIGSTOP");
      await until("it has stopped", async () => !(await isBusReachable(broker)));
      expect(await unreachableServices(broker, wanted)).toEqual(["work", "nobodys"]);
    } finally {
      process.kill(nats.pid, "SIGCONT");
      child.kill("SIGKILL");
    }
    await until("the bus is back", () => isBusReachable(broker));
  });

  it("nobody waits half a second for readiness", () => {
    expect(READY_CHECK_MS).toBeLessThan(500);
  });

  it("the bus is there while NATS answers, and not because its connection was not closed", async () => {
    const broker = await startNodeWith(SELDOM, proxy.url);
    nodes.push(broker);
    expect(await isBusReachable(broker)).toBe(true);
    proxy.freeze();
    expect(await isBusReachable(broker)).toBe(false);
  });
});
