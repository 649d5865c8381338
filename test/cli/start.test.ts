import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../lab/harness/free-port.ts";
import { startNats } from "../../lab/harness/nats-server.ts";
import { type ServerProcess, spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

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

test("answers everything but probes with 503 in the usual form while it waits for its database", async () => {
  const own = await freePort();
  start({
    PORT: String(own),
    DATABASE_URL: `postgresql://nobody@127.0.0.1:1/x`,
    PUBLIC_URL: "https://c.test",
  });
  const ask = (path: string, request: RequestInit = {}) => fetch(`http://127.0.0.1:${own}${path}`, request);
  await until(
    "it listens",
    () =>
      ask("/livez").then(
        ({ status }) => status === 200,
        () => false,
      ),
    60_000,
  );
  expect(await (await ask("/readyz")).text()).toBe("starting\n");
  expect((await ask("/readyz")).status).toBe(503);
  const body = "x".repeat(1_000_000);
  const requests: [string, RequestInit][] = [
    ["/v1/people", {}],
    ["/v1/people", { method: "POST", body }],
    ["/v1/nothing?x=1", { method: "DELETE" }],
    ["/mcp", { method: "POST", body: "{}" }],
    ["/", {}],
    ["/docs", { headers: { Accept: "text/html" } }],
  ];
  for (const [path, request] of requests) {
    const answer = await ask(path, request);
    const { error } = (await answer.json()) as { error: Record<string, string> };
    const { headers } = answer;
    expect([path, answer.status, error.code, headers.get("retry-after")]).toEqual([
      path,
      503,
      "SERVICE_UNAVAILABLE",
      "1",
    ]);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-api-version")).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(headers.get("x-request-id")).toBe(error.requestId);
    expect(error.documentationUrl).toBe("https://c.test/docs/errors#service-unavailable");
  }
  const head = await ask("/v1/people", { method: "HEAD" });
  expect([head.status, head.headers.get("retry-after"), await head.text()]).toEqual([503, "1", ""]);
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
    /^HOST is "203\.0\.113\.9", which is not an address of this machine/m,
  ],
  ["a name that is none", () => ({ HOST: "nobody.invalid" }), /^HOST is "nobody\.invalid", which is not an address/m],
])("ends with a line that names the variable: %s", async (_what, variables, message) => {
  await expect(start(variables()).ready).rejects.toThrow(message);
});
