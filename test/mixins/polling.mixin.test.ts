import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { startPolling } from "../../base/jobs/polling.ts";
import { newUuid } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import { pollingMixin, type Woken, wakeAll } from "../../mixins/polling.mixin.ts";

const DUE = "work.due";

describe("A service that works in the background", () => {
  const done = [0, 0];
  const brokers = done.map((_, node) => {
    const broker = new ServiceBroker({ nodeID: `node-${node}`, transporter: "Fake", logger: false });
    broker.createService({
      name: "worker",
      mixins: [
        pollingMixin({
          wokenBy: DUE,
          start: () =>
            startPolling({
              // Nothing but a wake ends such a pause while the test runs.
              everyMs: 3_600_000,
              onFailure: () => undefined,
              work: async () => {
                done[node] = (done[node] ?? 0) + 1;
                return false;
              },
            }),
        }),
      ],
    });
    return broker;
  });

  beforeAll(async () => {
    await Promise.all(brokers.map((broker) => broker.start()));
    const isKnown = (broker: ServiceBroker) => broker.registry.nodes.toArray().length === 2;
    await until("both nodes know each other", () => brokers.every(isKnown));
  });

  afterAll(() => Promise.all(brokers.map((broker) => broker.stop())));

  it("begins with its start, is woken on every node by an event of one, and ends with its stop", async () => {
    const [first, second] = brokers;
    await until("both have worked", () => done.every((count) => count === 1));
    await first?.broadcast(DUE);
    await until("both were woken", () => done.every((count) => count === 2));
    await second?.stop();
    await first?.broadcast(DUE);
    await until("the other was woken", () => done[0] === 3);
    expect(done).toEqual([3, 2]);
  });

  it("is told by the event what there is to do, if it asks for that", async () => {
    const broker = new ServiceBroker({ transporter: "Fake", logger: false });
    const told: Woken[] = [];
    const work = { wake: () => undefined, stop: () => Promise.resolve() };
    broker.createService({
      name: "told",
      mixins: [pollingMixin({ wokenBy: DUE, wake: (_, woken) => told.push(woken), start: () => work })],
    });
    await broker.start();
    const woken = { workspaces: [newUuid(), newUuid()] };
    wakeAll(broker, DUE, woken);
    await until("it was woken", () => told.length === 1);
    expect(told).toEqual([woken]);
    await broker.stop();
  });
});
