import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { guardLoop, type Hold, heldBy, type LoopGuard } from "../../../base/loop/guard.ts";
import { openSlices } from "../../../base/loop/slices.ts";

const LIMIT_MS = 50;

let guard: LoopGuard;
let holds: Hold[];

beforeEach(() => {
  holds = [];
  guard = guardLoop(LIMIT_MS, (hold) => holds.push(hold));
});
afterEach(() => guard.end());

/** Burns so much processor time, however busy the machine is. */
function burn(ms: number): void {
  const used = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  const end = used() + ms * 1000;
  while (used() < end);
}

/** Runs work as a request does, and waits until a turn of the loop later. */
async function run(requestId: string, work: () => void | Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const begin = heldBy(
      () => ({ what: `GET /${requestId}`, requestId }),
      () => void Promise.resolve(work()).then(resolve, reject),
    );
    setImmediate(begin);
  });
  for (let i = 0; i < 3; i++) await nextTurn();
}

const ofRequests = () => holds.filter(({ requestId }) => requestId !== undefined);

it("names the request that holds the loop in one piece", async () => {
  await run("long", () => burn(2 * LIMIT_MS));
  expect(ofRequests()).toMatchObject([{ what: "GET /long", requestId: "long" }]);
  expect(holds[0]?.longestMs).toBeGreaterThan(LIMIT_MS);
  expect(guard.takeMaxMs()).toBeGreaterThan(LIMIT_MS);
  expect(guard.takeMaxMs()).toBe(0);
});

it("names the request that holds it in many continuations without leaving the turn", async () => {
  await run("continued", async () => {
    for (let i = 0; i < 200; i++) {
      await Promise.resolve();
      burn(0.6);
    }
  });
  expect(ofRequests()).toMatchObject([{ requestId: "continued" }]);
  expect(holds[0]?.longestMs).toBeLessThan(LIMIT_MS);
});

it("says nothing of long work in slices, nor of two requests that hold it together", async () => {
  const sliced = run("sliced", async () => {
    const slices = openSlices();
    for (let i = 0; i < 200; i++) {
      if (slices.isOver()) await slices.next();
      burn(0.5);
    }
  });
  await Promise.all([sliced, run("a", () => burn(30)), run("b", () => burn(30))]);
  expect(ofRequests()).toEqual([]);
});

it("names what holds it for no request", async () => {
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      burn(2 * LIMIT_MS);
      resolve();
    }, 0);
  });
  for (let i = 0; i < 3; i++) await nextTurn();
  expect(holds).toContainEqual(expect.objectContaining({ what: "callbacks of Timeout" }));
  expect(guard.takeMaxMs()).toBe(0);
});
