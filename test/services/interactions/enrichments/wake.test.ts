import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Context, ServiceBroker } from "moleculer";
import { newUuid, toId } from "../../../../base/values/ids.ts";
import { createServices } from "../../../../cli/process.ts";
import { readEnv } from "../../../../config/env.ts";
import { TEST_ENV } from "../../../../lab/harness/server-env.ts";
import { startWorld, type World } from "../../../../lab/harness/world.ts";
import { brokerOptions } from "../../../../moleculer.config.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";

let test: TestDatabase;
let world: World;
let broker: ServiceBroker;
const events: (string | null)[] = [];

beforeAll(async () => {
  test = await testDatabase();
  world = await startWorld(test.database);
  const env = readEnv(TEST_ENV);
  broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, ["people", "interactions"], { env, database: test.database });
  broker.createService({
    name: "listener",
    events: {
      "enrichments.*"({ eventName }: Context) {
        events.push(eventName);
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

it("An enrichment that was made wakes those who work on them on all nodes, and one that was refused nobody", async () => {
  const { ada } = await world.workspace();
  const as = { meta: { caller: ada.caller } };
  const person = JSON.parse(await broker.call<string, object>("people.create", { body: {} }, as));
  await expect(broker.call("enrichments.create", { personId: toId("person", newUuid()) }, as)).rejects.toThrow(
    "no person",
  );
  expect(events).toEqual([]);
  await broker.call("enrichments.create", { personId: person.id }, as);
  expect(events).toEqual(["enrichments.due"]);
});
