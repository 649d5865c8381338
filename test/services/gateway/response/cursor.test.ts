import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSeal } from "../../../../services/gateway/response/cursor.ts";
import { createEncryptedSeal } from "../../../../services/gateway/response/encrypted-cursor.ts";

const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
const number = fc.nat().map(String);

describe.each([
  ["cursors (docs/guides/lists.md#cursors)", createSeal, anyText],
  ["cursors of the feed (docs/guides/event-feed.md#cursors)", createEncryptedSeal, number],
] as const)("%s", (_, create, places) => {
  const seal = create(randomBytes(32));

  it("give back their position for the list they were made for", () => {
    fc.assert(
      fc.property(places, anyText, (position, binding) =>
        expect(seal.open(seal.seal(position, binding), binding)).toBe(position),
      ),
    );
  });

  it("are worth nothing for another list, changed anywhere, or made with another secret", () => {
    const other = create(randomBytes(32));
    fc.assert(
      fc.property(places, anyText, anyText, fc.nat(), fc.nat({ max: 62 }), (position, binding, foreign, at, shift) => {
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

describe("cursors of the feed", () => {
  const secret = randomBytes(32);
  const seal = createEncryptedSeal(secret);
  const bytesOf = (cursor: string) => Buffer.from(cursor, "base64url");

  it("show nothing of their position, neither by their bytes nor by their length nor by being the same again", () => {
    const positions = ["1", "2", "123456789012", "123456789012345.Zm9vYmFy", "1"];
    const cursors = positions.map((position) => seal.seal(position, "list"));
    expect(new Set(cursors).size).toBe(positions.length);
    expect(new Set(cursors.map(({ length }) => length))).toEqual(new Set([80]));
    const text = "123456789012345.Zm9vYmFy";
    for (const cursor of cursors) expect(bytesOf(cursor).includes(text.slice(0, 3))).toBe(false);
    // Where two bytes are the same, it is by chance: one in 256.
    const pairs = Array.from({ length: 200 }, () => [seal.seal(text, "list"), seal.seal(text, "list")].map(bytesOf));
    for (let i = 0; i < 60; i += 1) expect(pairs.filter(([a, b]) => a?.[i] === b?.[i]).length).toBeLessThan(20);
  });

  it("are valid with the same secret anywhere, and are no cursors of other lists", () => {
    const cursor = seal.seal("7.Zm9vYmFy", "list");
    expect(createEncryptedSeal(Buffer.from(secret)).open(cursor, "list")).toBe("7.Zm9vYmFy");
    expect(createSeal(secret).open(cursor, "list")).toBeNull();
    expect(seal.open(createSeal(secret).seal("7", "list"), "list")).toBeNull();
  });
});
