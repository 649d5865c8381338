import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { connect, type Msg, type NatsConnection } from "nats";
import { createPacketSeal } from "../../bus/seal.ts";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { hashOf } from "../../engine/secrets/api-keys.ts";
import { loadSecret } from "../../engine/secrets/shared-secret.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type Client, client } from "../support/client.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";

const NAMESPACE = "sealed";
const GATEWAY = ["gateway", "ratelimit", "idempotency"];
const WORK = ["groups", "people", "webhooks", "workspaces"];
const WEBHOOK = {
  name: "Mine",
  targetUrl: "https://receiver.invalid/in",
  subscribedEvents: [{ eventType: "person.created" }],
};

interface Sniffed {
  subject: string;
  reply: string | undefined;
  data: Buffer;
}

// Two nodes, and somebody who reaches NATS but not the database. docs/guides/growing.md#the-bus
describeBus("The bus", () => {
  let nats: NatsServer;
  let test: TestDatabase;
  let world: World;
  let workspace: TestWorkspace;
  let stranger: NatsConnection;
  let api: Client;
  let apiOf: (key: string) => Client;
  const nodes: ServiceBroker[] = [];
  const sniffed: Sniffed[] = [];
  const told: string[] = [];

  beforeAll(async () => {
    [nats, test] = await Promise.all([startNats(), testDatabase()]);
    world = await startWorld(test.database);
    workspace = await world.workspace();
    stranger = await connect({ servers: nats.url });
    stranger.subscribe(">", {
      callback: (_error, { subject, reply, data }: Msg) => sniffed.push({ subject, reply, data: Buffer.from(data) }),
    });
    const port = await freePort();
    nodes.push(await startNode(GATEWAY, port), await startNode(WORK, port));
    await gateway().waitForServices(["keys", "people", "webhooks"], 10_000, 20);
    const { database } = test;
    const server = { base: `http://127.0.0.1:${port}`, publicUrl: TEST_ENV.PUBLIC_URL, database, stop: world.stop };
    apiOf = (key) => client(server, key);
    api = apiOf(workspace.ada.key);
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await stranger?.close();
    await world?.stop();
    await nats?.stop();
    await test?.drop();
  });

  const gateway = () => nodes[0] as ServiceBroker;
  const worker = () => nodes[1] as ServiceBroker;

  async function startNode(folders: string[], port: number): Promise<ServiceBroker> {
    const env = { ...readEnv({ ...TEST_ENV, NATS_URL: nats.url, NAMESPACE, LOG_LEVEL: "warn" }), port };
    const busSecret = await loadSecret(test.database, "bus");
    const log = (_level: string, _module: string, parts: unknown[]) => void told.push(parts.join(" "));
    const broker = new ServiceBroker(brokerOptions(env, { log, busSecret }));
    await createServices(broker, folders, { env, database: test.database });
    await broker.start();
    return broker;
  }

  const createKey = () =>
    gateway().call<{ id: string; key: string }, object>("keys.create", {
      workspace: workspace.slug,
      email: workspace.ada.email,
    });
  const keyCount = async () => (await test.database.read("select from api_keys")).length;

  /** Returns when all that was published before has been received and answered. */
  async function settled(): Promise<void> {
    await stranger.flush();
    for (let i = 0; i < 3; i++) await gateway().call("keys.list", { workspace: workspace.slug });
  }

  /** A request as Moleculer sends one, from a node that nobody knows. */
  function forged(action: string, params: object, caller?: object) {
    const id = randomUUID();
    const meta = caller ? { caller } : {};
    const packet = {
      ver: "5",
      sender: "stranger",
      id,
      action,
      params,
      meta,
      timeout: 5000,
      level: 1,
      requestID: id,
      stream: false,
    };
    return Buffer.from(JSON.stringify(packet));
  }

  it("shows nobody a key, its hash, a signing secret or any other text of a packet", async () => {
    const { key } = await createKey();
    const made = (await api.post("/v1/webhooks", WEBHOOK)).data;
    const headers = { "Idempotency-Key": randomUUID() };
    const rotate = () => api.post(`/v1/webhooks/${made.id}/rotate-secret`, undefined, headers);
    const rotated = (await rotate()).data;
    // The second answer is the saved one.
    const again = await rotate();
    expect([again.headers["idempotent-replayed"], again.data]).toEqual(["true", rotated]);
    const secrets = [key, workspace.ada.key, made.signingSecret, rotated.signingSecret] as string[];
    expect(secrets.every((secret) => secret?.length > 20)).toBe(true);
    await settled();

    const kinds = new Set(sniffed.map(({ subject }) => subject.split(".")[1]));
    expect([...kinds]).toEqual(expect.arrayContaining(["INFO", "REQ", "RES", "DISCOVER"]));
    const words = [
      ...secrets,
      ...secrets.map((secret) => hashOf(secret).toString("hex")),
      workspace.ada.email,
      "keys.create",
      '"ver"',
    ];
    const shown = sniffed.filter(({ data }) => words.some((word) => data.includes(word)));
    expect(shown.map(({ subject }) => subject)).toEqual([]);
  });

  it("asks for keys by their hash, and not at all for what is no key", async () => {
    const { key } = await createKey();
    const mistyped = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const calls = jest.spyOn(gateway(), "call");
    const asked = () => calls.mock.calls.flatMap(([action, params]) => (action === "keys.identify" ? [params] : []));
    expect((await apiOf(mistyped).get("/v1/users/me")).status).toBe(401);
    expect(asked()).toEqual([]);
    expect((await apiOf(key).get("/v1/users/me")).status).toBe(200);
    expect(asked()).toEqual([{ hash: hashOf(key).toString("hex") }]);
    calls.mockRestore();
  });

  it("takes no request of somebody without the secret: no administration, and nothing in the name of a made-up caller", async () => {
    const before = await keyCount();
    const answers: Msg[] = [];
    stranger.subscribe(`MOL-${NAMESPACE}.RES.stranger`, { callback: (_error, message) => answers.push(message) });
    const subject = `MOL-${NAMESPACE}.REQ.${worker().nodeID}`;
    const requests = [
      forged("keys.create", { workspace: workspace.slug, email: workspace.ada.email }),
      forged("people.list", { limit: 20 }, workspace.ada.caller),
    ];
    const unknown = createPacketSeal(Buffer.alloc(32));
    for (const packet of requests) {
      stranger.publish(subject, packet, { reply: "somewhere" });
      stranger.publish(subject, unknown.seal(subject, packet));
    }
    await settled();
    expect(await keyCount()).toBe(before);
    expect(answers).toEqual([]);
    expect(told.filter((line) => line.includes(`on ${subject}`))).toEqual([
      expect.stringMatching(/^Dropped 1 messages of NATS/),
    ]);

    // With the secret the same packets are requests like others.
    const known = createPacketSeal(await loadSecret(test.database, "bus"));
    for (const packet of requests) stranger.publish(subject, known.seal(subject, packet));
    await until("both are answered", () => answers.length === 2);
    expect(await keyCount()).toBe(before + 1);
  });

  it("takes no packet twice, and none that was sent to another node", async () => {
    sniffed.length = 0;
    await createKey();
    await settled();
    const before = await keyCount();
    const recorded = sniffed.splice(0);
    expect(recorded.length).toBeGreaterThan(5);
    const other = `MOL-${NAMESPACE}.REQ.${gateway().nodeID}`;
    for (const { subject, reply, data } of recorded) {
      stranger.publish(subject, data, reply ? { reply } : {});
      stranger.publish(other, data);
    }
    await settled();
    expect(await keyCount()).toBe(before);
    expect(gateway().registry.getNodeList({ onlyAvailable: true })).toHaveLength(2);
  });
});
