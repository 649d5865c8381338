import fc from "fast-check";
import type { TSchema } from "../../../base/contract/schema.ts";
import type { CustomFieldTypeName } from "../../../model/custom-fields/definition.ts";
import type { Field } from "../../../model/fields/field.ts";

/** Texts that something could take for more than text, and pairs that are equal, or differ, only after folding. */
export const NASTY_TEXTS = [
  "100%",
  "100 percent",
  "a_b",
  "aXb",
  "back\\slash",
  'O\'Neil "Q"; drop table people; --',
  "Ångström",
  "A\u030angstro\u0308m",
  "e\u0301le\u0300ve",
  "élève",
  "İstanbul",
  "istanbul",
  "ISTANBUL",
  "ıssız",
  "Straße",
  "STRASSE",
  "ΟΔΟΣ",
  "ΟΔΟΣΗΜΑ",
  "οδος",
  "οδοσ",
  "J\u030co",
  "\u01f0o",
  "ſix µm",
  "SIX ΜM",
  "🦊 fox",
  "🦊",
  "a\u0323\u0307b",
  "ﬁn",
  "  pad ",
  "tab\tline\n",
  "null",
  '{"a":["b"]}',
  "[id]][eq]",
  "$1 ? :x",
  "x",
];

const anyText = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 4 }) },
  )
  .filter((text) => text.trim() !== "" && !text.includes("\u0000") && text.isWellFormed());

/** Non-empty text of at most so many UTF-16 units, in one of its normal forms. */
export function textOf(max = 30): fc.Arbitrary<string> {
  return fc
    .tuple(anyText, fc.constantFrom("NFC", "NFD", undefined))
    .map(([text, form]) => (form === undefined ? text : text.normalize(form)))
    .map((text) => (text.length <= max ? text : "cut"));
}

/** Few values in many spellings, so that equal ones meet. */
export const decimals = fc.constantFrom(
  "0",
  "-0",
  "1.5",
  "01.50",
  "+1.5",
  "10",
  "9",
  "-3.25",
  "0.1",
  "0.0000000001",
  "9007199254740993",
  "9007199254740992",
  "12345678901234567890.0123456789",
);

export const dates = fc.constantFrom(
  "0001-01-01",
  "1969-12-31",
  "2000-02-29",
  "2024-02-29",
  "2024-03-01",
  "9999-12-31",
);

/** What a write may send for a native field: from its schema, so that a field nobody thought of gets values too. */
export function nativeValue({ filter, write, storage }: Field): fc.Arbitrary<unknown> | undefined {
  if (!write || storage.shape !== "column") return undefined;
  const options = (write as { enum?: unknown[] }).enum;
  if (options) return fc.constantFrom(...options);
  const { items, maxLength } = write as { items?: TSchema & { maxLength?: number }; maxLength?: number };
  if (filter === "TEXT")
    return items
      ? fc.array(textOf(items.maxLength), { maxLength: 3 })
      : fc.option(textOf(maxLength), { nil: "", freq: 3 });
  if (filter === "DATE") return fc.option(dates, { freq: 2 });
  if (filter !== "NUMBER") throw new Error(`The tests have no values for fields of the kind ${filter}.`);
  if ("wholeNumber" in write) return fc.option(fc.constantFrom("1000", 1999, "2024", "2100"), { freq: 2 });
  return fc.option(
    decimals.filter((text) => !/^-./.test(text) && text.length <= 20),
    { freq: 2 },
  );
}

/** What a custom field may name. */
export interface Pools {
  labels: string[];
  users: { id: string }[];
  contacts: { id: string }[];
  objects: { id: string }[];
}

const some = <Value>(pool: Value[]): fc.Arbitrary<Value[]> =>
  fc.oneof(fc.subarray(pool, { maxLength: 3 }), fc.constant(pool.slice(0, 2)), fc.constant(pool.slice(0, 2).reverse()));

/** Type of custom field → what a write may send. Every type of the registry must be here, or this does not compile. */
export const CUSTOM_VALUES: Record<CustomFieldTypeName, (pools: Pools) => fc.Arbitrary<unknown>> = {
  textField: () => textOf(200),
  numericField: () => decimals,
  dateField: () => dates,
  singleSelect: ({ labels }) => fc.constantFrom(...labels),
  multipleSelect: ({ labels }) => some(labels),
  userField: ({ users }) => some(users),
  contactField: ({ contacts }) => some(contacts),
  objectField: ({ objects }) => some(objects),
};
