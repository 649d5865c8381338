import { expect, it } from "@jest/globals";
import { trimmed, valuesOf } from "../../../cli/import/cells.ts";
import type { Column } from "../../../cli/import/columns.ts";
import { composeAddresses } from "../../../cli/import/composed.ts";
import { fieldOf } from "../../../cli/import/heading-meaning.ts";
import { createKeyLines } from "../../../cli/import/key-lines.ts";
import { withItsDigits } from "../../../cli/import/lost-digits.ts";
import { entriesOf } from "../../../lib/custom-fields/list.ts";
import { USUAL_SPLITS, valueCell } from "../../../lib/exports/list-cells.ts";

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

it("a value has LF for every line break, and no blanks and signs that are not seen", () => {
  const texts = (name: string, cell: string) =>
    valuesOf(column({ target: { to: "field", name, isList: false } }), cell).values;
  expect(texts("description", "a\r\nb\rc\nd\u200be")).toEqual(["a\nb\nc\nd\u200be"]);
  expect(texts("fullName", "Ann\u00a0B\u00ado\u200cb")).toEqual(["Ann Bo\u200cb"]);
  expect(texts("emails", "bob@\u200bx\u200d.test\ufeff")).toEqual(["bob@x.test"]);
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
