import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { createRepeats } from "../../bus/repeats.ts";
import { leaveWithoutDatabase } from "../../bus/without-database.ts";
import { until } from "../../lab/harness/until.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startChildNode, startNode } from "./nodes.ts";
import { workService } from "./work-service.ts";

// docs/decisions/0020-nodes-that-hang.md
describeBus("a node that hangs, or has lost its database", () => {
  let nats: NatsServer;
  let caller: ServiceBroker;
  const nodes: ServiceBroker[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    nats = await startNats();
    caller = await node();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await Promise.all(nodes.splice(0).map((one) => one.stop()));
    await nats.stop();
  });

  async function node(...services: Parameters<typeof startNode>[1][]): Promise<ServiceBroker> {
    const broker = await startNode(nats.url, ...services);
    nodes.push(broker);
    return broker;
  }
  async function child(): Promise<ChildProcess> {
    const started = await startChildNode(nats.url);
    children.push(started);
    return started;
  }
  const offering = (count: number) =>
    until(`${count} offer it`, () => caller.registry.actions.get("work.where")?.endpoints.length === count);

  it("costs no call that may run twice, gets hardly any, and comes back", async () => {
    const [stopped] = await Promise.all([child(), child()]);
    await offering(2);
    const where = () => createRepeats(caller).call<string>("work.where", {});
    const names = new Set<string>();
    await until("both have answered", async () => names.add(await where()).size === 2);

    process.kill(stopped.pid ?? 0, "SIGSTOP");
    let sent = 0;
    const answers: Promise<string>[] = [];
    while (sent < 60) {
      sent += 1;
      answers.push(where());
      await pause(50);
    }
    const [first, ...others] = new Set(await Promise.all(answers.slice(20)));
    expect(others).toEqual([]);
    await Promise.all(answers);
    expect(names).toContain(first);

    process.kill(stopped.pid ?? 0, "SIGCONT");
    const after = new Set<string>();
    await until("both answer again", async () => after.add(await where()).size === 2);
  });

  it("fails calls that may not run twice as soon as it is found to hang, when another node could have run them", async () => {
    const [stopped] = await Promise.all([child(), child()]);
    await offering(2);
    process.kill(stopped.pid ?? 0, "SIGSTOP");
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => caller.call("work.where")));
    const failed = results.filter(({ status }) => status === "rejected").map((one) => Reflect.get(one, "reason").type);
    // Half of them, and none by the time-out of calls.
    expect(failed).toEqual(["REQUEST_REJECTED", "REQUEST_REJECTED", "REQUEST_REJECTED"]);
  });

  it("keeps the calls that nobody else could run", async () => {
    const only = await child();
    await offering(1);
    const found = jest.spyOn(caller.logger, "warn");
    process.kill(only.pid ?? 0, "SIGSTOP");
    // With a time-out the call could fail because the machine stands still.
    const answer = caller.call("work.where", {}, { timeout: 0 });
    await until("the node is found to hang", () => found.mock.calls.some(([text]) => /hangs/.test(String(text))));
    process.kill(only.pid ?? 0, "SIGCONT");
    expect(await answer).toEqual(expect.any(String));
  });

  it("leaves the registries of the others while no connection to the database answers, and comes back", async () => {
    const [cut] = await Promise.all([node(workService), node(workService)]);
    await offering(2);
    let answeredAt = performance.now();
    let isAway = false;
    const check = async () => {
      if (isAway) throw new Error("away");
      answeredAt = performance.now();
    };
    const end = leaveWithoutDatabase(cut, { check, sinceAnswer: () => performance.now() - answeredAt });
    try {
      const options = { nodeID: cut.nodeID, timeout: 0 };
      const owed = caller.call("work.slow", { ms: 30_000 }, options).catch((error) => error.type);
      isAway = true;
      await offering(1);
      expect(await owed).toBe("REQUEST_REJECTED");
      expect(await caller.call("work.where")).not.toBe(cut.nodeID);
      // A newcomer asks all nodes who they are.
      const newcomer = await node();
      await until("it knows the other", () => newcomer.registry.actions.get("work.where")?.endpoints.length === 1);
      await pause(1_000);
      expect(newcomer.registry.actions.get("work.where")?.endpoints.length).toBe(1);
      isAway = false;
      await offering(2);
    } finally {
      end();
    }
  });
});
