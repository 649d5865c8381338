import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { CALL_MS_MAX, REQUEST_MS_MAX } from "../../../../config/limits.ts";
import { type Deadline, startDeadline, whileSending } from "../../../../services/gateway/admission/deadline.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Whether the time is over, as it becomes so. */
function watch(deadline: Deadline): { isOver: boolean } {
  const watched = { isOver: false };
  deadline.passed.catch(({ type }: { type: string }) => {
    watched.isOver = type === "SERVICE_UNAVAILABLE";
  });
  return watched;
}

const passes = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it("a request without a body has its time from when it came, however late it was begun", async () => {
  const came = performance.now();
  await passes(300);
  const watched = watch(startDeadline(came));
  await passes(REQUEST_MS_MAX - 310);
  expect(watched.isOver).toBe(false);
  await passes(20);
  expect(watched.isOver).toBe(true);
});

it("the time stands still while the client is sending, and what was used before counts", async () => {
  const deadline = startDeadline(performance.now());
  const watched = watch(deadline);
  await passes(8000);
  let end: (body: string) => void = () => undefined;
  const body = whileSending(deadline, new Promise<string>((resolve) => (end = resolve)));
  await passes(25_000);
  expect(watched.isOver).toBe(false);
  end("body");
  expect(await body).toBe("body");
  await passes(REQUEST_MS_MAX - 8010);
  expect(watched.isOver).toBe(false);
  await passes(20);
  expect(watched.isOver).toBe(true);
});

it("a call may take what is left, and never longer than any call", async () => {
  const deadline = startDeadline(performance.now());
  deadline.passed.catch(() => undefined);
  expect(deadline.callMs()).toBe(CALL_MS_MAX);
  await passes(6000);
  expect(Math.round(deadline.callMs())).toBe(REQUEST_MS_MAX - 6000);
  await passes(6000);
  // For Moleculer 0 would be no end at all.
  expect(deadline.callMs()).toBe(1);
});

it("nothing is left behind of a request that is over", () => {
  startDeadline(performance.now()).clear();
  expect(jest.getTimerCount()).toBe(0);
});
