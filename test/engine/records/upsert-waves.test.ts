import { describe, expect, it } from "@jest/globals";
import { wavesOf } from "../../../engine/records/upsert-waves.ts";

const records = (...tokens: string[]) => tokens.map((text) => ({ tokens: text.split(""), isBroad: false }));

// docs/guides/upsert.md#batches
describe("The waves of a batch of upserts", () => {
  it("are one for records that have nothing in common, and none for no records", () => {
    expect(wavesOf(records("a", "b", "c"))).toEqual([[0, 1, 2]]);
    expect(wavesOf([])).toEqual([]);
    expect(wavesOf(records("", ""))).toEqual([[0, 1]]);
  });

  it("put a record behind those before it with which it has something in common", () => {
    expect(wavesOf(records("a", "ab", "c", "b", "c"))).toEqual([[0, 2], [1, 4], [3]]);
  });

  it("keep two records apart that a third one makes be about one record", () => {
    expect(wavesOf(records("ab", "a", "b"))).toEqual([[0], [1], [2]]);
    expect(wavesOf(records("a", "b", "ab", "a", "b"))).toEqual([[0], [1], [2], [3], [4]]);
  });

  it("have a record alone whose values find more than are known", () => {
    const broad = [...records("a", "b"), { tokens: ["c"], isBroad: true }, ...records("d")];
    expect(wavesOf(broad)).toEqual([[0], [1], [2], [3]]);
  });
});
