import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSeal } from "../../../../services/gateway/response/cursor.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });

describe("cursors (docs/guides/filters.md#cursors)", () => {
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
