import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { connect, type Msg, type NatsConnection } from "nats";
import { handlerOf } from "../../bus/proof-of-life.ts";
import type { BusTransporter } from "../../bus/transporter.ts";
import { until } from "../../lab/harness/until.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startChildNode, startNode } from "./nodes.ts";
import { workService } from "./work-service.ts";

// docs/guides/growing.md#the-bus
describeBus("A node that joins", () => {
  let nats: NatsServer;
  let stranger: NatsConnection;
  let child: ChildProcess | undefined;
  const nodes: ServiceBroker[] = [];
  const recorded: Pick<Msg, "subject" | "data">[] = [];

  beforeEach(async () => {
    nats = await startNats();
    stranger = await connect({ servers: nats.url });
    stranger.subscribe(">", {
      callback: (_error, { subject, data }) => recorded.push({ subject, data: Buffer.from(data) }),
    });
    await stranger.flush();
  });

  afterEach(async () => {
    child?.kill("SIGKILL");
    recorded.length = 0;
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    await stranger.close();
    await nats.stop();
  });

  async function join(...services: Parameters<typeof startNode>[1][]): Promise<ServiceBroker> {
    const node = await startNode(nats.url, ...services);
    nodes.push(node);
    return node;
  }
  const told = (command: string) => recorded.filter(({ subject }) => subject === `MOL-contact-workspace.${command}`);
  const others = (node: ServiceBroker) =>
    node.registry.getNodeList({ onlyAvailable: true }).filter(({ id }) => id !== node.nodeID);

  it("takes no member that has died for one that lives, whatever was recorded of it", async () => {
    child = await startChildNode(nats.url);
    await until("it has told of itself", () => told("INFO").length > 0 && told("HEARTBEAT").length > 0);
    child.kill("SIGKILL");
    await once(child, "exit");
    const ofTheDead = [...told("INFO"), ...told("HEARTBEAT")];

    const late = await join();
    const asked = recorded.length;
    for (const { subject, data } of ofTheDead) stranger.publish(subject, data);
    await until("it has asked the dead node", () => recorded.slice(asked).some(({ subject }) => /PING/.test(subject)));
    await stranger.flush();
    // Events that were published before are handled by the time that this one is known.
    await join(workService);
    await until("the living one is a member", () => others(late).length > 0);
    expect(others(late).map(({ id }) => id)).toEqual([nodes[1]?.nodeID]);
    expect(await late.call("work.where")).toBe(nodes[1]?.nodeID);
  });

  it("asks it with a number of its own, and takes no other answer for that", async () => {
    const asked: string[] = [];
    const broker = {
      nodeID: "asker",
      registry: { nodes: { get: () => undefined } },
      transit: { sendPing: (_nodeID: string, id: string) => asked.push(id) },
    };
    const taken: string[] = [];
    const handle = handlerOf(broker as never, async (command) => taken.push(command));
    const arrive = (command: string, payload: object) => handle(command, { payload } as never);
    await arrive("INFO", { sender: "other" });
    await arrive("PONG", { sender: "other", id: "of an earlier question" });
    await arrive("PONG", { sender: "third", id: asked[0] });
    expect(taken).toEqual(["PONG", "PONG"]);
    await arrive("PONG", { sender: "other", id: asked[0] });
    expect([asked.length, taken.at(-1)]).toEqual([1, "INFO"]);
  });

  it("takes no heartbeat that it has missed for a sign of life of a member that hangs", async () => {
    const asker = await join();
    const member = await join(workService);
    await until("it is a member", () => others(asker).length === 1);
    const node = asker.registry.nodes.get(member.nodeID);
    const { transit } = member;
    const client = (transit?.tx as BusTransporter | undefined)?.client;
    if (!node || !transit || !client) throw new Error("There is no member");
    const silentFor = (seconds: number) => {
      node.lastHeartbeatTime = Math.round(process.uptime()) - seconds;
      return node.lastHeartbeatTime;
    };
    // Moleculer counts in seconds of this clock. Nothing becomes late while the machine stands still.
    const uptime = jest.spyOn(process, "uptime").mockReturnValue(Math.round(process.uptime()));
    /** Somebody has a heartbeat of the member that nobody else got, and publishes it. */
    const publishMissed = async () => {
      const publish = jest.spyOn(client, "publish").mockReturnValue();
      await transit.discoverer.sendHeartbeat();
      const [[subject, data] = [""]] = publish.mock.calls;
      publish.mockRestore();
      stranger.publish(subject, data);
      await stranger.flush();
    };
    const asks = () => told(`PING.${member.nodeID}`).length;

    transit.discoverer.stopHeartbeatTimers();
    const before = asks();
    const inTime = silentFor(6);
    await publishMissed();
    await until("one that comes in time is taken", () => node.lastHeartbeatTime > inTime);
    expect(asks()).toBe(before);

    const hung = jest.spyOn(transit, "sendPong").mockResolvedValue();
    const late = silentFor(9);
    await publishMissed();
    await until("one that is late is doubted, and the member asked", () => asks() > before);
    await until("the question has come", () => hung.mock.calls.length > 0);
    expect(node.lastHeartbeatTime).toBe(late);

    hung.mockRestore();
    await publishMissed();
    await until("it answers, and is kept", () => node.lastHeartbeatTime > late);
    uptime.mockRestore();
  });

  it("takes a member that hung back when it goes on", async () => {
    const asker = await join();
    child = await startChildNode(nats.url);
    await until("it is a member", () => others(asker).length === 1);
    const [{ id = "" } = {}] = others(asker);
    asker.transit?.discoverer.remoteNodeDisconnected(id, true);
    expect(others(asker)).toEqual([]);
    await until("its next heartbeat has made it one again", () => others(asker).length === 1);
    expect(await asker.call("work.where")).toBe(id);
  });
});
