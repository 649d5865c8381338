import { expect, test } from "@jest/globals";
import { createRunningTimers } from "../../../base/loop/running-timers.ts";

const waitPatiently = createRunningTimers();
const hold = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test("time in which the event loop is held does not count, and what arrived meanwhile comes first", async () => {
  let isOver = false;
  const patience = waitPatiently(100, () => {
    isOver = true;
  });
  const arrived = new Promise((resolve) => setTimeout(resolve, 1));
  hold(400);
  await arrived;
  expect(isOver).toBe(false);
  expect(patience.waitedMs()).toBeLessThan(100);
  patience.end();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
});

test("the time is over at last, for each by itself", async () => {
  const order: string[] = [];
  const long = new Promise<void>((resolve) => {
    waitPatiently(80, () => {
      order.push("long");
      resolve();
    });
  });
  const short = new Promise<void>((resolve) => {
    waitPatiently(30, () => {
      order.push("short");
      resolve();
    });
  });
  await Promise.all([long, short]);
  expect(order).toEqual(["short", "long"]);
});
