import { expect, it } from "@jest/globals";
import { isWhole, tortureOverload } from "../../../lab/torture/overload/program.ts";

// The small version of `npm run torture -- overload`: what does not depend on how fast the machine is. No request
// hangs, none is reset, refusals are 503 with Retry-After, and afterwards all is answered as before.
const BOUNDS = {
  goodputShare: 0,
  acceptedP99Ms: 12_000,
  refusedP99Ms: 12_000,
  recoveryMs: 25_000,
  memoryGrowth: 1,
};
/** Other tests may take the processors just then, so that even half the peak is too much for seconds. */
const AGAIN = 10;
const TEST_MS = 180_000;

it(
  "under ten times its capacity a server answers every request with 200 or 503, and everything again afterwards (docs/torture.md#overload-ten-times-the-capacity)",
  async () => {
    const { broken, history } = await tortureOverload({
      seed: 1,
      seconds: 4,
      times: 10,
      connections: 200,
      bounds: BOUNDS,
      again: AGAIN,
      durable: false,
      note: () => undefined,
    });
    expect(broken).toEqual([]);
    const { overload, after } = history;
    expect(overload.accepted.count).toBeGreaterThan(0);
    expect(overload.accepted.count + overload.refused.count).toBe(overload.sent);
    // After the overload half the peak is sent. Right then even that can be too much, so a moment without refusals is
    // enough here; `npm run torture -- overload` judges how soon it comes.
    expect(after.slots.some(isWhole)).toBe(true);
  },
  TEST_MS,
);
