import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestUser, TestWorkspace } from "../../../lab/harness/world.ts";
import { type ContactWorkspaceClient, unwrap } from "../src/index.ts";
import { type ClientWorld, impatientClock, startClientWorld } from "./client-world.ts";
import type { Fault } from "./faulty-proxy.ts";

/** Longer than a busy machine takes for an answer. */
const TIME_OUT_MS = 3_000;

let world: ClientWorld;
let workspace: TestWorkspace;
let ada: TestUser;
let clock: ReturnType<typeof impatientClock>;
let client: ContactWorkspaceClient;

beforeAll(async () => {
  world = await startClientWorld();
  workspace = await world.workspace();
  ({ ada } = workspace);
});
afterAll(() => world.stop());
beforeEach(() => {
  world.proxy.arrived.length = 0;
  clock = impatientClock();
  client = world.clientOf(ada, { clock });
});
afterEach(() => expect(world.proxy.faults.splice(0)).toEqual([]));

const refused = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  answer: { status, headers, body: { error: { code, message: code } } },
});
const faults = (...next: Fault[]) => world.proxy.faults.push(...next);
const make = (name: string) => client.POST("/v1/companies", { body: { name } });
/** How often a company of this name is there. */
const count = async (name: string) => {
  const { items } = await unwrap(client.POST("/v1/people/search", { body: { filter: { fullName: { eq: name } } } }));
  return items.length;
};

describe("A request that was not run, or whose answer is not known (docs/guides/idempotency.md#retrying)", () => {
  it.each<[string, Fault]>([
    ["429", refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "1" })],
    ["503", refused(503, "SERVICE_UNAVAILABLE", { "Retry-After": "1" })],
    ["503 for its key", refused(503, "IDEMPOTENCY_UNAVAILABLE", { "Retry-After": "1" })],
    ["409", refused(409, "IDEMPOTENCY_REQUEST_IN_PROGRESS", { "Retry-After": "1" })],
    ["408, without a body", { answer: { status: 408 } }],
    ["502 of a proxy", { answer: { status: 502, headers: { "Content-Type": "text/html" } } }],
    ["504 of a proxy", { answer: { status: 504 } }],
    ["a connection that closes", "dropped"],
    ["an answer that is lost", "answer lost"],
    ["an answer that breaks off", "answer cut"],
  ])("is sent again with the same key and body after %s, and made once", async (what, fault) => {
    const name = `After ${what}`;
    faults(fault, fault);
    const made = await unwrap(client.POST("/v1/people", { body: { fullName: name } }));
    expect(made.fullName).toBe(name);
    const { arrived } = world.proxy;
    expect(arrived).toHaveLength(3);
    expect(new Set(arrived.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(arrived.map(({ body }) => JSON.parse(body))).toEqual([1, 2, 3].map(() => ({ fullName: name })));
    expect(arrived.map(({ headers }) => headers["content-type"])).toEqual([1, 2, 3].map(() => "application/json"));
    expect(clock.waitsMs).toHaveLength(2);
    expect(await count(name)).toBe(1);
  });

  it("is given up on when no answer comes in time, and sent again", async () => {
    faults("ignored");
    const hasty = world.clientOf(ada, { clock, timeoutMs: TIME_OUT_MS });
    expect((await unwrap(hasty.GET("/v1/users/me"))).id).toBe(ada.id);
    expect(world.proxy.arrived).toHaveLength(2);
  });

  it("is thrown as the last attempt has failed, when none was answered", async () => {
    faults("dropped", "ignored");
    const hasty = world.clientOf(ada, { clock, timeoutMs: TIME_OUT_MS, maxRetries: 1 });
    await expect(hasty.GET("/v1/users/me")).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("is sent again as often as is allowed, and then answered as it was last", async () => {
    const away = refused(503, "SERVICE_UNAVAILABLE");
    faults(away, away, away);
    const { error, response } = await world.clientOf(ada, { clock, maxRetries: 2 }).GET("/v1/users/me");
    expect({ code: error?.error.code, status: response.status }).toEqual({ code: "SERVICE_UNAVAILABLE", status: 503 });
  });

  it("is sent once when nothing is to be sent again", async () => {
    faults(refused(503, "SERVICE_UNAVAILABLE"));
    const { response } = await world.clientOf(ada, { clock, maxRetries: 0 }).GET("/v1/users/me");
    expect([response.status, world.proxy.arrived.length, clock.waitsMs]).toEqual([503, 1, []]);
  });

  it("is sent with its key by a real race, and gets the answer of the attempt that still ran", async () => {
    const header = { "Idempotency-Key": "race" };
    const persistent = world.clientOf(ada, { clock, maxRetries: 1000, maxRetryDelayMs: Number.POSITIVE_INFINITY });
    const race = () => unwrap(persistent.POST("/v1/people", { params: { header }, body: { fullName: "Racing" } }));
    const people = await Promise.all([race(), race(), race()]);
    expect(new Set(people.map(({ id }) => id)).size).toBe(1);
  });
});

describe("A request that the server has judged", () => {
  it.each([
    ["500, whose answer is saved under the key", refused(500, "INTERNAL_SERVER_ERROR")],
    ["400", refused(400, "INVALID_REQUEST")],
    ["401", refused(401, "UNAUTHORIZED")],
    ["403", refused(403, "FORBIDDEN")],
    ["404", refused(404, "RESOURCE_NOT_FOUND")],
    ["422", refused(422, "UNPROCESSABLE_ENTITY")],
  ])("is not sent again after %s", async (_, fault) => {
    faults(fault);
    const { response } = await make("Judged");
    expect([response.ok, world.proxy.arrived.length, clock.waitsMs]).toEqual([false, 1, []]);
  });
});

describe("Waits", () => {
  const waitsAfter = async (fault: Fault, times: number, chance: number) => {
    const noting = impatientClock(chance);
    faults(...Array.from({ length: times }, () => fault));
    await world.clientOf(ada, { clock: noting }).GET("/v1/users/me");
    return noting.waitsMs;
  };

  it("are as long as Retry-After says, in seconds", async () => {
    expect(await waitsAfter(refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "3" }), 2, 0)).toEqual([3000, 3000]);
  });

  it("last until the date of Retry-After, and none for one that has passed", async () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    const [wait = 0] = await waitsAfter(refused(503, "SERVICE_UNAVAILABLE", { "Retry-After": inTenSeconds }), 1, 0);
    expect(wait).toBeGreaterThan(5000);
    expect(wait).toBeLessThanOrEqual(10_000);
    const passed = new Date(Date.now() - 10_000).toUTCString();
    expect(await waitsAfter(refused(503, "SERVICE_UNAVAILABLE", { "Retry-After": passed }), 1, 0)).toEqual([0]);
  });

  it("are by chance up to a bound that doubles, without Retry-After or with one that says nothing", async () => {
    expect(await waitsAfter("dropped", 5, 0.5)).toEqual([250, 500, 1000, 2000, 4000]);
    const soon = refused(503, "SERVICE_UNAVAILABLE", { "Retry-After": "soon" });
    expect(await waitsAfter(soon, 2, 1)).toEqual([500, 1000]);
  });

  it("are longer each time also behind Retry-After (docs/guides/idempotency.md#retrying)", async () => {
    const away = refused(503, "SERVICE_UNAVAILABLE", { "Retry-After": "1" });
    expect(await waitsAfter(away, 3, 1)).toEqual([1500, 2000, 3000]);
  });

  it("are not begun when Retry-After asks for more than the patience, also in all", async () => {
    const impatient = world.clientOf(ada, { clock, maxRetryDelayMs: 5000 });
    faults(refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "6" }));
    expect((await impatient.GET("/v1/users/me")).response.status).toBe(429);
    expect(clock.waitsMs).toEqual([]);
    faults(...[1, 2, 3].map(() => refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "2" })));
    expect((await impatient.GET("/v1/users/me")).response.status).toBe(429);
    expect(clock.waitsMs).toEqual([2000, 2000]);
  });

  it("end with the signal of the caller, and nothing is sent any more", async () => {
    faults(refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "50" }));
    const caller = new AbortController();
    const call = world.clientOf(ada).GET("/v1/users/me", { signal: caller.signal });
    const answered = expect(call).rejects.toThrow("no longer wanted");
    while (world.proxy.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => caller.abort(new Error("no longer wanted")), 20);
    await answered;
    expect(world.proxy.arrived).toHaveLength(1);
  });

  it("do not follow what the caller has aborted", async () => {
    faults("ignored");
    const caller = new AbortController();
    const call = client.GET("/v1/users/me", { signal: caller.signal });
    const answered = expect(call).rejects.toThrow("no longer wanted");
    while (world.proxy.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort(new Error("no longer wanted"));
    await answered;
    expect([world.proxy.arrived.length, clock.waitsMs]).toEqual([1, []]);
  });
});

