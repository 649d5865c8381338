import { beforeEach, describe, expect, it } from "@jest/globals";
import { createPeers, LOOK_MS, type Peers } from "../../bus/peers.ts";

// docs/decisions/0020-nodes-that-hang.md
describe("the nodes that calls go to", () => {
  let now: number;
  let peers: Peers;

  beforeEach(() => {
    now = 1_000;
    peers = createPeers(() => now);
  });

  /** Looks at the usual interval until so many milliseconds have passed; gives what was found, with its time. */
  function watch(ms: number) {
    const found: { ms: number; ask: string[]; hung: string[] }[] = [];
    for (let passed = LOOK_MS; passed <= ms; passed += LOOK_MS) {
      now += LOOK_MS;
      const { ask, hung } = peers.look();
      if (ask.length + hung.length > 0) found.push({ ms: passed, ask, hung });
    }
    return found;
  }
  const fail = (count: number) => {
    for (let i = 0; i < count; i++) {
      peers.begun("a");
      peers.ended("a", true);
    }
  };

  it("count the calls that each has to answer", () => {
    peers.begun("a");
    peers.begun("a");
    peers.ended("a", false);
    expect([peers.callsTo("a"), peers.callsTo("b")]).toEqual([1, 0]);
  });

  it("leave out a node that owes an answer and gives no sign of life, within two seconds, until it gives one", () => {
    peers.begun("a");
    const [asked, hung] = watch(2_000);
    expect(asked).toEqual({ ms: 500, ask: ["a"], hung: [] });
    expect(hung).toEqual({ ms: expect.any(Number), ask: ["a"], hung: ["a"] });
    expect([peers.takesCalls("a"), peers.takesCalls("b"), peers.out()]).toEqual([false, true, 1]);
    peers.ended("a", true);
    // It is asked again and again, although no call waits for it, and is told to hang once.
    const later = watch(2_000);
    expect(later.length).toBeGreaterThan(1);
    expect(later.flatMap((one) => one.hung)).toEqual([]);
    peers.heard("a");
    expect([peers.takesCalls("a"), peers.out()]).toEqual([true, 0]);
  });

  it("keep a node whose answer takes long, as long as it gives signs of life", () => {
    peers.begun("a");
    for (let i = 0; i < 20; i++) {
      const asked = watch(LOOK_MS).flatMap(({ ask }) => ask);
      if (asked.includes("a")) peers.heard("a");
    }
    expect(peers.takesCalls("a")).toBe(true);
  });

  it("ask nobody who owes no answer", () => {
    peers.begun("a");
    peers.ended("a", false);
    expect(watch(5_000)).toEqual([]);
  });

  it("are not taken to hang by a process that hung itself", () => {
    peers.begun("a");
    watch(500);
    now += 10_000;
    expect(peers.look()).toEqual({ ask: [], hung: [] });
    peers.heard("a");
    expect(peers.takesCalls("a")).toBe(true);
  });

  it("leave out a node that fails three times in a row, then try it with one call at a time", () => {
    fail(2);
    peers.begun("a");
    peers.ended("a", false);
    fail(2);
    expect(peers.takesCalls("a")).toBe(true);
    fail(1);
    expect([peers.takesCalls("a"), peers.out()]).toEqual([false, 1]);
    now += 2_000;
    expect(peers.takesCalls("a")).toBe(true);
    peers.begun("a");
    expect(peers.takesCalls("a")).toBe(false);
    peers.ended("a", true);
    expect(peers.takesCalls("a")).toBe(false);
    now += 2_000;
    peers.begun("a");
    peers.ended("a", false);
    expect([peers.takesCalls("a"), peers.out()]).toEqual([true, 0]);
  });

  it("forget a node that has gone", () => {
    fail(3);
    peers.forget("a");
    expect([peers.takesCalls("a"), peers.out()]).toEqual([true, 0]);
  });
});
