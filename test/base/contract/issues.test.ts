import { describe, expect, it } from "@jest/globals";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { closed, nullable, oneOf, plainText, Type } from "../../../base/contract/schema.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import { exactNumber } from "../../../base/values/exact-number.ts";

const schema = closed({
  name: plainText(3),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  kind: Type.Optional(nullable(oneOf(["a", "b"]))),
  list: Type.Optional(
    Type.Array(closed({ id: Type.String({ minLength: 2, maxLength: 2 }) }), { minItems: 1, maxItems: 2 }),
  ),
});

const bound = (type: string, limit: object, exact = false) => ({ ...limit, type, inclusive: true, exact });

// Faults one by one are swept over HTTP (test/contract/bodies.slow.test.ts); here, what several of them together
// become.
describe("issues (docs/guides/conventions.md#issues)", () => {
  const CASES: [title: string, value: unknown, issues: Omit<Issue, "message">[]][] = [
    ["none for what fits", { name: "abc", kind: null }, []],
    [
      "one for several unknown keys of one object",
      { name: "a", x: 1, y: 2 },
      [{ code: "unrecognized_keys", keys: ["x", "y"], path: [] }],
    ],
    [
      "one for each object with unknown keys",
      { name: "a", x: 1, list: [{ id: "12", y: 2 }] },
      [
        { code: "unrecognized_keys", keys: ["x"], path: [] },
        { code: "unrecognized_keys", keys: ["y"], path: ["list", 0] },
      ],
    ],
    [
      "only the type of what has a wrong one",
      { name: 7, kind: 7, size: "x" },
      [
        { code: "invalid_type", expected: "string", received: "number", path: ["name"] },
        { code: "invalid_type", expected: "integer", received: "string", path: ["size"] },
        { code: "invalid_type", expected: "'a' | 'b'", received: "number", path: ["kind"] },
      ],
    ],
    [
      "all faults of a list, at their indexes",
      { name: "a", list: [{ id: "1" }, {}, { id: "123" }] },
      [
        { code: "too_big", ...bound("array", { maximum: 2 }), path: ["list"] },
        { code: "too_small", ...bound("string", { minimum: 2 }, true), path: ["list", 0, "id"] },
        { code: "invalid_type", expected: "string", received: "undefined", path: ["list", 1, "id"] },
        { code: "too_big", ...bound("string", { maximum: 2 }, true), path: ["list", 2, "id"] },
      ],
    ],
    [
      "a float where a whole number is wanted, and bounds that are inclusive",
      { name: "a", size: 1.5 },
      [{ code: "invalid_type", expected: "integer", received: "float", path: ["size"] }],
    ],
    [
      "a number for one that was kept exact",
      { name: exactNumber("1e400") },
      [{ code: "invalid_type", expected: "string", received: "number", path: ["name"] }],
    ],
    [
      "a number also where a word, a whole number or a list is wanted",
      {
        name: "a",
        kind: exactNumber("12345678901234567890"),
        size: exactNumber("1e400"),
        list: exactNumber("12345678901234567890"),
      },
      [
        { code: "invalid_type", expected: "'a' | 'b'", received: "number", path: ["kind"] },
        { code: "invalid_type", expected: "integer", received: "float", path: ["size"] },
        { code: "invalid_type", expected: "array", received: "number", path: ["list"] },
      ],
    ],
    [
      "the options without null",
      { name: "a", kind: "c" },
      [{ code: "invalid_enum_value", options: ["a", "b"], received: "c", path: ["kind"] }],
    ],
  ];
  it.each(CASES)("are %s", (_, value, wanted) => {
    const got = issuesOf(schema, value).map(({ message, ...issue }) => {
      expect(message).not.toBe("");
      return issue;
    });
    expect(got).toHaveLength(wanted.length);
    expect(got).toEqual(expect.arrayContaining(wanted));
  });

  it("stand below the place that is given, and name members with slashes and tildes as they are", () => {
    const odd = closed({ "a/b~c": Type.Integer() });
    expect(issuesOf(odd, { "a/b~c": "x" }, ["records", 3]).map(({ path }) => path)).toEqual([["records", 3, "a/b~c"]]);
  });

  it("are at most a thousand, so that the answer stays smaller than the request", () => {
    expect(issuesOf(Type.Array(Type.Integer()), Array(5000).fill("x"))).toHaveLength(1000);
  });

  it("count UTF-16 units", () => {
    expect(issuesOf(plainText(2), "😀")).toEqual([]);
    expect(issuesOf(plainText(1), "😀")).toMatchObject([{ code: "too_big", maximum: 1 }]);
  });

  it("quote at most 1,000 characters of a name or a text of the request (docs/guides/limits.md#sizes)", () => {
    const long = "é".repeat(1_000_000);
    const shown = `${"é".repeat(999)}…`;
    expect(issuesOf(schema, { name: "a", [long]: 1, kind: long })).toMatchObject([
      { code: "invalid_enum_value", received: shown },
      { code: "unrecognized_keys", keys: [shown] },
    ]);
    const { message, data } = unprocessable([custom(["values", long, 0], "Wrong")]);
    expect([message.length, data.details?.issues?.[0]?.path]).toEqual([1000, ["values", shown, 0]]);
    expect(unprocessable([custom([`${"x".repeat(998)}\u{1F600}y`], "Wrong")]).data.details?.issues?.[0]?.path).toEqual([
      `${"x".repeat(998)}\uFFFD…`,
    ]);
  });
});
