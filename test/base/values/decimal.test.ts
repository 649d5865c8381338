import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { canonicalDecimal } from "../../../base/values/decimal.ts";
import { exactNumber } from "../../../base/values/exact-number.ts";

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const digits = (min: number, max: number) =>
  fc.array(digit, { minLength: min, maxLength: max }).map((list) => list.join(""));

/** value = units / 10^10, exactly; the largest that fit have 38 digits. */
const units = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });

function write(value: bigint): string {
  const text = (value < 0n ? -value : value).toString().padStart(11, "0");
  return `${value < 0n ? "-" : ""}${text.slice(0, -10)}.${text.slice(-10)}`;
}

/** The same the other way round, by whole numbers alone. */
function read(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(10, "0"));
  return decimal.startsWith("-") ? -value : value;
}

describe("canonicalDecimal (docs/guides/values.md#numbers)", () => {
  it("keeps every value of 38 digits, 10 of them after the point, exactly", () => {
    fc.assert(
      fc.property(units, (value) => {
        const decimal = canonicalDecimal(write(value));
        expect(decimal).not.toBeNull();
        expect(read(String(decimal))).toBe(value);
      }),
    );
  });

  it("answers one form for one value: no plus, no leading zeros, no trailing zeros after the point, no -0", () => {
    fc.assert(
      fc.property(units, digits(0, 5), (value, zeros) => {
        const written = write(value);
        const canonical = canonicalDecimal(written);
        expect(canonical).toMatch(/^(-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        expect(canonical).not.toBe("-0");
        expect(canonicalDecimal(String(canonical))).toBe(canonical);
        const padded = written.replace(/^-?/, (sign) => sign + zeros.replaceAll(/\d/g, "0"));
        expect(canonicalDecimal(padded)).toBe(canonical);
        if (value >= 0n) expect(canonicalDecimal(`+${written}`)).toBe(canonical);
      }),
    );
  });

  it("says the same of a JSON number with an exponent as of its text without one", () => {
    fc.assert(
      fc.property(units, fc.integer({ min: -20, max: 20 }), (value, shift) => {
        const [whole = "", fraction = ""] = write(value).replace("-", "").split(".");
        const sign = value < 0n ? "-" : "";
        // The point moved by `shift` to the left, and back by the exponent.
        const all = `${"0".repeat(21)}${whole}${fraction}${"0".repeat(21)}`;
        const at = 21 + whole.length - shift;
        const written = `${sign}${all.slice(0, at).replace(/^0+(?=\d)/, "")}.${all.slice(at)}e${shift}`;
        expect(canonicalDecimal(exactNumber(written))).toBe(canonicalDecimal(write(value)));
      }),
    );
  });

  it("refuses more than 38 digits in all and more than 10 after the point, zeros at the ends aside", () => {
    const nonZero = digit.filter((one) => one !== "0");
    fc.assert(fc.property(nonZero, digits(38, 60), (first, rest) => expect(canonicalDecimal(first + rest)).toBeNull()));
    fc.assert(
      fc.property(digits(10, 20), nonZero, (fraction, last) =>
        expect(canonicalDecimal(`0.${fraction}${last}`)).toBeNull(),
      ),
    );
    expect(canonicalDecimal(`${"0".repeat(50)}1.5${"0".repeat(50)}`)).toBe("1.5");
    expect(canonicalDecimal("1234567890123456789012345678.0123456789")).not.toBeNull();
    expect(canonicalDecimal("12345678901234567890123456789.0123456789")).toBeNull();
  });

  it("refuses what is no plain decimal, whatever Number would make of it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        if (!/^[+-]?\d+(\.\d+)?$/.test(text)) expect(canonicalDecimal(text)).toBeNull();
      }),
    );
    for (const text of [
      "",
      " ",
      "1 ",
      "1e3",
      "0x1",
      "1_0",
      "Infinity",
      "NaN",
      "--1",
      "+-1",
      "1.",
      ".1",
      "1,5",
      "１",
      "٣",
      "1\n",
    ])
      expect([text, canonicalDecimal(text)]).toEqual([text, null]);
  });

  it("is at once with an exponent that would be a gigabyte of zeros", () => {
    for (const [written, canonical] of [
      ["1e999999999", null],
      ["1e-999999999", null],
      ["0e999999999", "0"],
      ["-0.00e-999999999", "0"],
    ] as const) {
      expect([written, canonicalDecimal(exactNumber(written))]).toEqual([written, canonical]);
    }
  });

  it("takes a row of a million zeros in no time, which a body may hold", () => {
    const begun = performance.now();
    for (const text of [`1.${"0".repeat(1_000_000)}1`, exactNumber(`1.${"0".repeat(1_000_000)}1`)])
      expect(canonicalDecimal(text)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
