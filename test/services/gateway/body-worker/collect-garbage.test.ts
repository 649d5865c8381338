import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { collectGarbage } from "../../../../services/gateway/body-worker/large.worker.ts";

it("a worker gives back what earlier tasks have left behind (docs/decisions/0017-event-loop.md)", async () => {
  const left = (() => new WeakRef({ body: "a".repeat(1_000_000) }))();
  // What a WeakRef was made of is kept until the end of the turn.
  await nextTurn();
  collectGarbage();
  expect(left.deref()).toBeUndefined();
});
