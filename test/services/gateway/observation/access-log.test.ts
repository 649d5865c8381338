import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { gaugesText } from "../../../../base/budgets/gauges.ts";
import { METRICS, type MetricName } from "../../../../base/budgets/metrics.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestUser, type World } from "../../../../lab/harness/world.ts";
import { createAccessLog } from "../../../../services/gateway/observation/access-log.ts";
import { assistant } from "../../../support/assistant.ts";
import { type Client, client, raw } from "../../../support/client.ts";
import { readEvents } from "../../../support/event-reader.ts";
import { startProcess, type TestServer } from "../../../support/server.ts";

interface Line {
  time: string;
  level: string;
  module: string;
  message: string;
  requestId?: string;
  method?: string;
  route?: string | null;
  status: number;
  durationMs: number;
  bytes: number;
  [more: string]: unknown;
}

const ID = "0192f0c1-0000-7000-8000-000000000000";

let server: TestServer;
let world: World;
let ada: TestUser;
let api: Client;
let written = "";

beforeAll(async () => {
  const accessLog = {
    write(text: string) {
      written += text;
    },
  };
  server = await startProcess({ accessLog, env: { AUTH_FAILURES: "off" } });
  world = await startWorld(server.database);
  ({ ada } = await world.workspace());
  api = client(server, ada.key);
});
beforeEach(async () => {
  // Lines are gathered for a moment, and those of the test before are no matter of this one.
  const { headers } = await api.get("/v1/groups");
  await until("all lines are there", () => written.includes(String(headers["x-request-id"])) && !inFlight());
  written = "";
});
afterAll(async () => {
  await world?.stop();
  await server?.stop();
});

