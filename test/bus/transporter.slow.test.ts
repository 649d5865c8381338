import type { ChildProcess } from "node:child_process";
import { createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { isAway } from "../../bus/away.ts";
import { natsOptions } from "../../bus/connection.ts";
import { BusTransporter } from "../../bus/transporter.ts";
import { readEnv } from "../../config/env.ts";
import { proxyTo } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startChildNode, startNode, startNodeWith } from "./nodes.ts";
import { workService } from "./work-service.ts";

/** Time-out of calls, which none of them may need: calls fail long before it, also on a machine that stands still. */
const TIME_OUT_MS = 60_000;
const AT_ONCE_MS = 20_000;

interface Outcome {
  error?: unknown;
  value?: unknown;
  ms: number;
}

describeBus("the bus", () => {
  let nats: NatsServer;
  const nodes: ServiceBroker[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    nats = await startNats();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    await nats.stop();
  });

  /** The nodes send no heartbeats, because a missing one would also tell that a node is gone, only later. */
  async function join(starting: Promise<ServiceBroker>): Promise<ServiceBroker> {
    const broker = await starting;
    broker.transit?.discoverer.stopHeartbeatTimers();
    nodes.push(broker);
    return broker;
  }

  const node = (...services: ServiceSchema[]) => join(startNode(nats.url, ...services));

  async function childNode(): Promise<ChildProcess> {
    const child = await startChildNode(nats.url);
    children.push(child);
    return child;
  }

  async function attempt(caller: ServiceBroker, action: string, params: object = {}): Promise<Outcome> {
    const start = performance.now();
    const [result] = await Promise.allSettled([caller.call(action, params, { timeout: TIME_OUT_MS })]);
    const ms = performance.now() - start;
    return result.status === "fulfilled" ? { value: result.value, ms } : { error: result.reason, ms };
  }

  /** Calls without a pause, four at a time, until told to stop. */
  function keepCalling(caller: ServiceBroker) {
    const outcomes: Outcome[] = [];
    let going = true;
    const callers = Array.from({ length: 4 }, async () => {
      while (going) {
        outcomes.push(await attempt(caller, "work.slow", { ms: 2 }));
        // Calls that fail at once would otherwise leave no turn to anything else.
        await nextTurn();
      }
    });
    const stop = async () => {
      going = false;
      await Promise.all(callers);
      return outcomes;
    };
    return { outcomes, stop };
  }

  const offering = (caller: ServiceBroker, count: number) =>
    until(`${count} nodes offer the service`, () => {
      const services = caller.registry.getServiceList({ onlyAvailable: true, skipInternal: true });
      return services.filter(({ name }) => name === "work").length === count;
    });

  const recovery = (caller: ServiceBroker) => until("calls succeed again", () => caller.call("work.where"));

  it("fails calls in flight and new ones at once while NATS is away, and recovers by itself", async () => {
    const [caller] = await Promise.all([node(), node(workService)]);
    await offering(caller, 1);
    const inFlight = attempt(caller, "work.slow", { ms: 8000 });
    await until("the call is sent", () => caller.transit?.pendingRequests.size === 1);

    const { port } = nats;
    await nats.kill();
    const cut = await inFlight;
    expect(isAway(cut.error)).toBe(true);
    expect(cut.ms).toBeLessThan(AT_ONCE_MS);
    const refused = await attempt(caller, "work.where");
    expect(isAway(refused.error)).toBe(true);
    expect(refused.ms).toBeLessThan(AT_ONCE_MS);

    nats = await startNats({ port });
    await recovery(caller);
  });

  it("replaces a connection to NATS that has fallen silent, also when more was sent than the system takes", async () => {
    const proxy = await proxyTo({ host: "127.0.0.1", port: nats.port }, nats.url);
    const caller = await join(startNodeWith({ pingInterval: 100 }, proxy.url));
    await node(workService);
    await offering(caller, 1);
    proxy.freeze();
    const text = "x".repeat(2 ** 20);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt(caller, "work.where", { text })));
    for (const { error, ms } of outcomes) {
      expect(isAway(error)).toBe(true);
      expect(ms).toBeLessThan(AT_ONCE_MS);
    }
    await recovery(caller);
    await proxy.stop();
  });

  it("replaces a connection to NATS that cannot be read at once, and not when a ping gets no answer", async () => {
    const proxy = await proxyTo({ host: "127.0.0.1", port: nats.port }, nats.url);
    const caller = await join(startNodeWith({ pingInterval: 600_000 }, proxy.url));
    await node(workService);
    await offering(caller, 1);
    // The first letter of every answer becomes another one.
    proxy.corrupt(1, () => 0);
    const { error, ms } = await attempt(caller, "work.where");
    expect(isAway(error)).toBe(true);
    expect(ms).toBeLessThan(AT_ONCE_MS);
    await proxy.restore();
    await recovery(caller);
    await proxy.stop();
  });

  it("does not wait for answers of a node whose connection had fallen silent, and was replaced", async () => {
    const proxy = await proxyTo({ host: "127.0.0.1", port: nats.port }, nats.url);
    const patient: ServiceSchema = { name: "patient", actions: { ask: () => "answer" } };
    const caller = await node();
    await join(startNodeWith({ pingInterval: 100 }, proxy.url, patient));
    await caller.waitForServices("patient", 30_000, 20);
    proxy.freeze();
    // It has no time-out of its own.
    const [lost] = await Promise.allSettled([caller.call("patient.ask", {}, { timeout: 0 })]);
    expect(lost.status === "rejected" && isAway(lost.reason)).toBe(true);
    expect(await caller.call("patient.ask")).toBe("answer");
    await proxy.stop();
  });

  it("tries again when a server lets it in and says nothing, and leaves no connection behind", async () => {
    const caller = await startNodeWith({ timeout: 50, reconnectTimeWait: 10, reconnectJitter: 0 }, nats.url);
    nodes.push(caller);
    const { port } = nats;
    await nats.kill();
    const open = new Set<Socket>();
    let attempts = 0;
    const mute = createServer((socket) => {
      attempts += 1;
      open.add(socket.on("error", () => undefined).on("close", () => open.delete(socket)));
    });
    await new Promise<void>((resolve) => mute.listen(port, "127.0.0.1", resolve));
    await until("it has tried ten times", () => attempts >= 10);
    await until("all but the last attempts are closed", () => open.size <= 2);
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
    nats = await startNats({ port });
    await until("it is back", () => transporterOf(caller).answers());
  });

  it("asks its connection to NATS so often that a silent one is replaced within 4 s", () => {
    const {
      pingInterval = 0,
      maxPingOut = 0,
      reconnectTimeWait = 0,
      timeout = 20_000,
    } = natsOptions(readEnv({ NATS_URL: nats.url }), "test");
    expect(pingInterval * (maxPingOut + 1) + reconnectTimeWait).toBeLessThan(4000);
    expect(timeout).toBeLessThan(5000);
    expect(pingInterval * maxPingOut).toBeGreaterThanOrEqual(2000);
  });

  it("loses no more than the calls in flight when a node is killed", async () => {
    const [caller, , child] = await Promise.all([node(), node(workService), childNode()]);
    await offering(caller, 2);
    const calling = keepCalling(caller);
    await until("both nodes answer", () => new Set(calling.outcomes.map(({ value }) => value)).size === 2);
    const answeredBefore = calling.outcomes.length;

    process.kill(child.pid ?? 0, "SIGKILL");
    await until("calls go on", () => calling.outcomes.length > answeredBefore + 200);
    const outcomes = await calling.stop();
    const failed = outcomes.filter(({ error }) => error);
    expect(failed.length).toBeLessThanOrEqual(4);
    expect(failed.every(({ error }) => isAway(error))).toBe(true);
    expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(AT_ONCE_MS);
  });

  it("finds a killed node also when nobody calls it any more", async () => {
    const [caller, child] = await Promise.all([node(), childNode()]);
    await offering(caller, 1);
    const inFlight = attempt(caller, "work.slow", { ms: 30_000 });
    await until("the call is sent", () => caller.transit?.pendingRequests.size === 1);
    process.kill(child.pid ?? 0, "SIGKILL");
    const { error, ms } = await inFlight;
    expect(isAway(error)).toBe(true);
    expect(ms).toBeLessThan(AT_ONCE_MS);
    const { error: next } = await attempt(caller, "work.where");
    expect(isAway(next)).toBe(true);
  });

  it("makes a call again, on another node, that found its node gone, reads and writes alike", async () => {
    const [caller, vanishing] = await Promise.all([node(), node(workService), node(workService)]).then(
      ([a, b]) => [a, b] as const,
    );
    await offering(caller, 2);
    await vanish(vanishing);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => attempt(caller, "work.where")));
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
    expect(new Set(outcomes.map(({ value }) => value)).size).toBe(1);
  });

  it("loses nothing when a node stops while it is being called", async () => {
    const [caller, leaving] = await Promise.all([node(), node(workService), childNode()]).then(
      ([a, b]) => [a, b] as const,
    );
    await offering(caller, 2);
    const calling = keepCalling(caller);
    await until("both nodes answer", () => new Set(calling.outcomes.map(({ value }) => value)).size === 2);
    nodes.splice(nodes.indexOf(leaving), 1);
    await leaving.stop();
    const answered = calling.outcomes.length;
    await until("calls go on", () => calling.outcomes.length > answered + 50);
    const outcomes = await calling.stop();
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
  });

  it("does not run an action again that failed because another service is away", async () => {
    let runs = 0;
    const outer: ServiceSchema = {
      name: "outer",
      actions: {
        write(ctx) {
          runs += 1;
          return ctx.call("work.where");
        },
      },
    };
    const [caller, , vanishing] = await Promise.all([node(), node(outer), node(workService)]);
    await caller.waitForServices("outer", 30_000, 20);
    await until("the nested call succeeds", () => caller.call("outer.write"));
    runs = 0;
    await vanish(vanishing);
    const { error } = await attempt(caller, "outer.write");
    expect(isAway(error)).toBe(true);
    expect(runs).toBe(1);
  });

  it("carries requests and answers above the message limit of NATS, whole and in order", async () => {
    const echo: ServiceSchema = { name: "echo", actions: { back: (ctx) => ctx.params } };
    const [caller, other] = await Promise.all([node(), node(echo)]);
    await caller.waitForServices("echo", 30_000, 20);
    for (const broker of [caller, other]) limitMessages(broker, 64 * 1024);
    const texts = Array.from({ length: 5 }, (_, index) => `${index}é`.repeat(200_000 + index));
    const answers = await Promise.all(texts.map((text) => caller.call("echo.back", { text })));
    expect(answers.every((answer, index) => (answer as { text: string }).text === texts[index])).toBe(true);
  });
});

function limitMessages(broker: ServiceBroker, bytes: number): void {
  const info = transporterOf(broker).client?.info;
  if (!info) throw new Error("The broker is not connected.");
  info.max_payload = bytes;
}

/** Like a process that dies: NATS knows that it is gone, the others have had no word. */
async function vanish(broker: ServiceBroker): Promise<void> {
  await transporterOf(broker).client?.drain();
}

function transporterOf(broker: ServiceBroker): BusTransporter {
  const transporter = broker.transit?.tx;
  if (transporter instanceof BusTransporter) return transporter;
  throw new Error("The broker has no bus.");
}
