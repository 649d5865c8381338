import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Answer, client } from "../support/client.ts";
import { overNats, startServer, type TestServer } from "../support/server.ts";
import { environment } from "../support/test-run.ts";
import { until } from "../support/until.ts";
import { startWorld, type TestUser, type World } from "../support/world.ts";

const RATE_LIMITS = "default=12/60,burst=5/3";
const possible = !overNats || "path" in environment.nats();

// A server of its own, since the others run without limits.
(possible ? describe : describe.skip)("Rate limits (gaps 2, 429)", () => {
  let server: TestServer;
  let world: World;

  beforeAll(async () => {
    server = await startServer({ env: { RATE_LIMITS } });
    world = await startWorld(server.database);
  }, 30_000);

  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  const me = (user: TestUser | string) =>
    client(server, typeof user === "string" ? user : user.key).get("/v1/users/me");
  const remaining = ({ headers }: Answer) =>
    [headers["x-ratelimit-remaining"], headers["x-ratelimit-remaining-burst"]].map(Number);

  it("are told on every answer to a valid key, 404 and 405 too, and on no answer to another", async () => {
    const { ada } = await world.workspace();
    const api = client(server, ada.key);
    const before = Math.floor(Date.now() / 1000);
    const answers = [await me(ada), await api.get("/v1/nothing"), await api.request("PUT", "/v1/people")];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405]);
    for (const [i, { headers }] of answers.entries()) {
      expect(headers).toMatchObject({
        "x-ratelimit-limit": "12",
        "x-ratelimit-limit-burst": "5",
        "ratelimit-policy": '"default";q=12;w=60, "burst";q=5;w=3',
      });
      expect(headers.ratelimit).toMatch(new RegExp(`^"default";r=${11 - i};t=\\d+, "burst";r=${4 - i};t=[0-3]$`));
      const resets = [headers["x-ratelimit-reset"], headers["x-ratelimit-reset-burst"]].map(
        (reset) => Number(reset) - before,
      );
      expect(resets[0]).toBeGreaterThanOrEqual(59);
      expect(resets[0]).toBeLessThanOrEqual(65);
      expect(resets[1]).toBeLessThanOrEqual(8);
    }
    expect(answers.map(remaining)).toEqual([
      [11, 4],
      [10, 3],
      [9, 2],
    ]);
    const unknown = await client(server, `${ada.key}x`).get("/v1/users/me");
    expect(Object.keys(unknown.headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  it("refuse what is over a quota before anything else, run none of it, and count none of it", async () => {
    const { ada } = await world.workspace();
    const api = client(server, ada.key);
    await Promise.all(Array.from({ length: 5 }, () => me(ada)));
    const refused = await Promise.all([
      api.post("/v1/groups", { name: "Made?", visibility: "public" }),
      api.get("/v1/nothing"),
      api.request("POST", "/v1/people", "{", { "X-API-Version": "1" }),
    ]);
    for (const { status, error, headers } of refused) {
      const { policy, limit, windowSeconds, retryAfter, policies } = error.details as Record<string, unknown>;
      expect([status, policy, limit, windowSeconds]).toEqual([429, "burst", 5, 3]);
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(3);
      expect(Date.parse(String(retryAfter))).toBeGreaterThan(Date.now());
      expect(policies).toMatchObject([
        { policy: "default", limit: 12, remaining: 7, windowSeconds: 60 },
        { policy: "burst", limit: 5, remaining: 0, windowSeconds: 3 },
      ]);
    }
    const admitted = await until("the window has moved on", async () => {
      const answer = await api.get("/v1/groups");
      return answer.status === 200 && answer;
    });
    expect(admitted.items).toEqual([]);
    // The burst window may still hold some of the five; the other one tells that no refused request was counted.
    expect(remaining(admitted)[0]).toBe(6);
  });

  it("count all keys of a user together, and every user apart", async () => {
    const { ada, user, key } = await world.workspace();
    const bob = await user("Bob Stone");
    const second = (await key(ada)).key;
    const statuses = await Promise.all([me(ada), me(second), me(ada), me(second), me(ada)]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await me(second)).status).toBe(429);
    expect((await me(bob)).status).toBe(200);
  });
});
