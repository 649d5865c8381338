import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { eventsWritten } from "../../../../engine/events/written.ts";
import { until } from "../../../../lab/harness/until.ts";
import {
  restAfter,
  restForOthers,
  startPublishing,
} from "../../../../services/webhooks/publishing/event-publisher.service.ts";
import type { Run } from "../../../../services/webhooks/publishing/publisher.ts";

// docs/decisions/0013-events.md
const HOUR_MS = 3_600_000;
const NOTHING: Run = { events: 0, deliveries: 0, hasMore: false };

/** Publishing whose runs are these, and those beyond the list find nothing. Its interval lasts until it is woken. */
function start(runs: Run[], restMs: number) {
  const database = {};
  const published: Run[] = [];
  let count = 0;
  let pauses = 0;
  const publisher = {
    async publish() {
      count += 1;
      return runs[count - 1] ?? NOTHING;
    },
  };
  const publishing = startPublishing(database, publisher, {
    restMs: () => restMs,
    hasWaiting: () => false,
    onPublished: (run) => published.push(run),
    onFailure: (error) => {
      throw error;
    },
    pause(_ms, signal) {
      pauses += 1;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
  });
  return { database, publishing, published, count: () => count, pauses: () => pauses };
}

const run = (events: number, deliveries = 0, hasMore = false): Run => ({ events, deliveries, hasMore });

it("events are passed on when their process has written some, and when others tell of theirs", async () => {
  const { database, publishing, count, pauses } = start([], 0);
  await until("nothing is left", () => pauses() === 1);
  eventsWritten(database);
  await until("its own are passed on", () => count() === 2 && pauses() === 2);
  publishing.wake();
  await until("those of others are passed on", () => count() === 3);
  await publishing.stop();
  eventsWritten(database);
  await nextTurn();
  expect(count()).toBe(3);
});

it("runs that have passed something on are told, and no others", async () => {
  const { publishing, published, pauses } = start([run(500, 20, true), run(3)], 0);
  await until("nothing is left", () => pauses() === 1);
  expect(published).toEqual([run(500, 20, true), run(3)]);
  publishing.wake();
  await until("nothing was found", () => pauses() === 2);
  expect(published).toHaveLength(2);
  await publishing.stop();
});

it("there is no rest while more waits, and one behind the last, through which events gather", async () => {
  const { database, publishing, count, pauses } = start([run(500, 0, true), run(500, 0, true), run(1)], HOUR_MS);
  await until("all have been passed on", () => count() === 3);
  eventsWritten(database);
  publishing.wake();
  await nextTurn();
  expect([count(), pauses()]).toEqual([3, 0]);
  // A rest ends when the process does.
  await publishing.stop();
});

it("a run that finds nothing is followed by no rest: the first event of a burst does not wait", async () => {
  const { publishing, count, pauses } = start([NOTHING, run(1)], HOUR_MS);
  await until("nothing is left", () => pauses() === 1);
  publishing.wake();
  await until("it is passed on", () => count() === 2);
  await publishing.stop();
});

it("the rest is shorter behind events that a webhook waits for", () => {
  expect([run(3, 1), run(3, 0)].map(restAfter)).toEqual([20, 60]);
});

it("the rest is as long as a long run took, and three times as long while requests wait, a second at most", () => {
  expect([50, 200, 2000].map((tookMs) => restForOthers(tookMs, false))).toEqual([0, 200, 1000]);
  expect([50, 200, 2000].map((tookMs) => restForOthers(tookMs, true))).toEqual([150, 600, 1000]);
});
