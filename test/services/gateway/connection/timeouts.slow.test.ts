import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { BODY_WAIT_MS, HEADERS_WAIT_MS } from "../../../../config/limits.ts";
import { startWorld, type World } from "../../../../lab/harness/world.ts";
import { client, raw } from "../../../support/client.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

/** Node looks once a second; a loaded machine takes its time. */
const LATE_MS = 15_000;

describe("A client that does not finish (docs/guides/under-load.md)", () => {
  let server: TestServer;
  let world: World;

  beforeAll(async () => {
    server = await startProcess();
    world = await startWorld(server.database);
  });

  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  it("is told 408 or cut off: headers after 10 s, a body after 30 s, while others are served", async () => {
    const { ada } = await world.workspace();
    const begun = Date.now();
    const ended = async (bytes: string) => {
      const answer = await raw(server, bytes);
      return { status: /^(HTTP\/1\.1 408)?/.exec(answer)?.[0] ?? "", answer, ms: Date.now() - begun };
    };
    const head = `Host: x\r\nAuthorization: Bearer ${ada.key}\r\n`;
    const [headers, body] = await Promise.all([
      ended(`GET /v1/users/me HTTP/1.1\r\n${head}`),
      ended(
        `POST /v1/people HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"firstName":`,
      ),
      client(server, ada.key)
        .get("/v1/users/me")
        .then(({ status }) => expect(status).toBe(200)),
    ]);
    for (const { answer, status } of [headers, body]) expect(answer === "" || status !== "").toBe(true);
    expect(headers.ms).toBeGreaterThanOrEqual(HEADERS_WAIT_MS - 100);
    expect(headers.ms).toBeLessThan(HEADERS_WAIT_MS + LATE_MS);
    expect(body.ms).toBeGreaterThanOrEqual(BODY_WAIT_MS - 100);
    expect(body.ms).toBeLessThan(BODY_WAIT_MS + LATE_MS);
  });
});
