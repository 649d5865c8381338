import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Context, ServiceBroker, type ServiceSchema } from "moleculer";
import { connect, ErrorCode, type NatsError } from "nats";
import { type Entry, entryOfRequest, entryOfResponse, readBundle, writeBundle } from "../../bus/bundles.ts";
import { readEnv } from "../../config/env.ts";
import { until } from "../../lab/harness/until.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { BUS_SECRET, startNode } from "./nodes.ts";
import { SinglePackets } from "./single-packets.ts";

const LONG = JSON.stringify({ name: "x".repeat(200) });
const CALLS = 20;

describe("A bundle", () => {
  const received = (...entries: Entry[]) => readBundle(writeBundle("5", "node-1", entries));
  const answer = (data: unknown) => entryOfResponse({ id: "1", success: true, data } as never);

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a number", 1],
    ["a short text", "short"],
    ["a long text", LONG],
    ["a text in several alphabets", "Ωمرحبا 👋".repeat(50)],
    ["half of a surrogate pair", `${"x".repeat(200)}\ud83d`],
    ["a page", { items: LONG, next: null }],
    ["an empty page", { items: "[]", next: null }],
    ["a saved response", { status: 200, body: LONG, fingerprint: "f" }],
    ["a list of texts", [LONG, LONG]],
  ])("brings %s as it was", (_, data) => {
    const [first, second] = received(answer(data), answer("the next")) as { data?: unknown }[];
    expect(first).toMatchObject({ ver: "5", sender: "node-1", id: "1", success: true });
    expect(first?.data).toEqual(data);
    expect(Object.keys(first?.data ?? {})).toEqual(Object.keys(data ?? {}));
    expect(second?.data).toBe("the next");
  });

  it("has the text of a result as it is, and not escaped in JSON", () => {
    expect(writeBundle("5", "node-1", [answer({ items: LONG, next: null })]).includes(LONG)).toBe(true);
  });

  it("brings a call with all that an action reads of it, as it was when it was made", () => {
    const payload = {
      id: "1",
      action: "people.find",
      params: { id: "a" },
      meta: { caller: { userId: "u" } },
      headers: { "x-mark": 1 },
      timeout: 8000,
      level: 2,
      tracing: true,
      parentID: "p",
      requestID: "r",
      caller: "people.list",
      stream: false,
      ver: "5",
      sender: "node-1",
    };
    const entry = entryOfRequest(payload);
    const { stream: _, ...expected } = structuredClone(payload);
    payload.params.id = "b";
    expect(received(entry)).toEqual([expected]);
  });

  it("brings errors, and what else the head of an answer has", () => {
    const error = { name: "ApiError", message: "no", code: 404 };
    const entry = entryOfResponse({ id: "1", success: false, data: null, error, headers: { a: 1 } } as never);
    expect(received(entry)).toEqual([
      { ver: "5", sender: "node-1", id: "1", success: false, data: null, error, headers: { a: 1 } },
    ]);
  });
});

// docs/guides/growing.md#the-bus, docs/guides/upgrading.md#several-processes
describeBus("Calls and answers of one turn", () => {
  let nats: NatsServer;
  const nodes: ServiceBroker[] = [];

  beforeEach(async () => {
    nats = await startNats();
  });

  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    await nats.stop();
  });

  /** A service that tells its name and gives back what it is given. */
  const echo = (name: string): ServiceSchema => ({
    name,
    actions: { echo: (ctx: Context<{ text: string }>) => ({ name, text: ctx.params.text }) },
  });

  async function node(name: string): Promise<ServiceBroker> {
    const broker = await startNode(nats.url, echo(name));
    nodes.push(broker);
    return broker;
  }

  /** A node of a release that neither sends nor reads bundles. */
  async function olderNode(name: string): Promise<ServiceBroker> {
    const options = brokerOptions(readEnv({ NATS_URL: nats.url, LOG_LEVEL: "fatal" }), { busSecret: BUS_SECRET });
    const transporter = new SinglePackets(nats.url, BUS_SECRET);
    const broker = new ServiceBroker({ ...options, nodeID: `${name}-node`, metadata: {}, transporter });
    broker.createService(echo(name));
    await broker.start();
    nodes.push(broker);
    return broker;
  }

  /** Calls an action many times in one turn. */
  async function callMany(caller: ServiceBroker, name: string): Promise<void> {
    const texts = Array.from({ length: CALLS }, (_, i) => `${LONG} ${i}`);
    const answers = await Promise.all(texts.map((text) => caller.call(`${name}.echo`, { text })));
    expect(answers).toEqual(texts.map((text) => ({ name, text })));
  }

  /** The number of messages with calls and with answers that cross the bus meanwhile. */
  async function messagesOf(caller: ServiceBroker, name: string) {
    await caller.waitForServices(name, 10_000, 20);
    const stranger = await connect({ servers: nats.url });
    const kinds: string[] = [];
    stranger.subscribe(">", { callback: (_error, { subject }) => void kinds.push(subject.split(".")[1] ?? "") });
    await stranger.flush();
    await callMany(caller, name);
    await stranger.flush();
    await stranger.close();
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    return { calls: count("REQ"), answers: count("RES") };
  }

  /** Whether NATS has noticed that the receiver closed its connection. Until then it accepts messages and loses them. */
  async function hasNoReceiver(subject: string): Promise<boolean> {
    const stranger = await connect({ servers: nats.url });
    const answer = stranger.request(subject, undefined, { timeout: 200 });
    const failure = await answer.then(
      () => null,
      (error: NatsError) => error,
    );
    await stranger.close();
    return failure?.code === ErrorCode.NoResponders;
  }

  it("are one message each way", async () => {
    const [caller] = await Promise.all([node("first"), node("second")]);
    expect(await messagesOf(caller, "second")).toEqual({ calls: 1, answers: 1 });
  });

  it("are single messages to and from a node of an older release, both ways", async () => {
    const [newer, older] = await Promise.all([node("newer"), olderNode("older")]);
    expect(await messagesOf(newer, "older")).toEqual({ calls: CALLS, answers: CALLS });
    expect(await messagesOf(older, "newer")).toEqual({ calls: CALLS, answers: CALLS });
  });

  it("fail one by one when they cannot be sent", async () => {
    const [caller] = await Promise.all([node("first"), node("second")]);
    await caller.waitForServices("second", 10_000, 20);
    const texts = ["a", 1n, "b"];
    const outcomes = await Promise.allSettled(texts.map((text) => caller.call("second.echo", { text })));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("are all made again on another node when theirs has gone without a word", async () => {
    const [caller, gone] = [await node("caller"), await node("worker")];
    await node("worker");
    await until("both are known", () => caller.registry.actions.get("worker.echo")?.endpoints.length === 2);
    // Its subscriptions end, and the registry of the caller still has it.
    await gone.transit?.tx.disconnect();
    await until("NATS knows that it is gone", () => hasNoReceiver(`${gone.transit?.tx.prefix}.ALIVE.${gone.nodeID}`));
    await callMany(caller, "worker");
  });
});
