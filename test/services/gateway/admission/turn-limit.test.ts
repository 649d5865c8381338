import { describe, expect, it } from "@jest/globals";
import { createTurnLimit } from "../../../../services/gateway/admission/turn-limit.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("Pace (docs/guides/under-load.md)", () => {
  it("begins so many in each turn of the event loop, at once while there is room, and all of them in order", async () => {
    const pace = createTurnLimit(3);
    const done: number[] = [];
    const counts: number[] = [];
    for (let i = 0; i < 8; i += 1) pace.run(() => done.push(i));
    counts.push(done.length);
    expect(pace.waiting()).toBe(5);
    // Who comes later waits behind those who wait.
    await turn();
    pace.run(() => done.push(8));
    counts.push(done.length);
    for (let i = 0; i < 2; i += 1) {
      await turn();
      counts.push(done.length);
    }
    expect(counts).toEqual([3, 6, 9, 9]);
    expect(pace.waiting()).toBe(0);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    pace.run(() => done.push(9));
    expect(done).toHaveLength(10);
  });

  it("begins what waits of one workspace after that of another, however much the first has", async () => {
    const pace = createTurnLimit(2);
    const done: string[] = [];
    const run = (tenant: string) =>
      pace.run(
        () => done.push(tenant),
        () => tenant,
      );
    for (let i = 0; i < 20; i += 1) run("flood");
    run("other");
    expect([pace.waitingOf("flood"), pace.waitingOf("other"), pace.waitingOf("nobody")]).toEqual([18, 1, 0]);
    await turn();
    expect(done).toEqual(["flood", "flood", "flood", "other"]);
    run("other");
    await turn();
    expect(done.slice(4)).toEqual(["flood", "other"]);
    while (pace.isBusy()) await turn();
    expect(done).toHaveLength(22);
  });
});