function lines(): Line[] {
  return written
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const inFlight = () => !/^contact_workspace_http_requests_in_flight 0$/m.test(gaugesText());

/** The lines, when there are so many. */
const linesOf = (count: number) => until(`${count} lines`, () => (lines().length >= count ? lines() : undefined));

/** Gives what a metric has become more by, for each of its series that has. */
function watch(name: MetricName, suffix = "") {
  const read = () =>
    new Map(
      [...gaugesText().matchAll(new RegExp(`^${name}${suffix}(\\{.*\\})? (.*)$`, "gm"))].map(
        ([, labels = "", value]) => [labels, Number(value)],
      ),
    );
  const before = read();
  return () =>
    Object.fromEntries(
      [...read()].flatMap(([labels, value]) =>
        value === (before.get(labels) ?? 0) ? [] : [[labels, value - (before.get(labels) ?? 0)]],
      ),
    );
}

/** What is sent on a socket whose answers nobody reads to the end. */
function sendAndLeave(bytes: string, mayLeave: () => boolean): Promise<void> {
  const { hostname, port } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(bytes);
  return until("the client may leave", mayLeave).then(() => void socket.destroy());
}

const head = (line: string, more = "") =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\n${more}\r\n`;
const shown = ({ method, route, status }: Line) => [method, route, status];

describe("The access log (docs/guides/monitoring.md#access-log)", () => {
  it("has one line for each request, whoever sends it and whatever comes of it", async () => {
    const nobody = client(server);
    const { data } = await api.post("/v1/people", { firstName: "Ada" });
    await api.get(`/v1/people/${data.id}`);
    await api.get("/v1/people?limit=1000");
    await nobody.get("/v1/people");
    await client(server, "cwk_wrong").get("/v1/people");
    await api.get("/v1/nothing/at/all");
    await api.request("PUT", "/v1/people");
    await api.request("HEAD", "/v1/people");
    await api.post("/v1/people", "{broken");
    await api.post("/v1/people", Buffer.alloc(0), { "Content-Length": "99999999", Connection: "close" });
    const helper = await assistant(server, ada.key);
    await helper.call("list_notes", {});
    await helper.close();
    await raw(server, head("GET /v1/users/me", "Host: y\r\nConnection: close\r\n"));
    await raw(server, "no request\r\n\r\n");
    await nobody.get("/livez");
    await raw(server, "GET /docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await raw(server, "GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    const all = await until("all lines are there", () =>
      written.includes(`"GET unknown 404"`) && lines().filter(({ route }) => route !== "/mcp").length >= 14
        ? lines()
        : undefined,
    );
    expect(all.filter(({ route }) => route !== "/mcp").map(shown)).toEqual([
      ["POST", "/v1/people", 200],
      ["GET", "/v1/people/{personId}", 200],
      ["GET", "/v1/people", 422],
      ["GET", "/v1/people", 401],
      ["GET", "/v1/people", 401],
      ["GET", null, 404],
      ["PUT", null, 405],
      ["HEAD", "/v1/people", 200],
      ["POST", "/v1/people", 400],
      ["POST", "/v1/people", 413],
      ["GET", "/v1/users/me", 400],
      [undefined, undefined, 400],
      ["GET", "/docs", 200],
      ["GET", null, 404],
    ]);
    expect(all.find(({ tool }) => tool !== undefined)).toMatchObject({
      route: "/mcp",
      tool: "list_notes",
      status: 200,
    });
    const ids = all.flatMap(({ requestId }) => requestId ?? []);
    expect(new Set(ids).size).toBe(all.length - 1);
    for (const line of all) {
      expect(line).toMatchObject({ level: "info", module: "access" });
      expect(Math.abs(Date.now() - Date.parse(line.time))).toBeLessThan(60_000);
    }
  });

  it("tells who has sent a request, by ids, how long it took and what was sent back", async () => {
    const answer = await api.get("/v1/users/me");
    const [line] = await linesOf(1);
    expect(line).toMatchObject({
      requestId: answer.headers["x-request-id"],
      workspaceId: `wsp_${ada.caller.workspaceId}`,
      userId: ada.id,
      keyId: expect.stringMatching(/^key_[0-9a-f-]{36}$/),
      bytes: Buffer.byteLength(answer.text),
      durationMs: expect.any(Number),
      message: "GET /v1/users/me 200",
    });
    expect(Object.keys(line ?? {})).not.toContain("aborted");
    expect(Object.keys(line ?? {})).not.toContain("traceId");
  });

  it("tells the trace of a client that sends one (docs/guides/monitoring.md#traces)", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await api.get("/v1/users/me", { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await api.get("/v1/users/me", { traceparent: `00-${traceId}-00f067aa0ba902b7` });
    expect((await linesOf(2)).map((line) => line.traceId)).toEqual([traceId, undefined]);
  });

  it("has no secrets and nothing that a client sent: no keys, queries, paths, bodies, headers", async () => {
    const sent = (name: string) => `marker${name}marker`;
    const headers = { "User-Agent": sent("agent"), "Idempotency-Key": sent("key"), "X-Other": sent("header") };
    await api.post("/v1/people", { firstName: sent("body") }, headers);
    await api.get(`/v1/people?filter[firstName][eq]=${sent("query")}`, headers);
    await api.get(`/v1/people?${sent("parameter")}=1`, headers);
    await api.get(`/v1/people/${sent("id")}`, headers);
    await api.get(`/v1/${sent("path")}`, headers);
    await api.get(`/docs/${sent("page")}`.replace("/docs", "/v1/docs"));
    await client(server, `cwk_${sent("apiKey")}`).get("/v1/people");
    const helper = await assistant(server, ada.key);
    await helper.call(sent("tool"), {});
    await helper.close();
    await raw(server, `${sent("bytes")}\r\n\r\n`);
    await linesOf(9);
    expect(written).not.toContain("marker");
    expect(written).not.toContain(ada.key);
    expect(written).not.toContain(ada.email);
  });

  it("tells of clients that go away: 499 before their answer, and aborted in the middle of it", async () => {
    const over = watch("contact_workspace_http_requests_total");
    await sendAndLeave(
      `${head("POST /v1/people", "Content-Type: application/json\r\nContent-Length: 10\r\n")}{"fi`,
      () => /^contact_workspace_http_requests_in_flight 1$/m.test(gaugesText()),
    );
    const [gone] = await linesOf(1);
    expect(gone).toMatchObject({
      route: "/v1/people",
      status: 499,
      aborted: true,
      bytes: 0,
      keyId: expect.any(String),
    });
    expect(over()).toEqual({ '{route="/v1/people",method="POST",status="499"}': 1 });
    written = "";
    // More than the system holds for a client that does not read.
    const pages = 30;
    const page = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    await sendAndLeave(page.repeat(pages), () => lines().length > 0);
    const told = await linesOf(pages);
    expect(told.filter(({ status }) => status !== 200 && status !== 499)).toEqual([]);
    expect(told.some(({ status, aborted }) => status === 200 && aborted === true)).toBe(true);
    expect(told).toHaveLength(pages);
  });

  it("tells the bare answer to a body that cannot be read", async () => {
    await raw(
      server,
      `${head("POST /v1/people", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n")}2\r\n{}\r\nxyz\r\n`,
    );
    expect((await linesOf(1)).map(shown)).toEqual([["POST", "/v1/people", 400]]);
  });

  it("has the line of a stream when it ends, and of each of several requests in one packet", async () => {
    const stream = await readEvents(server, ada.key);
    await api.post("/v1/people", { firstName: "Grace" });
    await until("the event is there", () => stream.events().length > 0);
    expect((await linesOf(1)).map(shown)).toEqual([["POST", "/v1/people", 200]]);
    stream.close();
    const [, ended] = await linesOf(2);
    expect(ended).toMatchObject({ route: "/v1/events", status: 200, stream: true });
    expect(ended?.bytes).toBeGreaterThan(100);
    written = "";
    await raw(
      server,
      head("GET /v1/users/me") + head("GET /v1/people") + head("GET /v1/companies", "Connection: close\r\n"),
    );
    expect((await linesOf(3)).map(({ route }) => route).sort()).toEqual([
      "/v1/companies",
      "/v1/people",
      "/v1/users/me",
    ]);
    await until("nothing is in flight", () => !inFlight());
  });
});

