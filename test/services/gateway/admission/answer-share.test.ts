import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ANSWER_BYTES_PER_S } from "../../../../config/limits.ts";
import { createAnswerShare } from "../../../../services/gateway/admission/answer-share.ts";

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

describe("The share of large answers (docs/guides/under-load.md#turns)", () => {
  it("lets a workspace that is alone have all it asks for", () => {
    const share = createAnswerShare();
    for (let i = 0; i < 100; i++) {
      expect(share.rest("one")).toBeUndefined();
      share.note("one", ANSWER_BYTES_PER_S);
    }
  });

  it("lets one that was sent much wait while others are here, and the others not", async () => {
    const share = createAnswerShare();
    void share.rest("other");
    share.note("one", 2 * ANSWER_BYTES_PER_S);
    const rest = share.rest("one");
    expect(share.rest("other")).toBeUndefined();
    let isRested = false;
    void rest?.then(() => {
      isRested = true;
    });
    await jest.advanceTimersByTimeAsync(900);
    expect(isRested).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(isRested).toBe(true);
    void share.rest("other");
    share.note("one", 20 * ANSWER_BYTES_PER_S);
    expect(() => share.rest("one")).toThrow(expect.objectContaining({ code: 503 }));
    await jest.advanceTimersByTimeAsync(30_000);
    void share.rest("other");
    expect(share.rest("one")).toBeUndefined();
  });
});
