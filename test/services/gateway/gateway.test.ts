import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseQuery } from "../../../services/gateway/operation/query-string.ts";
import { createMatcher } from "../../../services/gateway/operation/router.ts";
import { type Route, routes } from "../../../services/gateway/operation/routes.ts";
import { createSeal } from "../../../services/gateway/response/cursor.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });

describe("cursors (gaps 2, Lists)", () => {
  const seal = createSeal(randomBytes(32));

  it("give back their position for the list they were made for", () => {
    fc.assert(
      fc.property(text, text, (position, binding) =>
        expect(seal.open(seal.seal(position, binding), binding)).toBe(position),
      ),
    );
  });

  it("are worth nothing for another list, changed anywhere, or made with another secret", () => {
    const other = createSeal(randomBytes(32));
    fc.assert(
      fc.property(text, text, text, fc.nat(), fc.nat({ max: 62 }), (position, binding, foreign, at, shift) => {
        const cursor = seal.seal(position, binding);
        if (foreign !== binding) expect(seal.open(cursor, foreign)).toBeNull();
        expect(other.open(cursor, binding)).toBeNull();
        const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        const i = at % cursor.length;
        const changed = letters[(letters.indexOf(cursor[i] ?? "") + 1 + shift) % 64];
        expect(seal.open(cursor.slice(0, i) + changed + cursor.slice(i + 1), binding)).toBeNull();
        for (const respelled of [`${cursor}=`, `${cursor}A`, cursor.slice(0, -1), ` ${cursor}`])
          expect(seal.open(respelled, binding)).toBeNull();
      }),
    );
  });

  it("tell binding and position apart wherever one ends and the other begins", () => {
    expect(seal.open(seal.seal("ab", "c"), "ca")).toBeNull();
    for (const forged of ["", "A", "e30", "A".repeat(22), "====", "é"]) expect(seal.open(forged, "x")).toBeNull();
  });
});

describe("parseQuery (design, trap 1)", () => {
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

describe("the matcher (gaps 1, Paths)", () => {
  const matcher = createMatcher(routes);

  it.each(routes.map((route) => [route.method, route.path, route] as [string, string, Route]))(
    "leads %s %s to its route",
    (method, path, route) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
      const values = Object.fromEntries(names.map((name) => [name, `${name} %2F/é`]));
      const found = matcher.match(
        method,
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "")),
      );
      expect(found.route).toBe(route);
      expect({ ...found.path }).toEqual(values);
    },
  );

  it("takes HEAD for GET, and decides by the path before the method: fixed segments win over parameters", () => {
    expect(matcher.match("HEAD", "/v1/people").route.action).toBe("people.list");
    expect(matcher.match("GET", "/v1/users/me").route.action).toBe("users.me");
    expect(() => matcher.match("GET", "/v1/groups/g/members/u")).toThrow("PATCH");
    for (const path of [
      "/v1/people/batch",
      "/v1/people/search/merge",
      "/v1/people/b%61tch/merge",
      "/v1/groups/g/custom-fields",
      "/v1/groups/g/members/u/merge",
      "/v1/groups/g/members/batch/create",
      "/v1/groups/g/Deals/batch",
      "/v1/people#batch",
    ])
      expect(() => matcher.match("POST", path)).toThrow(`nothing at ${path}`);
    // Elsewhere they are names like any other.
    expect(matcher.match("GET", "/v1/groups/g/batch").path).toEqual({ groupId: "g", objectType: "batch" });
    expect(matcher.match("PATCH", "/v1/groups/g/members/batch").path).toEqual({ groupId: "g", userId: "batch" });
    for (const path of ["/", "/v1/people/", "/v1//people", "/v1/groups//members", "/v1/people/a/b/c/d"])
      expect(() => matcher.match("GET", path)).toThrow("nothing at");
  });
});
