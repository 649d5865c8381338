import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { startNats } from "../support/nats-server.ts";
import { type ServerProcess, spawnServer } from "../support/server-process.ts";

/** What a start says of itself. docs/guides/running.md#starting */
let database: TestDatabase;
let taken: Server;
let port = "";

beforeAll(async () => {
  database = await testDatabase();
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  port = String(typeof address === "object" ? address?.port : "");
});
afterAll(async () => {
  await new Promise((resolve) => taken.close(resolve));
  await database.drop();
});

let started: ServerProcess[] = [];
const start = (variables: Record<string, string>) => {
  const server = spawnServer("a start", { DATABASE_URL: database.url, LOG_LEVEL: "fatal", ...variables });
  started.push(server);
  return server;
};
afterEach(async () => {
  for (const server of started) await server.end();
  started = [];
});

test("a process of some services says the same line as one of all", async () => {
  const nats = await startNats();
  const server = start({ SERVICES: "groups", NATS_URL: nats.url, PUBLIC_URL: "https://contacts.example.test" });
  expect(await server.ready).toBe("ready https://contacts.example.test");
  await server.end();
  await nats.stop();
});

test.each([
  ["a port that is taken", () => ({ PORT: port }), / is in use: .* set PORT to another one\./],
  [
    "a metrics port that is taken",
    () => ({ SERVICES: "groups", NATS_URL: "nats://127.0.0.1:1", METRICS_PORT: port }),
    / set METRICS_PORT to another one\./,
  ],
  [
    "an address of another machine",
    () => ({ HOST: "203.0.113.9" }),
    /^HOST is "203\.0\.113\.9", which is no address of this machine/m,
  ],
  ["a name that is none", () => ({ HOST: "nobody.invalid" }), /^HOST is "nobody\.invalid", which is no address/m],
])("ends with a line that names the variable: %s", async (_what, variables, message) => {
  await expect(start(variables()).ready).rejects.toThrow(message);
});
