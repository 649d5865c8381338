import { expect, it } from "@jest/globals";
import { trimmed } from "contact-workspace-readers/cell-text";
import { entriesOf } from "../../../model/custom-fields/list.ts";
import { USUAL_SPLITS, valueCell } from "../../../tools/export/list-cells.ts";
import { valuesOf } from "../../../tools/import/cells.ts";
import type { Column } from "../../../tools/import/columns.ts";
import { composeAddresses } from "../../../tools/import/composed.ts";
import { fieldOf } from "../../../tools/import/heading-meaning.ts";
import { withItsDigits } from "../../../tools/import/lost-digits.ts";
import { createKeyLines } from "../../../tools/import/repeated.ts";

const column = (more: Partial<Column>): Column => ({
  index: 0,
  heading: "Email",
  target: { to: "field", name: "emails", isList: true },
  ...more,
});

it.each([
  [" a b ", "a b"],
  ["\u00a0ada@acme.test\u202f", "ada@acme.test"],
  ["\u202a+44 20 7946 0000\u202c", "+44 20 7946 0000"],
  ["\ufeffone\n\n two\t\n", "one\n\n two"],
  ["é", "é"],
  [" \u200b\n ", ""],
])("a cell is trimmed of blanks of every kind, and line breaks within it stay: %j", (cell, text) => {
  expect(trimmed(cell)).toBe(text);
});

it("a cell is split into trimmed values, each of them once, by a text or an expression", () => {
  expect(valuesOf(column({ split: ";" }), " a@x.test ;b@x.test;; a@x.test").values).toEqual(["a@x.test", "b@x.test"]);
  expect(valuesOf(column({ split: /\s*:::\s*|\n/ }), "a ::: b\nc").values).toEqual(["a", "b", "c"]);
  expect(valuesOf(column({}), "a; b").values).toEqual(["a; b"]);
  expect(valuesOf(column({ pattern: /<(.+)>/ }), "Ada <a@x.test>").values).toEqual(["a@x.test"]);
  expect(valuesOf(column({ pattern: /<(.+)>/ }), "Ada")).toEqual({
    values: [],
    fault: '"Ada" does not match the pattern <(.+)>',
  });
});

it.each(["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"])(
  "a line break within a cell is LF, whatever the file has: %j",
  (end) => {
    expect(valuesOf(column({ target: { to: "custom", name: "Log" } }), `one${end}two`).values).toEqual(["one\ntwo"]);
    expect(valuesOf(column({ split: USUAL_SPLITS.get("emails") }), `a@x.test${end}b@x.test`).values).toHaveLength(2);
  },
);

it("blanks and hyphens of every kind are the ordinary ones, and unseen signs are taken out, but not of texts", () => {
  const at = (name: string, cell: string) =>
    valuesOf(column({ target: { to: "field", name, isList: false } }), cell).values[0];
  expect(at("fullName", "Ann\u00a0B.\u3000Field\u00ad\u200b\ufeffing\u2067")).toBe("Ann B. Fielding");
  // These join the letters of Persian and the parts of a picture.
  const joined = "\u0645\u06cc\u200c\u062e \u{1f469}\u200d\u{1f4bb}";
  expect(at("fullName", joined)).toBe(joined);
  expect(at("emails", "\u200ebob@\u200bfield\u200c\u200d\u2060.te\u00adst")).toBe("bob@field.test");
  expect(at("phones", "\u202a+1\u00a0555\u202f\u200e0140\u202c")).toBe("+1 555 0140");
  expect(at("phones", "+1\u2011555\u20110141")).toBe("+1-555-0141");
  expect(at("lastName", "Smith\u2010Jones")).toBe("Smith-Jones");
  expect(at("urls", "https://x.te\u200bst/\u2066a")).toBe("https://x.test/a");
  expect(at("description", "\u20665\u00a0% \u2011 \u200fx\u2069")).toBe("5\u00a0% \u2011 \u200fx");
});

it.each([
  ["4.94E+11", undefined],
  ["4,9E11", undefined],
  ["####", undefined],
  ["4.94123456789E+11", "494123456789"],
  ["+49 30 1", "+49 30 1"],
  ["3E5", "3E5"],
])("a text that has lost its digits in a spreadsheet is refused: %j", (text, value) => {
  const read = withItsDigits(text);
  expect("value" in read ? read.value : undefined).toBe(value);
});

it("of what people write around an e-mail address the address is taken, and n/a is none", () => {
  const [split, phones] = [
    USUAL_SPLITS.get("emails"),
    column({ target: { to: "field", name: "phones", isList: true } }),
  ];
  const emails = (cell: string) => valuesOf(column({ split }), cell).values;
  expect(emails("Ada <a@x.test>, Lovelace, A <b@x.test>; mailto:c@x.test,<d@x.test>")).toEqual([
    "a@x.test",
    "b@x.test",
    "c@x.test",
    "d@x.test",
  ]);
  for (const cell of ["-", "–", "n/a", "N/A", "#N/A", "none", "NULL"]) {
    expect(emails(cell)).toEqual([]);
    expect(valuesOf({ ...phones, split: USUAL_SPLITS.get("phones") }, cell).values).toEqual([]);
    // An export puts such a value in quotes.
    expect(emails(valueCell("emails", cell))).toEqual([cell]);
  }
  expect(emails(valueCell("emails", "Ada <a@x.test>"))).toEqual(["Ada <a@x.test>"]);
});

it("very many blanks within a cell or a heading are read at once", () => {
  const blanks = " ".repeat(1_000_000);
  for (const [name, split] of USUAL_SPLITS) {
    const list = column({ target: { to: "field", name, isList: true }, split });
    expect(valuesOf(list, ` a${blanks}b `).values).toHaveLength(1);
    expect(valuesOf(list, `a${"\n".repeat(1_000_000)}b`).values).toEqual(["a", "b"]);
    for (const text of ["a", "a.", "a,", "a, ", "a.b ", "a.b,", "a.b   ", "x://"])
      expect(valuesOf(list, text.repeat(200_000)).values.length).toBeGreaterThan(0);
  }
  expect(composeAddresses(new Map([["whole", [`a${blanks}b`]]]))).toHaveLength(1);
  expect(fieldOf("people", `a${blanks}b`)).toBeUndefined();
  expect(fieldOf("people", `a${"0".repeat(1_000_000)}b`)).toBeUndefined();
  expect(entriesOf([`a${"\n".repeat(1_000_000)} "b;c" ;d`], false)).toEqual(["a", "b;c", "d"]);
});

it("the lines of keys are found among very many, the first of each", () => {
  const lines = createKeyLines();
  for (let i = 1; i <= 20_000; i++) lines.add(`key ${i}`, i);
  for (let i = 1; i <= 20_000; i++) lines.add(`key ${i}`, i + 1);
  expect(lines.lineOf("key 1")).toBe(1);
  expect(lines.lineOf("key 19999")).toBe(19_999);
  expect(lines.lineOf("key 20001")).toBeUndefined();
});
