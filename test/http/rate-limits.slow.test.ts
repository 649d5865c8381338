import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { TestUser, TestWorkspace } from "../../lab/harness/world.ts";
import type { Answer } from "../support/client.ts";
import { whileHeld } from "../support/locked-row.ts";
import { parseRateLimitField } from "../support/rate-limit-fields.ts";
import { describeOwnServer } from "../support/scene.ts";
import { overNats } from "../support/server.ts";

const RATE_LIMITS = "default=12/60,burst=5/3";
const WINDOWS = { default: { quota: 12, windowS: 60 }, burst: { quota: 5, windowS: 3 } };
/** What an answer tells of a policy, after a look whether its six headers agree with each other. */
function standing({ headers, sentAt, answeredAt }: Timed, name: keyof typeof WINDOWS) {
  const { quota, windowS } = WINDOWS[name];
  const suffix = name === "default" ? "" : "-burst";
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((word) =>
    Number(headers[`x-ratelimit-${word}${suffix}`]),
  );
  const item = parseRateLimitField(String(headers.ratelimit)).find((one) => one.name === name);
  const { r, t = -1 } = Object.fromEntries(item?.parameters ?? []);
  expect([limit, r]).toEqual([quota, remaining]);
  expect(remaining).toBeGreaterThanOrEqual(0);
  expect(t).toBeGreaterThanOrEqual(remaining === 0 ? 1 : 0);
  expect(t).toBeLessThanOrEqual(windowS);
  expect(reset).toBeGreaterThanOrEqual(Math.floor(sentAt / 1000) + t - 1);
  expect(reset).toBeLessThanOrEqual(Math.ceil(answeredAt / 1000) + t + 1);
  return remaining;
}

interface Timed extends Pick<Answer, "status" | "headers" | "error" | "items"> {
  sentAt: number;
  answeredAt: number;
}

async function timed(request: Promise<Answer>): Promise<Timed> {
  const sentAt = Date.now();
  const answer = await request;
  return Object.assign(answer, { sentAt, answeredAt: Date.now() });
}

/** Both policies, in their order. */
function standings(answer: Timed): (number | undefined)[] {
  expect(parseRateLimitField(String(answer.headers["ratelimit-policy"]))).toEqual(
    Object.entries(WINDOWS).map(([name, { quota, windowS }]) => ({
      name,
      parameters: [
        ["q", quota],
        ["w", windowS],
      ],
    })),
  );
  expect(parseRateLimitField(String(answer.headers.ratelimit)).map(({ name }) => name)).toEqual(Object.keys(WINDOWS));
  return [standing(answer, "default"), standing(answer, "burst")];
}

