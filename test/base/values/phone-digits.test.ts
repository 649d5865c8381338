import { describe, expect, it } from "@jest/globals";
import { dialledDigits } from "../../../base/values/phone-digits.ts";

describe("The digits by which a phone is found (docs/guides/search.md#phones)", () => {
  it.each([
    ["044 123 45 67", ["0441234567"]],
    ["+41 44 123 45 67", ["41441234567", "441234567"]],
    ["0041 (44) 123-45-67", ["41441234567", "441234567"]],
    ["+1 202-555-0100", ["12025550100", "2025550100"]],
    ["+358 9 1234", ["35891234", "91234"]],
    ["+999 1234", ["9991234"]],
    ["+41", ["41"]],
    ["ext. 12", ["12"]],
    ["none", []],
  ])("of %s are %j", (phone, digits) => {
    expect(dialledDigits(phone)).toEqual(digits);
  });
});
