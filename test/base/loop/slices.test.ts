import { expect, test } from "@jest/globals";
import { openSlices } from "../../../base/loop/slices.ts";

test("others get their turn between the slices of long work", async () => {
  const slices = openSlices();
  let served = 0;
  const serving = setInterval(() => served++, 1);
  let counted = 0;
  const end = performance.now() + 100;
  while (performance.now() < end) {
    if (slices.isOver()) {
      await slices.next();
      counted += 1;
    }
  }
  clearInterval(serving);
  expect(counted).toBeGreaterThan(1);
  expect(served).toBeGreaterThan(1);
});
