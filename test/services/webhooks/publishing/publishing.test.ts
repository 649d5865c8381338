import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { logAppended } from "../../../../engine/events/appended.ts";
import { until } from "../../../../lab/harness/until.ts";
import {
  type Publishing,
  restForOthers,
  startPublishing,
} from "../../../../services/webhooks/publishing/event-publisher.service.ts";
import type { Run } from "../../../../services/webhooks/publishing/publisher.ts";

// docs/decisions/0013-events.md
const NOTHING: Run = { deliveries: 0, hasMore: false };
const [acme, other] = [newUuid(), newUuid()];
let publishing: Publishing;

afterEach(() => publishing.stop());

/**
 * Publishing that finds these workspaces when it looks at all, and any that it is asked for. These are the runs of each
 * workspace, and those beyond the list find nothing. The interval of its looks lasts until it is woken.
 */
function start({ all = [], runs = {} }: { all?: Uuid[]; runs?: Record<Uuid, Run[]> } = {}) {
  const database = {};
  const looks: ("all" | Uuid[])[] = [];
  const done: Uuid[] = [];
  const times: number[] = [];
  const failures: string[] = [];
  let told = 0;
  let pauses = 0;
  publishing = startPublishing(
    database,
    {
      async due(among) {
        looks.push(among ? [...among] : "all");
        return among ? [...among] : all;
      },
      async publish(workspaceId) {
        done.push(workspaceId);
        times.push(performance.now());
        const run = runs[workspaceId]?.shift() ?? NOTHING;
        if (run.deliveries < 0) throw new Error("away");
        return run;
      },
    },
    {
      hasWaiting: () => false,
      onDeliveries() {
        told += 1;
      },
      onFailure: ({ message }) => failures.push(message),
      pause(_ms, signal) {
        pauses += 1;
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      },
    },
  );
  const looked = (count: number) => until(`it has looked ${count} times`, () => pauses === count);
  /** Time between one run and the next. */
  const restBehind = (count: number) => (times[count] ?? 0) - (times[count - 1] ?? 0);
  return { database, looks, done, restBehind, failures, told: () => told, looked };
}

const run = (deliveries: number, hasMore = false): Run => ({ deliveries, hasMore });

it("deliveries are made where something waits when a process starts, and where it is woken for", async () => {
  const { looks, done, looked } = start({ all: [acme] });
  await looked(1);
  expect([looks, done]).toEqual([["all"], [acme]]);
  publishing.wake([other]);
  await looked(2);
  expect([looks, done]).toEqual([
    ["all", [other]],
    [acme, other],
  ]);
});

it("deliveries are made when their process has written something, until it stops", async () => {
  const { database, done, looked } = start();
  await looked(1);
  logAppended(database, acme);
  await looked(2);
  expect(done).toEqual([acme]);
  await publishing.stop();
  logAppended(database, other);
  publishing.wake([other]);
  await nextTurn();
  expect(done).toEqual([acme]);
});

it("what many tell of one after another is looked at together", async () => {
  const { database, looks, looked } = start();
  await looked(1);
  for (const id of [acme, other, acme]) logAppended(database, id);
  await looked(2);
  expect(looks).toEqual(["all", [acme, other]]);
});

it("all workspaces are looked at when somebody wakes it without a word where", async () => {
  const { looks, looked } = start({ all: [acme] });
  await looked(1);
  publishing.wake();
  await looked(2);
  expect(looks).toEqual(["all", "all"]);
});

it("all workspaces are looked at after a second, also when it is woken for some again and again", async () => {
  const { looks } = start();
  await until("it has looked at all again", () => {
    publishing.wake([acme]);
    return looks.filter((look) => look === "all").length > 1;
  });
  expect(looks.length).toBeGreaterThan(5);
});

it("runs that have made deliveries are told, and no others", async () => {
  const { done, told, looked } = start({ runs: { [acme]: [run(20, true), NOTHING], [other]: [run(3)] } });
  publishing.wake([acme, other]);
  await looked(1);
  await until("all have run", () => done.length === 3);
  await nextTurn();
  expect(told()).toBe(2);
});

it("a workspace goes on without a rest while there is more, and rests behind the last run, through which events gather", async () => {
  const runs = { [acme]: [run(5, true), run(5, true), run(1), run(1)] };
  const { done, database, looked, restBehind } = start({ all: [acme], runs });
  // No timer comes into that.
  for (let i = 0; i < 5; i += 1) await nextTurn();
  expect(done).toHaveLength(3);
  logAppended(database, acme);
  await looked(1);
  await until("it has run again", () => done.length === 4);
  expect(restBehind(3)).toBeGreaterThanOrEqual(19);
});

it("a workspace rests for longer behind events that no webhook wants", async () => {
  const { done, looked, restBehind } = start({ all: [acme], runs: { [acme]: [run(0), run(1)] } });
  await looked(1);
  publishing.wake([acme]);
  await until("it has run again", () => done.length === 2);
  expect(restBehind(1)).toBeGreaterThanOrEqual(59);
});

it("a workspace that rests holds up no other, and neither does one whose run fails", async () => {
  const { done, failures, looked } = start({ all: [acme], runs: { [acme]: [run(-1)] } });
  await looked(1);
  await until("it has failed", () => failures.length === 1);
  publishing.wake([other]);
  await looked(2);
  publishing.wake([acme]);
  await looked(3);
  expect([done, failures]).toEqual([[acme, other, acme], ["away"]]);
});

it("the rest is as long as a long run took, and three times as long while requests wait, a second at most", () => {
  expect([50, 200, 2000].map((tookMs) => restForOthers(tookMs, false))).toEqual([0, 200, 1000]);
  expect([50, 200, 2000].map((tookMs) => restForOthers(tookMs, true))).toEqual([150, 600, 1000]);
});
