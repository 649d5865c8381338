import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Middleware, ServiceBroker, type ServiceSchema } from "moleculer";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
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
    gateway = await start(["gateway", "ratelimit", "idempotency"], {}, port);
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
  async function start(folders: string[], change: object, port = 0): Promise<ServiceBroker> {
    const env = { ...readEnv({ ...TEST_ENV, NATS_URL: nats.url, NAMESPACE: "releases" }), port };
    const options = brokerOptions(env, { busSecret: await loadSecret(test.database, "bus") });
    const broker = new ServiceBroker({ ...options, middlewares: [released(change), ...(options.middlewares ?? [])] });
    await createServices(broker, folders, { env, database: test.database });
    await broker.start();
    nodes.push(broker);
    return broker;
  }
  /** Starts a node that checks API keys. Without it, the gateway refuses every request with 503. */
  const startKeys = () => start(["workspaces"], {});
  const older = () => start(["groups"], {});
  const newer = () => start(["groups"], { trimmedLength: { min: 5, max: 300 }, keywordOfLater: true });

  const knownTo = (count: number) =>
    until(`${count} offer groups`, () => gateway.registry.actions.get("groups.create")?.endpoints.length === count);
  const create = async (name: string, padding = "") => {
    const body = `${padding}${JSON.stringify({ name, visibility: "public" })}`;
    return (await api.request("POST", "/v1/groups", body)).status;
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
