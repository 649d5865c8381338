import { expect, it } from "@jest/globals";
import { workInSteps } from "../../../base/jobs/steps.ts";

it("Each step goes on where the last one ended, until there is no more, and what all have done is added up", async () => {
  const places: number[] = [];
  const done = await workInSteps(1, async (from) => {
    places.push(from);
    return { count: from * 10, next: from < 4 ? from + 1 : null };
  });
  expect({ places, done }).toEqual({ places: [1, 2, 3, 4], done: 100 });
});

it("Work that is told to end, ends after the step that runs, and none begins after that", async () => {
  const stopping = new AbortController();
  const step = async (from: number) => {
    if (from === 2) stopping.abort();
    return { count: 1, next: from + 1 };
  };
  expect(await workInSteps(0, step, { signal: stopping.signal })).toBe(3);
  expect(await workInSteps(0, step, { signal: stopping.signal })).toBe(0);
});

it("A step that fails ends the work with its error", async () => {
  await expect(workInSteps(0, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
});
