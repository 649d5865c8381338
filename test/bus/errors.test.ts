import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Errors, type ServiceBroker, type ServiceSchema } from "moleculer";
import { ApiError, isApiError } from "../../base/contract/errors.ts";
import { isAway } from "../../bus/away.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";
import { startNode } from "./nodes.ts";

const SQL_MESSAGE = 'duplicate key value violates unique constraint "companies_name"';

const failingService: ServiceSchema = {
  name: "failing",
  actions: {
    refuse() {
      throw new ApiError("TOO_MANY_REQUESTS", "Slow down.", { policy: "burst" }, { "Retry-After": "2" });
    },
    breakRule() {
      const fields = { code: "23505", detail: "Key (name)=(Secret Inc) already exists.", constraint: "companies_name" };
      throw Object.assign(new Error(SQL_MESSAGE), fields);
    },
    loseDatabase() {
      throw Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
    },
  },
};

const relayService: ServiceSchema = {
  name: "relay",
  actions: { refuse: (ctx) => ctx.call("failing.refuse"), loseDatabase: (ctx) => ctx.call("failing.loseDatabase") },
};

describeBus("errors over the bus", () => {
  let nats: NatsServer;
  const nodes: ServiceBroker[] = [];

  beforeAll(async () => {
    nats = await startNats();
    nodes.push(
      ...(await Promise.all([
        startNode(nats.url),
        startNode(nats.url, failingService),
        startNode(nats.url, relayService),
      ])),
    );
    await nodes[0]?.waitForServices(["failing", "relay"], 5000, 20);
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await nats.stop();
  });

  const failureOf = async (action: string): Promise<Error> => {
    const failure = await nodes[0]?.call(action).catch((error: unknown) => error);
    if (failure instanceof Error) return failure;
    throw new Error(`${action} did not fail.`);
  };

  it.each(["failing.refuse", "relay.refuse"])(
    "an ApiError keeps code, message, details and headers (%s)",
    async (action) => {
      const error = await failureOf(action);
      expect(isApiError(error)).toBe(true);
      expect(error).toMatchObject({
        name: "ApiError",
        message: "Slow down.",
        type: "TOO_MANY_REQUESTS",
        code: 429,
        data: { details: { policy: "burst" }, headers: { "Retry-After": "2" } },
      });
      expect(isAway(error)).toBe(false);
    },
  );

  it("an unexpected error crosses as nothing but that it happened: no message, SQL, data or stack of its origin", async () => {
    const error = await failureOf("failing.breakRule");
    expect(error.message).toBe("internal error");
    const everything = JSON.stringify([error, { ...error }, error.stack]);
    expect(everything).not.toMatch(/companies_name|Secret|23505|errors\.test/);
    expect(isAway(error)).toBe(false);
  });

  it.each(["failing.loseDatabase", "relay.loseDatabase"])(
    "a database that is away stays recognisable, without its address, so that the gateway answers 503 (%s)",
    async (action) => {
      const error = await failureOf(action);
      expect(isAway(error)).toBe(true);
      expect(JSON.stringify([error.message, { ...error }, error.stack])).not.toContain("10.0.0.7");
    },
  );

  it("a service that nobody offers is away, not a 404", async () => {
    expect(isAway(await failureOf("nobody.home"))).toBe(true);
  });
});

const LOST = { action: "people.get", nodeID: "node-1" };

// docs/guides/conventions.md#when-something-is-away
it.each([
  new Errors.ServiceNotFoundError(LOST),
  new Errors.ServiceNotAvailableError(LOST),
  new Errors.RequestTimeoutError(LOST),
  new Errors.RequestRejectedError(LOST),
  new Errors.RequestSkippedError(LOST),
  new Errors.QueueIsFullError(LOST),
  new Errors.BrokerDisconnectedError("The broker is disconnected"),
])("$name says that something is away", (error) => {
  expect(isAway(error)).toBe(true);
  expect(isAway(new Errors.MaxCallLevelError({ nodeID: "node-1", action: "people.get", level: 1 }))).toBe(false);
});
