import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestUser, type World } from "../../../../lab/harness/world.ts";
import { type Answer, client } from "../../../support/client.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

const AUTH_FAILURES = "5/2";

describe("Requests without a valid key (docs/guides/limits.md#without-a-valid-key)", () => {
  let server: TestServer;
  let world: World;
  let ada: TestUser;

  beforeAll(async () => {
    server = await startProcess({
      env: { AUTH_FAILURES, TRUSTED_PROXIES: "127.0.0.0/8", RATE_LIMITS: "default=100/60,burst=100/2" },
    });
    world = await startWorld(server.database);
    ({ ada } = await world.workspace());
  });

  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  const from = (address: string, key?: string): Promise<Answer> =>
    client(server, key).get("/v1/users/me", { "X-Forwarded-For": address });
  const flood = async (address: string, key?: string): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => from(address, key)));
    return answers.map(({ status }) => status).sort();
  };

  it.each([
    ["with an unknown key", "203.0.113.1", "cwk_nobody"],
    ["with none", "203.0.113.2", undefined],
  ])("%s are 401, and 429 when one address has had too many of those", async (_, address, key) => {
    expect(await flood(address, key)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const { status, error, headers } = await from(address, key);
    expect([status, error.code, error.details]).toEqual([429, "TOO_MANY_REQUESTS", undefined]);
    expect(["1", "2"]).toContain(headers["retry-after"]);
    expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
    // The window slides on, and 429s were not counted.
    await until("it is 401 again", async () => (await from(address, key)).status === 401);
  });

  it("leave the others alone: other addresses, and whoever has a key at the same one", async () => {
    const address = "203.0.113.3";
    expect((await flood(address)).filter((status) => status === 401)).toHaveLength(5);
    const answer = await from(address, ada.key);
    expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([200, "99"]);
    expect((await from("203.0.113.4")).status).toBe(401);
  });

  it("are counted at the address that the trusted proxy saw, whatever the client wrote before it", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, i) => from(`198.51.100.${i}, 203.0.113.5`).then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});
