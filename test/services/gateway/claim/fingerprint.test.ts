import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseQuery } from "../../../../base/contract/query-string.ts";
import { parseJson } from "../../../../base/values/json.ts";
import { fingerprintOf } from "../../../../services/gateway/claim/fingerprint.ts";
import type { Match } from "../../../../services/gateway/operation/router.ts";

const ROUTE: Match = {
  route: { method: "POST", path: "/v1/people", action: "people.create", kind: "write" },
  path: {},
};

const of = (body: string, query = "") => fingerprintOf(ROUTE, parseQuery(query), parseJson(Buffer.from(body)));

/** Bodies with numbers that a double holds exactly: what JSON.stringify writes is then what was meant. */
const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
const spaces = fc.infiniteStream(fc.constantFrom("", "", " ", "\n", "\t ", "\r\n"));
const coins = fc.infiniteStream(fc.boolean());

/**
 * The same value in another spelling: keys in another order, other white space, escapes for letters, other numerals.
 */
function respell(value: unknown, space: () => string, coin: () => boolean): string {
  const inner = (one: unknown) => `${space()}${respell(one, space, coin)}${space()}`;
  if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${space()}${escaped(name, coin)}${space()}:${inner(member)}`,
    );
    return `{${(coin() ? members.reverse() : members).join(",")}}`;
  }
  if (typeof value === "string") return escaped(value, coin);
  return typeof value === "number" && coin() ? numeral(value) : JSON.stringify(value);
}

function escaped(text: string, coin: () => boolean): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const all = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  return coin() ? `"${all}"` : JSON.stringify(text);
}

/** A number with an exponent that changes nothing, and a zero behind its point. */
function numeral(value: number): string {
  const [mantissa = "", exponent = "0"] = JSON.stringify(value).split("e");
  return `${mantissa.includes(".") ? `${mantissa}0` : `${mantissa}.0`}e${exponent}`;
}

describe("The fingerprint of a request (docs/guides/idempotency.md#what-makes-two-requests-the-same)", () => {
  it("is the same for equal JSON in any spelling", () => {
    fc.assert(
      fc.property(json, spaces, coins, (value, spaceStream, coinStream) => {
        const respelled = respell(
          value,
          () => spaceStream.next().value,
          () => coinStream.next().value,
        );
        expect(of(respelled)).toBe(of(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });

  it("is another for another value", () => {
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isEqual = sameJson(plain(one), plain(other));
        expect(of(JSON.stringify(one)) === of(JSON.stringify(other))).toBe(isEqual);
      }),
      { numRuns: 500 },
    );
  });

  it("is another wherever in a body one value is changed", () => {
    fc.assert(
      fc.property(json, json, fc.nat(), (body, put, at) => {
        const places = placesIn(body);
        const place = places[at % places.length] ?? [];
        const changed = replaced(body, place, put);
        fc.pre(!sameJson(body, changed));
        expect(of(JSON.stringify(changed))).not.toBe(of(JSON.stringify(body)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["numerals of one value", ["1", "1.0", "1e0", "10e-1", "0.1e1", `1.${"0".repeat(40)}`]],
    ["zeros", ["0", "-0", "0.0", "0e999999999", "-0.0e5"]],
    [
      "numbers beyond a double and beyond what a value may have",
      ["1e400", "10e399", "0.01e402", `1${"0".repeat(400)}`],
    ],
    ["numbers of more digits than a double has", ["9007199254740993", "9007199254740993.0", "9007199254740993e0"]],
    ["small numbers", ["1e-15", "0.000000000000001", "1.00000000000000000e-15"]],
  ])("takes %s for the same", (_, numerals) => {
    expect(new Set(numerals.map((numeral) => of(`{"a":${numeral}}`))).size).toBe(1);
  });

  it("tells apart what looks alike", () => {
    const bodies = [
      ..."1|2|-1|9007199254740992|9007199254740993|1e400|1e401|true|false|null|[]|{}|[[]]|[1]".split("|"),
      '"1"',
      '"true"',
      '"\\ud800#1"',
      '"\\ud800#1e400"',
      '{"a":1}',
      '{"a":"1"}',
      '{"a":null}',
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"A":1}',
      "[1,2]",
      "[12]",
      '["1,2"]',
    ];
    expect(new Set(bodies.map((body) => of(body))).size).toBe(bodies.length);
  });

  it("takes parameters of the query in any order, and the values of a repeated one in theirs", () => {
    expect(of("{}", "a=1&b=2")).toBe(of("{}", "b=2&a=1"));
    expect(of("{}", "a=1&b=%32&a=3")).toBe(of("{}", "b=2&a=1&a=3"));
    const others = ["", "a=1", "a=1&a=2", "a=2&a=1", "a=1&b=2", "a=1%26b=2", "a=&b=", "A=1"];
    expect(new Set(others.map((query) => of("{}", query))).size).toBe(others.length);
  });

  it("takes a row of a million zeros in no time", () => {
    const begun = performance.now();
    of(`{"a":1.${"0".repeat(1_000_000)}1}`);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

/** Equality of JSON: -0 is 0, and the order of keys does not count. */
function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

type Place = (string | number)[];

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))];
}

function replaced(value: unknown, [name, ...rest]: Place, put: unknown): unknown {
  if (name === undefined || typeof value !== "object" || value === null) return put;
  if (Array.isArray(value))
    return value.map((member, i) => (String(i) === name ? replaced(member, rest, put) : member));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === name ? replaced(member, rest, put) : member]),
  );
}
