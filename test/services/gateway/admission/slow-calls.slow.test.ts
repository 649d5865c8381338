import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Database } from "../../../../database/database.ts";
import { startWorld, type World } from "../../../../lab/harness/world.ts";
import { type Client, client } from "../../../support/client.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

// A key that takes 5 s to be looked up, and 6 s for the work itself, are within the time of a call each, and together
// longer than that of a request (docs/guides/under-load.md).
const KEY_MS = 5000;
const WORK_MS = 6000;

let server: TestServer;
let world: World;
let api: Client;
let isSlow = false;

function slowed(database: Database): Database {
  const slowly = async <Result>(ms: number, work: () => Promise<Result>) => {
    if (isSlow) await pause(ms);
    return work();
  };
  return {
    ...database,
    read: (sql, values, form) =>
      slowly(sql.includes("from api_keys") ? KEY_MS : 0, () => database.read(sql, values, form)),
    sharedConnection: (name) => ({
      read: (sql, values, form) => slowly(WORK_MS, () => database.sharedConnection(name).read(sql, values, form)),
    }),
    transaction: (work, options) => slowly(WORK_MS, () => database.transaction(work, options)),
  };
}

beforeAll(async () => {
  server = await startProcess({ wrap: slowed });
  world = await startWorld(server.database);
  const { user, ada } = await world.workspace();
  // Definitions are known already, and this key is not.
  expect((await client(server, ada.key).get("/v1/people")).status).toBe(200);
  api = client(server, (await user("Bob Stone")).key);
});

afterAll(async () => {
  isSlow = false;
  await world?.stop();
  await server?.stop();
});

it("what was used to find out who asks is not there for the action: each request is 503 in time", async () => {
  isSlow = true;
  const answers = await Promise.all([api.get("/v1/people"), api.post("/v1/people", {})]);
  expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
    [503, "SERVICE_UNAVAILABLE"],
    [503, "SERVICE_UNAVAILABLE"],
  ]);
});
