import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { changed, toldOf } from "../../../engine/events/diff.ts";
import { afterChanges } from "../../support/event-model.ts";

const path = ["field"];

/** The `changes` of events for a value that a write has changed. */
const diff = (path: string[], before: unknown, after: unknown) => changed(path, before, after).flatMap(toldOf);

describe("the log keeps of a changed value", () => {
  it("what it was and what it is, with null for one that is unset, be it null or an empty text", () => {
    expect(changed(path, "a", "b")).toEqual([{ path, before: "a", after: "b" }]);
    expect(changed(path, "", 1)).toEqual([{ path, before: null, after: 1 }]);
    expect(changed(path, "a", "")).toEqual([{ path, before: "a", after: null }]);
  });

  it("both lists in their order, and references by their ids alone", () => {
    expect(changed(path, ["1", "2"], ["2", "3"])).toEqual([{ path, before: ["1", "2"], after: ["2", "3"] }]);
    expect(changed(path, null, [{ id: "usr_1", email: "a@b.test" }])).toEqual([
      { path, before: [], after: [{ id: "usr_1" }] },
    ]);
    expect(changed(path, { id: "per_1", fullName: "Ada" }, null)).toEqual([
      { path, before: [{ id: "per_1" }], after: [] },
    ]);
    expect(changed(path, ["a", "b"], ["b", "a"])).toHaveLength(1);
  });

  it("nothing when it stays the same", () => {
    for (const value of [null, "", "a", 0, [], ["a", "b"], [{ id: "per_1" }]])
      expect(changed(path, value, value)).toEqual([]);
    expect(changed(path, "", null)).toEqual([]);
    expect(changed(path, null, [])).toEqual([]);
    expect(changed(path, [{ id: "per_1", fullName: "Ada" }], [{ id: "per_1", fullName: "Grace" }])).toEqual([]);
  });
});

// docs/guides/events.md#changes
describe("changes of a value", () => {
  it("set a scalar, and tell no value of one that was cleared, be it null or an empty text", () => {
    expect(diff(path, null, "a")).toEqual([{ path, type: "set", value: "a" }]);
    expect(diff(path, "a", "b")).toEqual([{ path, type: "set", value: "b" }]);
    expect(diff(path, 1, 0)).toEqual([{ path, type: "set", value: 0 }]);
    expect(diff(path, "a", null)).toEqual([{ path, type: "set" }]);
    expect(diff(path, "a", "")).toEqual([{ path, type: "set" }]);
  });

  it("add and remove entries of a list, references by their ids alone", () => {
    expect(diff(path, ["1", "2"], ["2", "3"])).toEqual([
      { path, type: "remove", value: ["1"] },
      { path, type: "add", value: ["3"] },
    ]);
    expect(diff(path, null, [{ id: "usr_1", email: "a@b.test" }])).toEqual([
      { path, type: "add", value: [{ id: "usr_1" }] },
    ]);
    expect(diff(path, ["a"], null)).toEqual([{ path, type: "remove", value: ["a"] }]);
    expect(diff(path, ["a", "a"], ["a"])).toEqual([{ path, type: "remove", value: ["a"] }]);
  });

  it("tell a single reference like a list of one", () => {
    expect(diff(path, { id: "per_1" }, { id: "com_1" })).toEqual([
      { path, type: "remove", value: [{ id: "per_1" }] },
      { path, type: "add", value: [{ id: "com_1" }] },
    ]);
  });

  it("take the whole list away and add it again when its order alone is another", () => {
    expect(diff(path, ["a", "b"], ["b", "a"])).toEqual([
      { path, type: "remove", value: ["a", "b"] },
      { path, type: "add", value: ["b", "a"] },
    ]);
  });

  it("tell of a text that is not told that it has changed, and no more", () => {
    expect(toldOf({ path, before: "a", after: "b", untold: true })).toEqual([{ path, type: "set" }]);
    expect(toldOf({ path, before: ["a"], after: ["b"], untold: true })).toEqual([
      { path, type: "remove" },
      { path, type: "add" },
    ]);
  });

  it("lead from any list to any other, and to its order unless entries have changed and moved at once", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const changes = diff(path, before, after);
        const replayed = afterChanges(before, changes) as string[];
        expect(replayed.toSorted()).toEqual(after.toSorted());
        const [kinds, isAppended] = [changes.map(({ type }) => type), before.every((entry, i) => after[i] === entry)];
        if (isAppended) expect([kinds.includes("remove"), replayed]).toEqual([false, after]);
        if (before.toSorted().join() === after.toSorted().join()) expect(replayed).toEqual(after);
      }),
    );
  });
});
