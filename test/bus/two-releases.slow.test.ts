import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Middleware, ServiceBroker, type ServiceSchema } from "moleculer";
import { followReleases, runningReleases } from "../../bus/releases.ts";
import { BusTransporter } from "../../bus/transporter.ts";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { release } from "../../config/release.ts";
import { loadSecret } from "../../engine/secrets/shared-secret.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type Assistant, assistant } from "../support/assistant.ts";
import { type Client, client } from "../support/client.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";

/** Names that one of the releases takes alone, and one that both take. */
const [LONG, SHORT, USUAL] = ["x".repeat(280), "abc", "Sales team"];
/** The release of the newer nodes. */
const NEWER = `${release()}1`;
/** More blanks than a body may have that the gateway reads itself. */
const PADDING = " ".repeat(70_000);

// docs/guides/upgrading.md#several-processes
describeBus("Two releases on one bus", () => {
  let nats: NatsServer;
  let test: TestDatabase;
  let world: World;
  let api: Client;
  let brief: Assistant;
  let verbose: Assistant;
  let gateway: ServiceBroker;
  const nodes: ServiceBroker[] = [];

  beforeAll(async () => {
    [nats, test] = await Promise.all([startNats(), testDatabase()]);
    world = await startWorld(test.database);
    const workspace = await world.workspace();
    const port = await freePort();
    gateway = await start(["gateway", "ratelimit", "idempotency"], {}, { port });
    await startKeys();
    await gateway.waitForServices("keys", 20_000, 20);
    const base = `http://127.0.0.1:${port}`;
    const server = { base, publicUrl: TEST_ENV.PUBLIC_URL, database: test.database, stop: world.stop };
    const { key } = workspace.ada;
    api = client(server, key);
    brief = await assistant(server, key);
    verbose = await assistant(server, key, { padding: PADDING.length });
  });

  afterAll(async () => {
    await brief?.close();
    await verbose?.close();
    await Promise.all(nodes.map((node) => node.stop()));
    await world?.stop();
    await nats?.stop();
    await test?.drop();
  });

  /** A node whose release takes other names of groups, and knows a keyword that the gateway does not know. */
  async function start(
    folders: string[],
    change: object,
    { port = 0, version = release() }: { port?: number; version?: string } = {},
  ): Promise<ServiceBroker> {
    const env = { ...readEnv({ ...TEST_ENV, NATS_URL: nats.url, NAMESPACE: "releases" }), port };
    const options = brokerOptions(env, { busSecret: await loadSecret(test.database, "bus") });
    const middlewares = [released(change), ...(options.middlewares ?? [])];
    const broker = new ServiceBroker({ ...options, metadata: { release: version }, middlewares });
    await createServices(broker, folders, { env, database: test.database });
    await broker.start();
    nodes.push(broker);
    return broker;
  }
  /** Starts a node that checks API keys. Without it, the gateway refuses every request with 503. */
  const startKeys = () => start(["workspaces"], {});
  const older = () => start(["groups"], {});
  const newer = () =>
    start(["groups"], { trimmedLength: { min: 5, max: 300 }, keywordOfLater: true }, { version: NEWER });
  /** Ends a node as a process that is killed: it says nothing to the others. */
  async function die(node: ServiceBroker): Promise<void> {
    const transporter = node.transit?.tx;
    if (transporter instanceof BusTransporter) await transporter.client?.close();
  }

  const knownTo = (count: number) =>
    until(`${count} offer groups`, () => gateway.registry.actions.get("groups.create")?.endpoints.length === count);
  const create = async (name: string, padding = "", headers = {}) => {
    const body = `${padding}${JSON.stringify({ name, visibility: "public" })}`;
    return (await api.request("POST", "/v1/groups", body, headers)).status;
  };
  const call = async (name: string, padding = "") => {
    const { isError } = await (padding ? verbose : brief).call("create_group", { name, visibility: "public" });
    return isError ? 422 : 200;
  };
  /** What becomes of the three names, whatever way they come, and whichever node is asked. */
  async function answers(): Promise<number[][]> {
    const made: number[][] = [];
    for (const make of [create, create, create, create, call, call]) {
      const [padding] = [made.length % 2 ? PADDING : ""];
      made.push([await make(LONG, padding), await make(SHORT, padding), await make(USUAL, padding)]);
    }
    return made;
  }
  const all = (statuses: number[]) => Array.from({ length: 6 }, () => statuses);

  it("take what either of them takes, and what the new one takes as soon as it is alone", async () => {
    const first = await older();
    await knownTo(1);
    expect(await answers()).toEqual(all([422, 200, 200]));
    const second = await newer();
    await knownTo(2);
    expect(await answers()).toEqual(all([200, 200, 200]));
    await first.stop();
    await knownTo(1);
    expect(await answers()).toEqual(all([200, 422, 200]));
    await second.stop();
    await knownTo(0);
    expect(await create(USUAL)).toBe(503);
    // A request is judged as the last of them judged it, also while none is there.
    expect(await create(SHORT)).toBe(422);
  });

  it("say which releases run when a second one comes, and when one is left", async () => {
    const told: string[] = [];
    await until("one runs", () => runningReleases(gateway).length === 1);
    followReleases(gateway, (message) => told.push(message));
    const ofNewer = [await newer(), await newer()];
    await until("the second is told of", () => told.length > 0);
    await until("both of it are known", () => runningReleases(gateway)[1]?.count === 2);
    expect(runningReleases(gateway)).toEqual([
      { release: release(), count: 2 },
      { release: NEWER, count: 2 },
    ]);
    await ofNewer[0]?.stop();
    await until("one is gone", () => runningReleases(gateway)[1]?.count === 1);
    await ofNewer[1]?.stop();
    await until("the first is alone", () => told.length > 1);
    expect(told).toEqual([
      expect.stringMatching(/^Two releases run: \d+\.\d+\.\d+ \(2 processes\), \d+\.\d+\.\d+ \([12]\)\.$/),
      `All processes run ${release()} now.`,
    ]);
  });

  it("are judged by the schema of most nodes first, and by a gateway of the newest release by that of its own", async () => {
    const started = [await older(), await older(), await newer()];
    await knownTo(3);
    expect(await longest()).toBe(255);
    gateway.metadata.release = NEWER;
    started.push(await older());
    await knownTo(4);
    expect(await longest()).toBe(300);
    gateway.metadata.release = release();
    await Promise.all(started.map((node) => node.stop()));
    await knownTo(0);

    /** Longest name that the first schema takes: it refuses one that both refuse. */
    async function longest(): Promise<number> {
      const { error } = await api.post("/v1/groups", { name: "x".repeat(310), visibility: "public" });
      return Number(/at most (\d+)/.exec(JSON.stringify(error))?.[1]);
    }
  });

  it("take only what the new one takes as soon as the last old node has died, without a word", async () => {
    const [first, second] = [await older(), await newer()];
    await knownTo(2);
    expect([await create(LONG), await create(SHORT)]).toEqual([200, 200]);
    await die(first);
    // The first call to the dead node finds it gone, and goes to the other. NATS may have taken it before it knew of the
    // death: then it may have run, and only its key lets it go to the other.
    expect(await create(SHORT, "", { "Idempotency-Key": randomUUID() })).toBe(422);
    await knownTo(1);
    expect(await answers()).toEqual(all([200, 422, 200]));
    await second.stop();
    await knownTo(0);
  });
});

/** Changes what the release of a node takes as the name of a group. */
function released(change: object): Middleware {
  return {
    name: "Released",
    serviceCreating(_service: unknown, { name, actions }: ServiceSchema): void {
      const { create } = (actions ?? {}) as { create?: { params: object } };
      if (name !== "groups" || !create) return;
      const params = JSON.parse(JSON.stringify(create.params));
      Object.assign(params.properties.body.properties.name, change);
      create.params = params;
    },
  } as Middleware;
}
