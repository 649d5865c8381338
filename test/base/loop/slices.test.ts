import { expect, test } from "@jest/globals";
import { openSlices } from "../../../base/loop/slices.ts";

test("others get their turn between the slices of long work", async () => {
  const slices = openSlices();
  let served = 0;
  const serving = setInterval(() => served++, 1);
  let counted = 0;
  // A busy machine may stand still for longer than a slice lasts.
  const end = performance.now() + 10_000;
  while (Math.min(counted, served) < 3 && performance.now() < end) {
    if (slices.isOver()) {
      await slices.next();
      counted += 1;
    }
  }
  clearInterval(serving);
  expect(counted).toBeGreaterThanOrEqual(3);
  expect(served).toBeGreaterThanOrEqual(3);
});
