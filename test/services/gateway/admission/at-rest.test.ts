import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import fc from "fast-check";
import { gaugesText } from "../../../../base/budgets/gauges.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestUser, type World } from "../../../../lab/harness/world.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

/** What one client sends, as far as it gets before it goes away. */
const ASKS = {
  "a list": (head: string) => `GET /v1/people?limit=100 HTTP/1.1\r\n${head}\r\n`,
  "a filter": (head: string) => `GET /v1/people?filter[fullName][like]=a HTTP/1.1\r\n${head}\r\n`,
  "a write": (head: string) => withBody(head, "POST /v1/people", '{"firstName":"Ada"}'),
  "a batch": (head: string) => withBody(head, "POST /v1/people/batch/create", '{"records":[{"firstName":"Ada"},{}]}'),
  "a large body": (head: string) => withBody(head, "POST /v1/people", `{"description":"${"x".repeat(300_000)}"}`),
  "no JSON": (head: string) => withBody(head, "PATCH /v1/people/nobody", '{"firstName":'),
  "an unknown path": (head: string) => `GET /v1/nothing HTTP/1.1\r\n${head}\r\n`,
  "no key": () => "GET /v1/people HTTP/1.1\r\nHost: x\r\n\r\n",
  "a page": () => "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
  "an assistant": (head: string) =>
    withBody(head, "POST /mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_people"}}'),
};

function withBody(head: string, line: string, body: string): string {
  return `${line} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const client = fc.record({
  asks: fc.array(fc.constantFrom(...(Object.keys(ASKS) as (keyof typeof ASKS)[])), { minLength: 1, maxLength: 4 }),
  /** The share of its bytes that it sends. */
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  reads: fc.boolean(),
  leavesAfterMs: fc.nat({ max: 60 }),
});

describe("What a gateway holds (docs/guides/monitoring.md#metrics)", () => {
  let server: TestServer;
  let world: World;
  let ada: TestUser;

  beforeAll(async () => {
    server = await startProcess();
    world = await startWorld(server.database);
    ({ ada } = await world.workspace());
  });

  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  it("is nothing at rest, however many clients ask for whatever, stop in the middle, do not read and go away", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 5, maxLength: 30 }), async (clients) => {
        await Promise.all(clients.map(visit));
        await until("nothing is held", () => heldOrWaiting().length === 0);
      }),
      { numRuns: 15 },
    );
  });

  async function visit({ asks, share, reads, leavesAfterMs }: typeof client extends fc.Arbitrary<infer V> ? V : never) {
    const bytes = asks.map((ask) => ASKS[ask](`Host: x\r\nAuthorization: Bearer ${ada.key}\r\n`)).join("");
    const { hostname, port } = new URL(server.base);
    const socket: Socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes.slice(0, Math.ceil(share * bytes.length)));
    await new Promise((resolve) => setTimeout(resolve, leavesAfterMs));
    socket.destroy();
  }
});

function heldOrWaiting(): string[] {
  const shown = gaugesText().split("\n");
  return shown.filter((line) => /^contact_workspace_(held|waiting)\{/.test(line) && !line.endsWith(" 0"));
}
