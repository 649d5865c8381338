import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { newUuid } from "../../../../base/values/ids.ts";
import { readEnv } from "../../../../config/env.ts";
import { logAppended } from "../../../../engine/events/appended.ts";
import { TEST_ENV } from "../../../../lab/harness/server-env.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import { wakeAll } from "../../../../mixins/polling.mixin.ts";
import { brokerOptions } from "../../../../moleculer.config.ts";
import eventPublisherService from "../../../../services/webhooks/publishing/event-publisher.service.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { publish } from "../../../support/events.ts";
import { subscribe } from "../../../support/subscribers.ts";

let home: TestDatabase;
let world: World;
let acme: TestWorkspace;
let broker: ServiceBroker;
let told: number;

beforeAll(async () => {
  home = await testDatabase();
  world = await startWorld(home.database);
  acme = await world.workspace();
  await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[{ eventType: "company.created" }]]);
  const env = readEnv(TEST_ENV);
  broker = new ServiceBroker(brokerOptions(env));
  broker.createService(eventPublisherService({ database: home.database, env }));
  broker.createService({
    name: "listener",
    events: {
      "webhooks.due"() {
        told += 1;
      },
    },
  });
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await world.stop();
  await home.drop();
});

beforeEach(async () => {
  await home.database.read("delete from deliveries");
  told = 0;
});

const write = (type: "company.created" | "person.created") => publish(home.database, acme.uuid, [{ type }]);
const deliveries = async () => (await home.database.read("select from deliveries")).length;

async function isAtEnd(): Promise<boolean> {
  const rows = await home.database.read(
    "select from webhook_progress p where not exists (select from change_log l where l.workspace_id = p.workspace_id and l.seq > through)",
  );
  return rows.length === 1;
}

it("senders are told when there is something to deliver, and when there is nothing they are not", async () => {
  await write("person.created");
  logAppended(home.database, acme.uuid);
  await until("it is passed over", isAtEnd);
  expect([told, await deliveries()]).toEqual([0, 0]);
  await write("company.created");
  logAppended(home.database, acme.uuid);
  await until("senders are told", () => told > 0);
  expect([told, await deliveries()]).toEqual([1, 1]);
});

it("deliveries are made of what other processes have written, when they tell of it and when they do not", async () => {
  await write("company.created");
  wakeAll(broker, "log.appended", { workspaces: [newUuid(), acme.uuid] });
  await until("senders are told", () => told === 1);
  await write("company.created");
  await until("senders are told again", () => told === 2);
  expect(await deliveries()).toBe(2);
});

it("deliveries are made of what processes of the release before write", async () => {
  await home.database.read(
    `insert into outbox (workspace_id, id, type, record_id, body) values ($1, $2, 'company.created', $2, '{"groups":[]}')`,
    [acme.uuid, newUuid()],
  );
  await until("senders are told", () => told > 0);
  expect([await deliveries(), await home.database.read("select from outbox")]).toEqual([1, []]);
});

it("deliveries are made after its stop by nobody, and none is lost", async () => {
  await broker.stop();
  await write("company.created");
  logAppended(home.database, acme.uuid);
  wakeAll(broker, "log.appended", { workspaces: [acme.uuid] });
  expect(await deliveries()).toBe(0);
  await broker.start();
  await until("they are made", async () => (await deliveries()) === 1);
});
