import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseQuery } from "../../../base/contract/query-string.ts";

const _text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });

describe("parseQuery (docs/guides/conventions.md#query-parameters)", () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "grapheme" })), {
    minLength: 1,
    maxLength: 30,
  });

  it("gives every parameter in its order, however often and whatever it is called", () => {
    fc.assert(
      fc.property(pairs, (sent) => {
        const query = sent.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
        expect(parseQuery(query).map(({ name, value }) => [name, value])).toEqual(sent);
        expect(parseQuery(new URLSearchParams(sent).toString()).map(({ name, value }) => [name, value])).toEqual(sent);
        expect(
          parseQuery(query)
            .map(({ raw }) => raw)
            .join("&"),
        ).toBe(query);
      }),
    );
  });

  it("reads a plus as a space, a name without = as empty, and loses neither repeats nor brackets", () => {
    const many = Array.from({ length: 30 }, (_, i) => `a=${i}`).join("&");
    expect(parseQuery(many).map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
    expect(parseQuery("filter[__proto__][eq]=1&&x&y=a+b%2B=c").map(({ name, value }) => [name, value])).toEqual([
      ["filter[__proto__][eq]", "1"],
      ["x", ""],
      ["y", "a b+=c"],
    ]);
    for (const broken of ["%", "a=%zz", "a=%ff", "%c0%80=1"])
      expect(() => parseQuery(broken)).toThrow("percent-decoded");
  });
});