describe("A stream of events (docs/guides/event-feed.md#the-stream)", () => {
  it("is answered when it begins, and not cut by the time-out", async () => {
    const caller = new AbortController();
    const answered = await fetchStream(caller.signal);
    expect(answered.response.headers.get("Content-Type")).toContain("text/event-stream");
    await new Promise((resolve) => setTimeout(resolve, TIME_OUT_MS + 500));
    await make("Streamed");
    expect(await readUntil(answered.data, "company.created")).toContain("event: company.created");
    caller.abort();
  });

  const fetchStream = (signal: AbortSignal) =>
    // The proxy keeps an answer until it is complete, so this goes straight to the server.
    world.clientOf(ada, { baseUrl: world.serverUrl, timeoutMs: TIME_OUT_MS }).GET("/v1/events", {
      headers: { Accept: "text/event-stream" },
      parseAs: "stream",
      signal,
    });
});

async function readUntil(stream: ReadableStream<Uint8Array> | null | undefined, words: string): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream ?? []) {
    text += decoder.decode(chunk);
    if (text.includes(words)) break;
  }
  return text;
}

describe("A client over its rate limit (docs/guides/limits.md#429)", () => {
  let limited: ClientWorld;
  beforeAll(async () => {
    limited = await startClientWorld({ RATE_LIMITS: "default=1000/60,burst=3/1" });
  });
  afterAll(() => limited.stop());

  it("waits as it is told, and gets through", async () => {
    const user = (await limited.workspace()).ada;
    const patient = limited.clientOf(user);
    for (let sent = 0; sent < 5; sent += 1) expect((await patient.GET("/v1/users/me")).response.status).toBe(200);
    expect(limited.proxy.arrived.length).toBeGreaterThan(5);
  });
});
