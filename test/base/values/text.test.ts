import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isDate } from "../../../base/values/dates.ts";
import { type IdKind, idLength, madeAt, newUuid, PREFIXES, toId, uuidOf } from "../../../base/values/ids.ts";
import { canEqual, comparable, comparableEmail, foldedText, isPlainText } from "../../../base/values/text.ts";
import { everyCharacter } from "../../support/characters.ts";

describe("isDate (docs/guides/values.md#dates-times-and-time-zones)", () => {
  it("takes every day that the calendar has, years 0001 to 9999", () => {
    // From the first to the last day; Date counts without leap seconds and by the same calendar.
    const days = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(fc.property(days, (day) => expect(isDate(day.toISOString().slice(0, 10))).toBe(true)));
  });

  it("knows leap years by four, a hundred and four hundred", () => {
    for (const year of ["0004", "1600", "2000", "2024", "2400"])
      expect([year, isDate(`${year}-02-29`)]).toEqual([year, true]);
    for (const year of ["0001", "1900", "2023", "2100"]) expect([year, isDate(`${year}-02-29`)]).toEqual([year, false]);
  });

  it("takes no other combination of digits", () => {
    const numbers = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 99 }),
    );
    fc.assert(
      fc.property(numbers, ([year, month, day]) => {
        const text = [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join(
          "-",
        );
        const real = new Date(`${text}T00:00:00Z`);
        const exists = year > 0 && !Number.isNaN(real.getTime()) && real.toISOString().startsWith(text);
        expect([text, isDate(text)]).toEqual([text, exists]);
      }),
    );
    for (const text of [
      "2024-2-3",
      "24-02-03",
      "2024-02-03T00:00:00Z",
      " 2024-02-03",
      "２０２４-02-03",
      "+2024-02-03",
      "-2024-02-03",
      "tomorrow",
      "",
    ])
      expect([text, isDate(text)]).toEqual([text, false]);
  });
});

describe("ids (docs/guides/values.md#identifiers)", () => {
  const kinds = Object.keys(PREFIXES) as IdKind[];

  it("have 40 characters, options 41, whose prefix is longer", () => {
    for (const kind of kinds) expect([kind, toId(kind, newUuid()).length]).toEqual([kind, kind === "option" ? 41 : 40]);
    for (const kind of kinds) expect(toId(kind, newUuid())).toHaveLength(idLength(kind));
  });

  it("lead back to their uuid, and name nothing as another kind or in another spelling", () => {
    const uuid = newUuid();
    for (const kind of kinds) {
      const id = toId(kind, uuid);
      expect(uuidOf(kind, id)).toBe(uuid);
      for (const other of kinds) if (other !== kind) expect(uuidOf(other, id)).toBeNull();
      for (const wrong of [
        id.toUpperCase(),
        ` ${id}`,
        `${id}0`,
        id.slice(0, -1),
        id.replaceAll("-", ""),
        `${PREFIXES[kind]}-${uuid}`,
      ])
        expect(uuidOf(kind, wrong)).toBeNull();
    }
  });

  it("ascend in the order of their making, and tell the millisecond of it", () => {
    const before = Date.now();
    const uuids = Array.from({ length: 5000 }, newUuid);
    expect([...uuids].sort()).toEqual(uuids);
    for (const uuid of [...uuids.slice(0, 1), ...uuids.slice(-1)]) {
      const made = madeAt(uuid).getTime();
      expect(made).toBeGreaterThanOrEqual(before);
      // The counter of a busy millisecond may run over into the next.
      expect(made).toBeLessThanOrEqual(Date.now() + 2);
    }
  });
});

