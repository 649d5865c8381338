import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { isOfThisRelease } from "../../base/contract/validate.ts";
import { isJsonSchema } from "../../bus/validator.ts";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

interface Announced {
  actions: Record<string, { params?: unknown }>;
}

let test: TestDatabase;
let broker: ServiceBroker;

beforeAll(async () => {
  test = await testDatabase();
  const env = readEnv(TEST_ENV);
  broker = new ServiceBroker(brokerOptions(env));
  const folders = serviceFolders().filter((folder) => folder !== "gateway");
  await createServices(broker, folders, { env, database: test.database });
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await test.drop();
});

// The gateway judges requests by what the others announce. Moleculer drops an object that it has met before
// (bus/whole-schemas.ts), so a schema that shares a part with another one would come along with a hole.
it("every node announces the schemas of its actions whole", () => {
  // Moleculer's type has a list of one service.
  const services = broker.registry.getLocalNodeInfo(true).services as unknown as Announced[];
  const announced = new Map(
    services.flatMap(({ actions }) => Object.entries(actions).map(([name, { params }]) => [name, params] as const)),
  );
  let count = 0;
  for (const { name, schema } of broker.services) {
    for (const [action, definition] of Object.entries(schema.actions ?? {})) {
      if (typeof definition !== "object" || !definition.params) continue;
      expect([action, announced.get(`${name}.${action}`)]).toEqual([
        action,
        JSON.parse(JSON.stringify(definition.params)),
      ]);
      if (!isJsonSchema(definition.params)) continue;
      // A typing error in a schema of this release would pass for a keyword of a later one.
      expect([action, isOfThisRelease(definition.params)]).toEqual([action, true]);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(30);
});

it("no node announces the schemas of results, which no other node reads", () => {
  const services = broker.registry.getLocalNodeInfo(true).services as unknown as Announced[];
  const announced = services.flatMap(({ actions }) => Object.entries(actions));
  expect(announced.filter(([, action]) => "returns" in action).map(([name]) => name)).toEqual([]);
});
