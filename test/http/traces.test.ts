import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type NatsServer, startNats } from "../../lab/harness/nats-server.ts";
import { until } from "../../lab/harness/until.ts";
import { type Delivery, type Receiver, startReceiver } from "../../lab/harness/webhook-receiver.ts";
import { startWorld, type TestUser, type World } from "../../lab/harness/world.ts";
import { type Client, client } from "../support/client.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { overNats } from "../support/server.ts";
import { type SentSpan, startTraceCollector, type TraceCollector } from "../support/trace-collector.ts";
import { WEBHOOK_ENV } from "../support/webhook-receiver.ts";

const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
/** Beyond the five seconds in which spans are gathered, on a busy machine. */
const SENT_MS = 60_000;

let test: TestDatabase;
let nats: NatsServer | undefined;
let collector: TraceCollector;
let cluster: Cluster;
let world: World;
let ada: TestUser;
let api: Client;

beforeAll(async () => {
  [test, collector] = await Promise.all([testDatabase(), startTraceCollector()]);
  nats = overNats ? await startNats() : undefined;
  cluster = await startCluster({
    ...(nats && { natsUrl: nats.url }),
    databaseUrl: test.url,
    env: {
      ...WEBHOOK_ENV,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20secret",
      OTEL_SERVICE_NAME: "contacts of acme",
    },
  });
  world = await startWorld(test.database);
  ({ ada } = await world.workspace());
  api = client({ ...cluster, database: test.database }, ada.key);
});

afterAll(async () => {
  await world?.stop();
  await cluster?.stop();
  await nats?.stop();
  await test?.drop();
  await collector?.close();
});

const ofTrace = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const idOf = (requestId: unknown) => String(requestId).replaceAll("-", "");

/** The spans of a trace, when that of its request is there, which is the last to end, and those of other processes. */
const trace = (traceId: string, isWhole: (spans: SentSpan[]) => boolean) =>
  until(
    `the spans of ${traceId}`,
    () => {
      const spans = ofTrace(traceId);
      return spans.some(({ kind, name }) => kind === SERVER && name.includes(" /")) && isWhole(spans) && spans;
    },
    SENT_MS,
  );

/** The names of a span and of those that it is part of, the outermost first. */
function pathOf(span: SentSpan, spans: readonly SentSpan[]): string[] {
  const outer = spans.find(({ spanId }) => spanId === span.parentId);
  return [...(outer ? pathOf(outer, spans) : []), span.name];
}

const isStatement = ({ attributes }: SentSpan) => "db.system.name" in attributes;

describe("A trace (docs/guides/monitoring.md#traces)", () => {
  it("goes on from the client through the actions to the statements", async () => {
    const { status } = await api.get("/v1/people", {
      traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
      tracestate: "acme=1",
    });
    expect(status).toBe(200);
    const action = overNats ? ["people.list", "people.list"] : ["people.list"];
    const isOfList = (span: SentSpan) => span.name === "people.list";
    const spans = await trace(
      TRACE_ID,
      (all) => all.some(isStatement) && all.filter(isOfList).length === action.length,
    );
    const request = spans.find(({ kind, name }) => kind === SERVER && name === "GET /v1/people");
    expect(request).toMatchObject({
      service: "contacts of acme",
      parentId: SPAN_ID,
      traceState: "acme=1",
      status: 0,
      attributes: { "http.request.method": "GET", "http.route": "/v1/people", "http.response.status_code": 200 },
    });
    const paths = spans.filter(isStatement).map((span) => pathOf(span, spans));
    expect(paths).toContainEqual(["GET /v1/people", ...action, expect.stringMatching(/^SELECT .*people/)]);
    expect(spans.filter(isOfList).map(({ kind }) => kind)).toEqual(
      overNats ? expect.arrayContaining([CLIENT, SERVER]) : [INTERNAL],
    );
  });

  it("tells no value of a statement, and nothing of what was sent", async () => {
    const name = `Secretive${Date.now()}`;
    const { headers } = await api.post("/v1/people", { firstName: name }, { "Idempotency-Key": crypto.randomUUID() });
    const spans = await trace(idOf(headers["x-request-id"]), (all) => all.some(({ name }) => name === "COMMIT"));
    expect(spans.filter(isStatement).map(({ name }) => name)).toContainEqual(expect.stringMatching(/^INSERT people/));
    expect(JSON.stringify(spans)).not.toContain(name);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes["db.query.text"]))).toContain("$1");
  });

  it("has an id of its own, made of the request id, for a client that sends none or a wrong one", async () => {
    for (const traceparent of [undefined, `00-${"0".repeat(32)}-${SPAN_ID}-01`]) {
      const { headers } = await api.get("/v1/users/me", { traceparent });
      const spans = await trace(idOf(headers["x-request-id"]), () => true);
      expect(spans.find(({ kind, name }) => kind === SERVER && name.startsWith("GET"))?.parentId).toBe("");
    }
  });

  it("is not recorded for a client that has decided so", async () => {
    const unsampled = "aaf92f3577b34da6a3ce929d0e0e4736";
    await api.get("/v1/users/me", { traceparent: `00-${unsampled}-${SPAN_ID}-00` });
    const { headers } = await api.get("/v1/users/me");
    await trace(idOf(headers["x-request-id"]), () => true);
    expect(ofTrace(unsampled)).toEqual([]);
  });

  it("keeps the statements of requests apart that wait for each other", async () => {
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, i) => api.post("/v1/companies", { name: `Company ${i} ${crypto.randomUUID()}` })),
    );
    for (const { status, headers } of sent) {
      if (status !== 200) continue;
      const spans = await trace(idOf(headers["x-request-id"]), (all) => all.some(({ name }) => name === "COMMIT"));
      expect(spans.filter(({ name }) => name === "COMMIT")).toHaveLength(1);
      expect(spans.filter(({ name }) => name.startsWith("INSERT companies"))).toHaveLength(1);
      for (const span of spans.filter(isStatement)) expect(pathOf(span, spans)[0]).toBe("POST /v1/companies");
    }
    expect(sent.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
  });

  it("is sent with the headers of OTEL_EXPORTER_OTLP_HEADERS", () => {
    expect(collector.headers()).toMatchObject({ "x-collector-key": "a secret" });
  });
});

describe("A delivery of a webhook (docs/guides/monitoring.md#traces)", () => {
  let receiver: Receiver;
  const deliveries: Delivery[] = [];

  beforeAll(async () => {
    receiver = await startReceiver((delivery) => void deliveries.push(delivery));
    const subscribedEvents = [{ eventType: "person.created" }];
    await api.post("/v1/webhooks", { name: "All", targetUrl: receiver.url, subscribedEvents });
  });
  afterAll(() => receiver?.close());

  it("is part of the trace whose id is that of the request that made the change", async () => {
    const { headers } = await api.post("/v1/people", { firstName: "Ada" });
    const traceId = idOf(headers["x-request-id"]);
    const delivery = await until("the delivery", () =>
      deliveries.find(({ headers: sent }) => sent.traceparent?.startsWith(`00-${traceId}-`)),
    );
    const spans = await trace(traceId, (all) => all.some(({ name }) => name === "POST"));
    const attempt = spans.find(({ name }) => name === "POST");
    expect(attempt).toMatchObject({
      kind: CLIENT,
      attributes: { "http.request.method": "POST", "server.address": "127.0.0.2", "http.response.status_code": 200 },
    });
    expect(delivery.headers.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    expect(JSON.stringify(attempt)).not.toContain("/hook");
  });
});
