import { expect, test } from "@jest/globals";
import type { Column } from "../../../tools/import/columns.ts";
import { nativeValue } from "../../../tools/import/scalars.ts";

const column: Column = { index: 0, heading: "Size", target: { to: "field", name: "employeeRange", isList: false } };
const decided = { kind: "companies", orders: new Map(), numbers: new Map(), today: "2026-11-23" } as const;

// docs/guides/import-columns.md#cells
test.each([
  ["M", "Male"],
  ["Weiblich", "Female"],
  ["divers", "Other"],
  ["?", "?"],
])("a gender %j becomes %j", (text, gender) => {
  expect(nativeValue(decided, { ...column, heading: "Sex" }, "gender", text)).toEqual({ value: gender });
});

test.each([
  ["7", "1-10"],
  ["1,200", "1001-5000"],
  ["11-50", "11-50"],
  ["2-10", "1-10"],
  ["0-1", "1-10"],
  ["1,001 – 5,000 employees", "1001-5000"],
  ["51-200 Mitarbeiter", "51-200"],
  ["10,001+", "10000+"],
  ["10000+", "10000+"],
  ["0", "0"],
  ["5-60", "5-60"],
  ["500+", "500+"],
  ["1.5", "1.5"],
  ["about 50", "about 50"],
])("a number of employees %j becomes the range %j", (text, range) => {
  expect(nativeValue(decided, column, "employeeRange", text)).toEqual({ value: range });
});