describe("The metrics of requests (docs/guides/monitoring.md#metrics)", () => {
  it("count by the pattern of the route, and unknown paths and methods as one", async () => {
    const over = watch("contact_workspace_http_requests_total");
    const timed = watch("contact_workspace_http_request_duration_seconds", "_count");
    await api.get(`/v1/people/per_${ada.uuid}`);
    for (const path of ["/v1/a", "/v1/b", "/c", "/d/e"])
      await raw(server, head(`GET ${path}`, "Connection: close\r\n"));
    await raw(server, head("PROPFIND /v1/people", "Connection: close\r\n"));
    await raw(server, head("GET /docs/guides/filters", "Connection: close\r\n"));
    const expected = {
      '{route="/v1/people/{personId}",method="GET",status="404"}': 1,
      '{route="unknown",method="GET",status="404"}': 4,
      '{route="unknown",method="other",status="405"}': 1,
      '{route="/docs",method="GET",status="200"}': 1,
    };
    expect(over()).toEqual(expected);
    expect(timed()).toEqual({
      '{route="/v1/people/{personId}",method="GET"}': 1,
      '{route="unknown",method="GET"}': 4,
      '{route="unknown",method="other"}': 1,
      '{route="/docs",method="GET"}': 1,
    });
  });

  it("count refusals by reason, and requests with an Idempotency-Key by outcome", async () => {
    const refused = watch("contact_workspace_http_refusals_total");
    const outcomes = watch("contact_workspace_idempotency_requests_total");
    await client(server).get("/v1/people");
    await api.post("/v1/people", Buffer.alloc(0), { "Content-Length": "99999999", Connection: "close" });
    await raw(server, "no request\r\n\r\n");
    await api.post("/v1/people", { firstName: "Ada" }, { "Idempotency-Key": "one" });
    await api.post("/v1/people", { firstName: "Ada" }, { "Idempotency-Key": "one" });
    await api.post("/v1/people", { firstName: "Other" }, { "Idempotency-Key": "one" });
    await api.patch(`/v1/people/per_${ada.uuid}`, { firstName: "Ada" }, { "Idempotency-Key": "two" });
    expect(refused()).toEqual({
      '{reason="unauthorized"}': 1,
      '{reason="body_too_large"}': 1,
      '{reason="unreadable"}': 1,
    });
    expect(outcomes()).toEqual({
      '{outcome="executed"}': 1,
      '{outcome="replayed"}': 1,
      '{outcome="reused"}': 1,
      '{outcome="failed"}': 1,
    });
  });

  it("are a histogram whose classes ascend to all", async () => {
    await api.get("/v1/users/me");
    const name = "contact_workspace_http_request_duration_seconds";
    const of = (suffix: string) =>
      [
        ...gaugesText().matchAll(new RegExp(`^${name}_${suffix}\\{route="/v1/users/me",method="GET".*\\} (.*)$`, "gm")),
      ].map(([, value]) => Number(value));
    const buckets = of("bucket");
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(of("count")[0]);
    expect(METRICS[name].type).toBe("histogram");
  });
});

describe("An access log that nobody reads", () => {
  const answered = {
    id: ID,
    traceId: null,
    method: "GET",
    route: "/v1/people",
    tool: null,
    status: 200,
    errorCode: null,
  } as never;
  const ending = { status: 200, bytes: 1, encoding: "identity", durationMs: 1, isStream: false, isAborted: false };

  it("drops lines and counts them, so that they do not fill the memory", () => {
    const dropped = watch("contact_workspace_access_log_dropped_total");
    const target = {
      writableLength: 0,
      write(text: string) {
        target.writableLength += text.length;
      },
    };
    const log = createAccessLog(target);
    for (let i = 0; i < 50_000; i += 1) log.add(answered, ending);
    log.flush();
    expect(target.writableLength).toBeLessThan(5 * 1024 * 1024);
    expect(dropped()[""]).toBeGreaterThan(10_000);
  });

  it("is readable text at a terminal, without what comes with probes", () => {
    const parts: string[] = [];
    const log = createAccessLog({ isTTY: true, write: (part) => parts.push(part) });
    log.add({ ...(answered as object), route: "/livez" } as never, ending);
    log.add(answered, { ...ending, isAborted: true });
    log.flush();
    expect(parts.join("")).toMatch(/^[\d:.]{12} INFO {2}access GET \/v1\/people 200 1\.0 ms 1 B aborted \S+\n$/);
  });
});