// A server of its own, since the others run without limits.
describeOwnServer("Rate limits (docs/guides/limits.md#rate-limits)", { RATE_LIMITS }, (scene) => {
  const { api } = scene;
  const me = (user: TestUser | string) => timed(api(user).get("/v1/users/me"));
  const fill = async (user: TestUser, count = 5) => {
    const answers = await Promise.all(Array.from({ length: count }, () => me(user)));
    return answers.map(({ status }) => status);
  };

  /**
   * Gives what the requests of a new workspace give. They are made again, in another one, when the machine was so slow
   * that the window of the burst may have moved on between them.
   */
  const inOneBurst = <Result>(make: (workspace: TestWorkspace) => Promise<Result>) =>
    until("all come within the window of the burst", async () => {
      const workspace = await scene.workspace();
      const begunAt = performance.now();
      const made = await make(workspace);
      return performance.now() - begunAt < WINDOWS.burst.windowS * 1000 && made;
    });

  it("are told on every answer to a valid key, whatever it is", async () => {
    const answers = await inOneBurst(async ({ ada }) => [
      await me(ada),
      await timed(api(ada).get("/v1/nothing")),
      await timed(api(ada).request("PUT", "/v1/people")),
      await timed(api(ada).request("HEAD", "/v1/users/me")),
      await timed(api(ada).post("/v1/people", { nickname: "Amazing Grace" })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 200, 422]);
    expect(answers.map(standings)).toEqual([11, 10, 9, 8, 7].map((left) => [left, left - 7]));
    const headers = { "Idempotency-Key": randomUUID() };
    const others = await inOneBurst(async ({ ada: eve }) => [
      await timed(api(eve).request("POST", "/v1/people", "{")),
      await timed(api(eve).get("/v1/users/me", { "X-API-Version": "1" })),
      await timed(api(eve).post("/v1/companies", { name: "Acme" }, headers)),
      await timed(api(eve).post("/v1/companies", { name: "Acme" }, headers)),
    ]);
    expect(others.map(({ status }) => status)).toEqual([400, 400, 200, 200]);
    expect(others[3]?.headers["idempotent-replayed"]).toBe("true");
    // A replay counts like every request, and its headers tell of itself.
    expect(others.map(standings)).toEqual([11, 10, 9, 8].map((left) => [left, left - 7]));
  });

  it("are told on an unexpected failure, too", async () => {
    const { ada } = await scene.workspace();
    await scene.server.database.knex.raw("alter table people rename column first_name to lost");
    try {
      const answer = await timed(api(ada).get("/v1/people"));
      expect([answer.status, ...standings(answer)]).toEqual([500, 11, 4]);
    } finally {
      await scene.server.database.knex.raw("alter table people rename column lost to first_name");
    }
  });

  it("are told on no answer to another key, and count none of those", async () => {
    const { ada } = await scene.workspace();
    const unknown = await Promise.all([
      ...Array.from({ length: 20 }, () => api(`${ada.key}x`).get("/v1/users/me")),
      scene.api().get("/v1/users/me"),
    ]);
    for (const { status, headers } of unknown) {
      expect(status).toBe(401);
      expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
    }
    expect(standings(await me(ada))).toEqual([11, 4]);
  });

  it("refuse what is over a quota before anything else, run none of it, and count none of it", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    const made = { name: "Made?", visibility: "public" };
    const { ada, refused } = await inOneBurst(async ({ ada }) => {
      await fill(ada);
      const requests = [
        api(ada).post("/v1/groups", made, headers),
        api(ada).get("/v1/nothing"),
        api(ada).request("POST", "/v1/people", "{", { "X-API-Version": "1" }),
      ];
      return { ada, refused: await Promise.all(requests.map(timed)) };
    });
    for (const answer of refused) {
      const { status, error, headers } = answer;
      const { policy, limit, remaining, windowSeconds, retryAfter, policies } = error.details as Record<
        string,
        unknown
      >;
      expect([status, policy, limit, remaining, windowSeconds]).toEqual([429, "burst", 5, 0, 3]);
      expect(["1", "2", "3"]).toContain(headers["retry-after"]);
      expect(Date.parse(String(retryAfter))).toBeGreaterThan(answer.sentAt);
      expect(policies).toEqual([
        { policy: "default", limit: 12, remaining: 7, windowSeconds: 60, retryAfter: expect.any(String) },
        // The values beside `policies` are those of the exceeded policy. docs/guides/limits.md#429
        { policy, limit, remaining, windowSeconds, retryAfter },
      ]);
      expect(standings(answer)).toEqual([7, 0]);
    }
    const admitted = await until("the window has moved on", async () => {
      const answer = await timed(api(ada).get("/v1/groups"));
      return answer.status === 200 && answer;
    });
    expect(admitted.items).toEqual([]);
    // The burst window may still hold some of the five; the other one tells that no refused request was counted.
    expect(standings(admitted)[0]).toBe(6);
    const again = await until("another request is admitted", async () => {
      const answer = await api(ada).post("/v1/groups", made, headers);
      return answer.status !== 429 && answer;
    });
    // Nothing was saved under its key either.
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  });

  it("admit whoever has waited for Retry-After", async () => {
    const { ada } = await scene.workspace();
    await fill(ada);
    for (let round = 0; round < 2; round++) {
      const refused = await until("the burst is used up", async () => {
        const answer = await me(ada);
        return answer.status === 429 && answer;
      });
      await pause(Number(refused.headers["retry-after"]) * 1000);
      expect((await me(ada)).status).toBe(200);
    }
  });

  it("count all keys of a user together, and every user apart", async () => {
    const forwarded = { "X-Forwarded-For": "192.0.2.1", "X-Real-IP": "192.0.2.1", Forwarded: "for=192.0.2.1" };
    const answers = await inOneBurst(async ({ ada, user, key }) => {
      const bob = await user("Bob Stone");
      const second = (await key(ada)).key;
      const five = await Promise.all([
        me(ada),
        me(second),
        me(ada),
        api(second).get("/v1/users/me", forwarded),
        me(ada),
      ]);
      return [...five, await me(second), await me(bob)];
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  it("count a batch as one", async () => {
    const { ada } = await scene.workspace();
    const records = Array.from({ length: 100 }, (_, i) => ({ fullName: `Ada ${i}` }));
    const answer = await timed(api(ada).post("/v1/people/batch/create", { records }));
    expect([answer.status, ...standings(answer)]).toEqual([200, 11, 4]);
  });

  it("admit no more than a quota in any window, wherever it begins, and name the policy that refuses", async () => {
    const { ada } = await scene.workspace();
    const admitted: Timed[] = [];
    const last = await until("both quotas are used up", async () => {
      const answers = await Promise.all([me(ada), me(ada)]);
      admitted.push(...answers.filter(({ status }) => status === 200));
      return answers.find(
        ({ error, status }) => status === 429 && Reflect.get(error.details ?? {}, "policy") === "default",
      );
    });
    expect(admitted).toHaveLength(12);
    for (const [i, { sentAt }] of admitted.entries()) {
      // Sent before and answered after the server looked at its clock: fewer than three seconds apart is too few.
      const sixth = admitted[i + 5];
      if (sixth) expect(sixth.answeredAt - sentAt).toBeGreaterThanOrEqual(3000);
    }
    expect(Number(last.headers["retry-after"])).toBeLessThanOrEqual(60);
    // The last five may have come within three seconds, so the other quota may be used up as well.
    expect(standings(last)[0]).toBe(0);
  });

  it("keep nothing under the Idempotency-Key of what they refuse, and count a replay as a request", async () => {
    const make = (user: TestUser) =>
      timed(api(user).post("/v1/groups", { name: "Made", visibility: "public" }, { "Idempotency-Key": "one" }));
    const { ada, refused } = await inOneBurst(async ({ ada }) => {
      await fill(ada);
      return { ada, refused: await make(ada) };
    });
    expect(refused.status).toBe(429);
    const ran = await until("the window has moved on", async () => {
      const answer = await make(ada);
      return answer.status === 200 && answer;
    });
    const again = await make(ada);
    expect([ran.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
    expect([standings(ran)[0], standings(again)[0]]).toEqual([6, 5]);
    expect((await api(ada).get("/v1/groups")).items).toHaveLength(1);
  });

  if (!overNats) return;

  // One process alone writes its windows when it stops. docs/guides/growing.md#rate-windows
  it("are 503 for the user whose row cannot be written, while others are served, and count none of these requests", async () => {
    const [{ ada }, { ada: eve }] = [await scene.workspace(), await scene.workspace()];
    expect(standings(await me(ada))).toEqual([11, 4]);
    const row = `select from rate_windows where user_id = '${ada.uuid}' for update`;
    await whileHeld(scene.server.database, row, async () => {
      // Half of the smallest quota, two requests, may be admitted before the row is written.
      for (let i = 0; i < 2; i++) expect((await me(ada)).status).toBe(200);
      const waiting = [me(ada), me(ada)];
      expect((await me(eve)).status).toBe(200);
      for (const { status, error, headers } of await Promise.all(waiting))
        expect([status, error.code, headers["retry-after"], headers.ratelimit]).toEqual([
          503,
          "SERVICE_UNAVAILABLE",
          "1",
          undefined,
        ]);
    });
    const served = await until("the row is looked at again", async () => {
      const answer = await me(ada);
      return answer.status === 200 && answer;
    });
    expect(standings(served)[0]).toBe(8);
  });
});
