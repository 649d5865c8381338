import { describe, expect, it, test } from "@jest/globals";
import { didYouMean, nearest } from "../../../base/values/known-names.ts";

const GROUPS = ["Sales", "Support", "Customers"];

describe("the name that somebody may have meant", () => {
  it.each([
    ["Sale", "Sales"],
    ["sales", "Sales"],
    ["Slaes", "Sales"],
    ["cust", "Customers"],
    ["Suport", "Support"],
    ["Cutsomers", "Customers"],
  ])("of %j is %j", (asked, meant) => {
    expect(nearest(asked, GROUPS)).toBe(meant);
  });

  it.each(["", "S", "Marketing", "nix", "x".repeat(100_000)])("of %j is none", (asked) => {
    expect(nearest(asked, GROUPS)).toBeUndefined();
  });

  it("is the one of which the fewest letters are missing, of several that begin so", () => {
    expect(nearest("nort", ["north2", "north", "norte-sur"])).toBe("north");
    expect(nearest("nor", ["nord", "north", "nork"])).toBe("nord");
  });

  it("is that of a short word in which two letters have changed places", () => {
    expect(nearest("kyes", ["users", "keys"])).toBe("keys");
    expect(nearest("keyx", ["users", "kyxe"])).toBeUndefined();
  });

  it("is found without the quotes that lists put around names", () => {
    expect(nearest("Sale", ['"Sales"'])).toBe('"Sales"');
  });
});

test("a message tells the nearest name and those that there are, and where there is none what to do", () => {
  expect(didYouMean("Sale", GROUPS, { none: "" })).toBe("Did you mean Sales? There are: Sales, Support, Customers.");
  expect(didYouMean("nix", GROUPS, { none: "" })).toBe("There are: Sales, Support, Customers.");
  expect(didYouMean("nix", [], { none: "Make one first." })).toBe("Make one first.");
});

test("a message tells twenty names, and how to see the others", () => {
  const many = Array.from({ length: 21 }, (_, i) => `g${i}`);
  expect(didYouMean("nix", many, { all: '"groups list"', none: "" })).toMatch(
    /, g19, … \("groups list" shows all 21\)\.$/,
  );
  expect(didYouMean("nix", many, { none: "" })).toMatch(/, g19, … \(21 in all\)\.$/);
});
