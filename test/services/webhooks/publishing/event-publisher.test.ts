import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { newUuid } from "../../../../base/values/ids.ts";
import { readEnv } from "../../../../config/env.ts";
import { writeEvents } from "../../../../engine/events/outbox.ts";
import { eventsWritten } from "../../../../engine/events/written.ts";
import { TEST_ENV } from "../../../../lab/harness/server-env.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import { brokerOptions } from "../../../../moleculer.config.ts";
import eventPublisherService from "../../../../services/webhooks/publishing/event-publisher.service.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { subscribe } from "../../../support/subscribers.ts";

let home: TestDatabase;
let world: World;
let acme: TestWorkspace;
let broker: ServiceBroker;
let told: string[];

beforeAll(async () => {
  home = await testDatabase();
  world = await startWorld(home.database);
  acme = await world.workspace();
  await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[{ eventType: "company.created" }]]);
  const env = readEnv(TEST_ENV);
  told = [];
  const note = (event: string) => () => {
    told.push(event);
  };
  broker = new ServiceBroker(brokerOptions(env));
  broker.createService(eventPublisherService({ database: home.database, env }));
  broker.createService({
    name: "listener",
    events: { "events.published": note("events.published"), "webhooks.due": note("webhooks.due") },
  });
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await world.stop();
  await home.drop();
});

async function write(type: "company.created" | "person.created"): Promise<void> {
  await writeEvents(home.database.read, acme.uuid, [{ type, recordId: newUuid(), body: {} }]);
  eventsWritten(home.database);
}

async function isPublished(count: number): Promise<boolean> {
  return (await home.database.read("select from events")).length === count;
}

it("readers are told of events, and senders when there is something to deliver", async () => {
  await write("person.created");
  await until("readers are told", () => told.length > 0);
  expect([told, await isPublished(1)]).toEqual([["events.published"], true]);
  await write("company.created");
  await until("senders are told", () => told.length === 3);
  expect([told, await isPublished(2)]).toEqual([["events.published", "events.published", "webhooks.due"], true]);
});

it("events are passed on after its stop by nobody, and none is lost", async () => {
  await broker.stop();
  await write("person.created");
  expect(await isPublished(2)).toBe(true);
  await broker.start();
  await until("it is passed on", () => isPublished(3));
});
