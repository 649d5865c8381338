import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import { until } from "../../../../lab/harness/until.ts";
import { openConnections } from "../../../../services/webhooks/sending/connections.ts";
import { type Delivered, deliver, type Means } from "../../../../services/webhooks/sending/delivering.ts";
import {
  askForPage,
  createEndpoint,
  type Surroundings,
  serve,
} from "../../../../services/webhooks/sending/endpoint.ts";
import type { Queue } from "../../../../services/webhooks/sending/queues.queries.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

const queueOf = (isFailing: boolean): Queue => {
  return { workspaceId: newUuid(), webhookId: newUuid(), lease: newUuid(), isFailing, status: "active" };
};

/** An endpoint that is served, with attempts that all end so. */
function serving(
  isFailing: boolean,
  { hasSucceeded, crowded }: { hasSucceeded: boolean; crowded: "all" | "failing" | "" },
  told: Partial<Surroundings> = {},
) {
  const queue = queueOf(isFailing);
  const sent: string[] = [];
  const around: Surroundings = {
    async deliver(_, { uuid }): Promise<Delivered> {
      sent.push(uuid);
      const result = {
        queue,
        uuid,
        period: 0,
        status: hasSucceeded ? "succeeded" : "pending",
        attempt: {},
        waitMs: null,
        gone: null,
      } as const;
      return { was: "sent", result, hasSucceeded, durationMs: 1, gone: null };
    },
    write: async () => true,
    ask(asker) {
      const done = asker.begin();
      void done?.then(() => around.ask(asker));
    },
    wantPage: () => undefined,
    isCrowded: (fails) => crowded === "all" || (crowded === "failing" && fails),
    stopWebhook: async () => false,
    cancelStopped: async () => undefined,
    onFailure: (error) => {
      throw error;
    },
    ...told,
  };
  const endpoint = createEndpoint(queue, around);
  const served = serve(endpoint, around, new AbortController().signal);
  const give = (count: number) =>
    askForPage(endpoint, around).take(
      Array.from({ length: count }, () => ({ uuid: newUuid(), recordId: newUuid(), period: 0 })),
    );
  return { endpoint, served, sent, give, most: () => askForPage(endpoint, around).most };
}

/** Lets the clock of the process be so much later. */
function later(ms: number): void {
  const real = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => real() + ms);
}

describe("An endpoint that others wait for (docs/decisions/0014-webhook-delivery.md)", () => {
  it("gets no further page when its slice is over, and is given back", async () => {
    const { served, most } = serving(false, { hasSucceeded: true, crowded: "all" });
    expect(most()).toBeGreaterThan(0);
    later(6000);
    expect(most()).toBe(0);
    await served;
  });

  it("goes on as long as nobody waits, and a healthy one when only failing ones do", async () => {
    for (const crowded of ["", "failing"] as const) {
      const { endpoint, served, most } = serving(false, { hasSucceeded: true, crowded });
      later(6000);
      expect(most()).toBeGreaterThan(0);
      jest.restoreAllMocks();
      endpoint.close();
      await served;
    }
  });

  it("is given back after one attempt when it fails", async () => {
    const { served, sent, give } = serving(true, { hasSucceeded: false, crowded: "failing" });
    give(40);
    await served;
    expect(sent).toHaveLength(1);
    const other = serving(true, { hasSucceeded: true, crowded: "failing" });
    other.give(20);
    await until("all are sent", () => other.sent.length === 20);
    other.endpoint.close();
    await other.served;
  });
});

describe("An endpoint whose lease is lost, or whose workspace is gone", () => {
  const cases: [string, Partial<Surroundings>][] = [
    ["what is read before an attempt", { deliver: async () => ({ was: "lost" }) }],
    ["what is written after one", { write: async () => false }],
  ];
  it.each(cases)("ends by %s", async (_, told) => {
    const { served, sent, give } = serving(false, { hasSucceeded: true, crowded: "" }, told);
    give(20);
    await served;
    expect(sent.length).toBeLessThan(20);
  });

  it("is noticed by a delivery that is not there", async () => {
    const means = { standingOf: async () => null } as unknown as Means;
    const due = { uuid: newUuid(), recordId: newUuid(), period: 0 };
    const { signal } = new AbortController();
    const connections = openConnections(1);
    expect(await deliver(means, queueOf(false), due, connections, signal)).toEqual({ was: "lost" });
  });
});
