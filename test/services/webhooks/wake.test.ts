import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Context, ServiceBroker } from "moleculer";
import { newUuid, toId } from "../../../base/values/ids.ts";
import { createServices } from "../../../cli/process.ts";
import { readEnv } from "../../../config/env.ts";
import { TEST_ENV } from "../../../lab/harness/server-env.ts";
import { startWorld, type World } from "../../../lab/harness/world.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

let test: TestDatabase;
let world: World;
let broker: ServiceBroker;
const events: string[] = [];

beforeAll(async () => {
  test = await testDatabase();
  world = await startWorld(test.database);
  const env = readEnv(TEST_ENV);
  broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, ["webhooks"], { env, database: test.database });
  broker.createService({
    name: "listener",
    events: {
      "webhooks.*"({ eventName }: Context) {
        if (eventName) events.push(eventName);
      },
    },
  });
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await world.stop();
  await test.drop();
});

it("What is to be sent wakes those who send on all nodes, and what was refused nobody", async () => {
  const { ada } = await world.workspace();
  const as = { meta: { caller: ada.caller } };
  const call = (action: string, params: object) => broker.call<string, object>(action, params, as);
  const body = {
    name: "Mine",
    targetUrl: "https://receiver.invalid/",
    subscribedEvents: [{ eventType: "note.created" }],
  };
  const { id: webhookId } = JSON.parse(await call("webhooks.create", { body }));
  await expect(call("deliveries.test", { webhookId: toId("webhook", newUuid()) })).rejects.toThrow("no webhook");
  expect(events).toEqual([]);
  const { id: deliveryId } = JSON.parse(await call("deliveries.test", { webhookId }));
  expect(events).toEqual(["webhooks.due"]);
  await call("deliveries.replay", { webhookId, deliveryId });
  await call("deliveries.replaySince", { webhookId, body: { since: "2026-01-01" } });
  await call("webhooks-admin.test", { webhookId });
  expect(events).toEqual(Array(4).fill("webhooks.due"));
});
