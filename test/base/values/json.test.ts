import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { canonicalDecimal } from "../../../base/values/decimal.ts";
import { isExactNumber, writtenOf } from "../../../base/values/exact-number.ts";
import { JsonError, parseJson } from "../../../base/values/json.ts";

const parse = (text: string) => parseJson(Buffer.from(text));

describe("parseJson (docs/guides/conventions.md#bodies, docs/guides/values.md#numbers)", () => {
  it("reads what JSON.stringify writes, names like __proto__ included", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const plain = (parsed: unknown): unknown =>
          JSON.parse(JSON.stringify(parsed), (_, one) => (isExactNumber(one) ? Number(writtenOf(one)) : one));
        expect(JSON.stringify(plain(parse(text)))).toBe(text);
      }),
    );
    const parsed = parse('{"__proto__":{"polluted":1},"constructor":2}') as object;
    expect(Object.keys(parsed)).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("keeps every number as it is written, whatever a double can hold", () => {
    const number = fc.tuple(
      fc.constantFrom("", "-"),
      fc.bigInt({ min: 0n, max: 10n ** 27n }),
      fc.option(fc.bigInt({ min: 0n, max: 10n ** 9n }), { nil: undefined }),
    );
    fc.assert(
      fc.property(number, ([sign, whole, fraction]) => {
        const written = `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}`;
        const [value] = parse(`[${written}]`) as [string | number];
        expect(canonicalDecimal(value)).toBe(canonicalDecimal(written));
      }),
    );
    expect(parse("[1.5,-3,0,1e3]")).toEqual([1.5, -3, 0, 1000]);
  });

  it("gives numbers of equal value as one number, however many zeros and whatever exponent they are written with", () => {
    const zeros = fc.integer({ min: 0, max: 30 }).map((count) => "0".repeat(count));
    const written = fc.tuple(
      // Zero has no first digit that could stand before other zeros: see below.
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0),
      zeros,
      fc.integer({ min: -40, max: 40 }),
    );
    fc.assert(
      fc.property(written, ([value, more, shift]) => {
        const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
        const [whole = "", fraction = ""] = mantissa.split(".");
        const shifted = `${whole}${fraction}${more}e${Number(exponent) - fraction.length - more.length}`;
        const pointed = `${whole}.${fraction}${more}0e${exponent}`;
        for (const text of [shifted, pointed, `${whole}${fraction}.${more}0e${Number(exponent) - fraction.length}`])
          expect(parse(`[${text},${shift}]`)).toEqual([value, shift]);
      }),
    );
    for (const text of ["0", "0.000000000000000000", "0e5", "0.0e-99", "0e400"])
      expect([text, parse(text)]).toEqual([text, 0]);
    for (const text of ["2000.000000000000", "200000000000000000000e-17", "2.0000000000000000e+3"])
      expect([text, parse(text)]).toEqual([text, 2000]);
    for (const text of ["2000.0000000000000001", "1e400", "1e-400", "1.23456789012345e-320"])
      expect([text, isExactNumber(parse(text))]).toEqual([text, true]);
  });

  it("takes no text for a number that it kept: the mark cannot be sent", () => {
    for (const text of ['"\\ud800#1"', '"\\uD800\\u0023"', '"\\ud800\\ud800#1"', '"\\u0000#1"'])
      expect([text, isExactNumber(parse(text))]).toEqual([text, false]);
    expect(isExactNumber(parse("9007199254740993"))).toBe(true);
  });

  it("counts 64 levels of nesting, not brackets in texts", () => {
    const nested = (levels: number, inner = "") => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;
    expect(() => parse(nested(64, '"[[[[{{{{\\"[["'))).not.toThrow();
    for (const text of [nested(65), `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, "[".repeat(1_000_000)])
      expect(() => parse(text)).toThrow(JsonError);
    expect(() => parse(`[${Array(100).fill("[]").join(",")}]`)).not.toThrow();
  });

  it("refuses what is no UTF-8 or no JSON in words for its sender", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const read = () => parseJson(Buffer.from(bytes));
        let isJson = true;
        try {
          JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
        } catch {
          isJson = false;
        }
        if (isJson) expect(read).not.toThrow();
        else expect(read).toThrow(JsonError);
      }),
    );
  });
});
