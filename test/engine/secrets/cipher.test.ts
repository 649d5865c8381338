import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSealing, isPlain, keyIdOf } from "../../../engine/secrets/cipher.ts";
import { keyOf } from "../../../engine/secrets/key.ts";

const key = () => keyOf(randomBytes(32), "ENCRYPTION_KEYS");

// docs/guides/database.md#encryption
describe("A sealing", () => {
  const [first, second] = [key(), key()];
  const sealing = createSealing([first, second]);

  it.each(["", "whsec_abc", "Zoë 😀".repeat(1000)])("gives back what was sealed, and shows none of it: %#", (text) => {
    const sealed = sealing.seal(text, "webhook 1");
    expect(sealing.open(sealed, "webhook 1")).toBe(text);
    expect(text !== "" && sealed.includes(Buffer.from(text))).toBe(false);
  });

  it("never gives the same bytes twice", () => {
    const seals = Array.from({ length: 100 }, () => sealing.seal("the same", "p").toString("hex"));
    expect(new Set(seals).size).toBe(100);
  });

  it("is told apart from a text that is stored as it is by its first byte, and names its key", () => {
    const sealed = sealing.seal("{}", "p");
    expect([isPlain(sealed), keyIdOf(sealed)]).toEqual([false, first.id]);
    for (const text of ["{}", "[]", '"a"', "1", "-1", "null", "true", " 1", "whsec_a", "\u00e9"])
      expect([isPlain(Buffer.from(text)), keyIdOf(Buffer.from(text))]).toEqual([true, null]);
  });

  it("opens nothing for another purpose", () => {
    expect(() => sealing.open(sealing.seal("text", "webhook 1"), "webhook 2")).toThrow("of another row");
  });

  it("opens nothing of which a single bit was changed, or a byte is missing", () => {
    const sealed = sealing.seal("text", "p");
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealing.open(changed, "p")).toThrow();
      expect(() => sealing.open(sealed.subarray(0, at), "p")).toThrow();
    }
  });

  it("seals with the first key and opens with all of them, in whatever order", () => {
    const older = createSealing([second]).seal("old", "p");
    expect(sealing.open(older, "p")).toBe("old");
    expect(keyIdOf(sealing.seal("new", "p"))).toBe(first.id);
  });

  it("names a key that is not known by its id, and what to set; nothing of the secret", () => {
    let asked = 0;
    const stranger = createSealing([key()], () => {
      asked += 1;
    });
    const sealed = sealing.seal("a secret", "webhook 1");
    const error = failureOf(() => stranger.open(sealed, "webhook 1"));
    expect(error).toMatch(new RegExp(`webhook 1 .*${first.id}.*ENCRYPTION_KEYS`));
    expect(error).not.toContain("a secret");
    expect(asked).toBe(1);
  });

  it("without any key stores a text as it is, which all keys open, and opens nothing that a key has sealed", () => {
    const stored = createSealing([]).seal("whsec_\u00e9", "p");
    expect(stored.toString()).toBe("whsec_\u00e9");
    for (const one of [sealing, createSealing([])]) expect(one.open(stored, "p")).toBe("whsec_\u00e9");
    expect(failureOf(() => createSealing([]).open(sealing.seal("text", "p"), "p"))).toContain("ENCRYPTION_KEYS");
  });
});

function failureOf(work: () => unknown): string {
  try {
    work();
    return "nothing failed";
  } catch (error) {
    return (error as Error).message;
  }
}
