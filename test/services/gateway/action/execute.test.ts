import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Caller } from "../../../../base/contract/caller.ts";
import type { Claim, SavedResponse } from "../../../../base/contract/claim.ts";
import { inProgress } from "../../../../engine/idempotency/run-once.ts";
import { type ActionCalls, execute } from "../../../../services/gateway/action/execute.ts";

const CALLER = { workspaceId: "w", userId: "u" } as Caller;
const CLAIM: Claim = { key: "k", fingerprint: "f", requestId: "r", publicUrl: "", ttlS: 60 };
const AWAY = Object.assign(new Error("away"), { unavailable: true, nodeID: "a" });

// docs/decisions/0020-nodes-that-hang.md
describe("an action whose node is away", () => {
  let calls: (string | undefined)[];
  let lookups: number;
  let saved: SavedResponse | null;
  /** Number of calls, behind the first, that find it still running. */
  let stillRuns: number;

  beforeEach(() => {
    calls = [];
    lookups = 0;
    saved = null;
    stillRuns = 0;
  });

  /** The first call fails on node a; the others succeed. */
  const services: ActionCalls = {
    findSaved: async () => {
      lookups += 1;
      return calls.length > stillRuns ? saved : null;
    },
    call: async (_action, _params, { notOn }) => {
      calls.push(notOn);
      if (calls.length === 1) throw AWAY;
      if (calls.length <= stillRuns + 1) throw inProgress();
      return "{}";
    },
    avoid: (_action, error) => (error === AWAY ? "a" : undefined),
  };
  const run = (how: { claim?: Claim; isRead?: boolean; hasGone?: boolean }) =>
    execute(
      services,
      "people.create",
      {},
      {
        caller: CALLER,
        claim: how.claim,
        requestId: "r",
        trace: undefined,
        deadline: { callMs: () => 1 },
        isGone: () => how.hasGone ?? false,
        schema: { properties: {} },
        isJudged: true,
        isRead: how.isRead ?? false,
      },
    );

  it("runs once more on another node when it reads", async () => {
    expect(await run({ isRead: true })).toEqual({ data: "{}" });
    expect(calls).toEqual([undefined, "a"]);
  });

  it("runs once more under a key whose answer is not saved", async () => {
    expect(await run({ claim: CLAIM })).toEqual({ data: "{}" });
    expect([calls, lookups]).toEqual([[undefined, "a"], 2]);
  });

  it("waits for its first try, which still runs, and gives the answer that this one saves", async () => {
    stillRuns = 2;
    saved = { fingerprint: "f", status: 200, body: "{}" } as SavedResponse;
    expect(await run({ claim: CLAIM })).toEqual({ saved });
    expect([calls, lookups]).toEqual([[undefined, "a", "a"], 4]);
  });

  it("is 503, and no conflict with itself, while its first try goes on", async () => {
    stillRuns = Number.POSITIVE_INFINITY;
    await expect(run({ claim: CLAIM })).rejects.toBe(AWAY);
    expect(calls.length).toBeGreaterThan(2);
  });

  it("gives the answer that the node has saved before it went away", async () => {
    saved = { fingerprint: "f", status: 200, body: "{}" } as SavedResponse;
    expect(await run({ claim: CLAIM })).toEqual({ saved });
    expect(calls).toEqual([undefined]);
  });

  it("does not run again when it writes without a key, or when its client has gone", async () => {
    await expect(run({})).rejects.toBe(AWAY);
    expect(calls).toEqual([undefined]);
    calls = [];
    await expect(run({ isRead: true, hasGone: true })).rejects.toBe(AWAY);
    expect(calls).toEqual([undefined]);
  });
});