describe("texts (docs/guides/values.md#text)", () => {
  it("are plain when PostgreSQL and JSON can hold them: no NUL, no unpaired surrogate", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const holds = Buffer.from(text).toString() === text && !text.includes("\0");
        expect(isPlainText(text)).toBe(holds);
      }),
    );
  });

  it("compare by code point after NFC, addresses of users without letter case", () => {
    expect(comparable("Cafe\u0301")).toBe(comparable("Café"));
    expect(comparable("Café")).not.toBe(comparable("CAFÉ"));
    expect(comparable("ﬁ")).not.toBe(comparable("fi"));
    expect(comparableEmail("Ada.É@X.test")).toBe(comparableEmail("ada.e\u0301@x.TEST"));
    expect(comparableEmail("ΟΔΥΣ.ΠΑΠΠΑΣ@X.test")).toBe(comparableEmail("οδυς.παππας@x.test"));
  });

  it("can equal texts of a quarter of their length and of no fewer units", () => {
    const all = [...everyCharacter()].filter((one) => one.normalize("NFD") !== one);
    const decomposed = new Map(all.map((one) => [one, [...one.normalize("NFD")]]));
    // The longest way to write each character that is left when all are decomposed.
    const longest = new Map<string, number>();
    for (const [one, [first = "", ...more]] of decomposed)
      if (more.length === 0) longest.set(first, Math.max(longest.get(first) ?? first.length, one.length));
    for (const one of longest.keys()) decomposed.set(one, [one]);
    const units = (parts: string[]) => parts.reduce((sum, part) => sum + (longest.get(part) ?? part.length), 0);
    const wrong = [...decomposed].filter(([one, parts]) => !canEqual("x".repeat(units(parts)), one.length));
    expect(wrong).toEqual([]);
    expect(canEqual("\u1f82".normalize("NFD"), 1)).toBe(true);
    expect(canEqual("xxxxx", 1)).toBe(false);
  });
});

describe("folded texts (docs/guides/filters.md#like)", () => {
  it("are the same for a letter in either case and in each of its forms, wherever it stands in a word", () => {
    const expression = (letter: string) => new RegExp(`^\\u{${letter.codePointAt(0)?.toString(16)}}$`, "iu");
    const wrong = [...everyCharacter()].filter((letter) => {
      const [one = "", ...more] = letter.normalize("NFC");
      if (more.length > 0 || !/[\p{L}\p{M}]/u.test(one)) return false;
      const others = [one.toUpperCase(), one.toLowerCase(), one.toUpperCase().toLowerCase()];
      const alike = others.filter((other) => [...other].length === 1 && expression(one).test(other));
      return alike.some((other) =>
        [
          ["", ""],
          ["a", ""],
          ["", "a"],
          ["a", "a"],
        ].some(
          ([before, behind]) => foldedText(`${before}${other}${behind}`) !== foldedText(`${before}${one}${behind}`),
        ),
      );
    });
    expect(wrong).toEqual([]);
  });

  it("are found in folded texts that they are a part of, cut between any two characters", () => {
    const letters = fc.constantFrom(..."ΟΔΣσς .'aſS\u00b5\u1e9eİı7");
    fc.assert(
      fc.property(
        fc.string({ unit: letters, maxLength: 8 }),
        fc.string({ unit: letters, maxLength: 8 }),
        (one, other) => expect(foldedText(one + other)).toBe(foldedText(one) + foldedText(other)),
      ),
    );
  });

  it("are normalized behind lower case too, and hold no capital that could part fields", () => {
    expect(foldedText("J\u030c")).toBe(foldedText("\u01f0"));
    expect(foldedText("S\u0301\u017f\u0301")).toBe("śś");
    const capitals = [...everyCharacter()].filter((letter) => /[EF]/.test(foldedText(letter)));
    expect(capitals).toEqual([]);
  });

  it("keep apart what is not one letter in two forms", () => {
    for (const [one, other] of [
      ["ß", "ss"],
      ["ﬁ", "fi"],
      ["ı", "i"],
      ["é", "e"],
    ] as const)
      expect(foldedText(one)).not.toBe(foldedText(other));
  });
});
