import { describe, expect, it } from "@jest/globals";
import { createNumberColumn, numberIn } from "../../../tools/import/numbers.ts";

/** What becomes of each cell of a column: its number, or what is wrong with it. */
function read(texts: string[], field?: string): (string | undefined)[] {
  const column = createNumberColumn();
  for (const text of texts) column.see(text);
  return texts.map((text) => {
    const { value, fault } = numberIn(text, column, field);
    return fault ?? value;
  });
}
const one = (text: string) => read([text])[0];

// docs/guides/import-columns.md#numbers
describe("A number as people write it", () => {
  it.each([
    ["1200", "1200"],
    ["-0012.50", "-12.5"],
    ["$1,200,000", "1200000"],
    ["1.200.000,50 €", "1200000.5"],
    ["CHF 1’200.00", "1200"],
    ["1 200,50", "1200.5"],
    ["1,200", undefined],
    ["$1,200", "1200"],
    ["1.200 €", "1200"],
    ["$1,200 USD", "1200"],
    ["1.2M", "1200000"],
    ["$1.2m", "1200000"],
    ["€ 2,5 Mrd.", "2500000000"],
    ["5 Mio. €", "5000000"],
    ["500k", "500000"],
    ["12.5 %", "12.5"],
    ["(1,200.00)", "-1200"],
    ["−5", "-5"],
    ["1.125", "1.125"],
    ["1.23E+05", "123000"],
    ["-4,94e+02", "-494"],
    ["1E+03", "1000"],
    ["1.2E-03", "0.0012"],
    ["0,125", "0.125"],
    ["12345,678", "12345.678"],
  ])("%j is %j", (text, number) => {
    if (number === undefined) expect(one(text)).toMatch(/may be 1200 or 1.2, and the column does not tell/);
    else expect(one(text)).toBe(number);
  });

  it.each(["about 5", "1.80 m", "5 kg", "5 ABC", "1,00,000", "1.2.3", "12 34", "(5", "1e5", "5 - 10"])(
    "%j is none",
    (text) => {
      expect(one(text)).toBe(`${JSON.stringify(text)} is not a number: write it like 1200.50`);
    },
  );
});

it("a number with a power of ten has lost its digits where others of the column have very many", () => {
  const told = '"4.94E+11" has lost its digits in a spreadsheet: write the number there as text, and export it anew';
  expect(read(["494123456789", "4.94E+11", "1.23E+05"])).toEqual(["494123456789", told, expect.any(String)]);
  expect(read(["494000", "4.94E+11"])).toEqual(["494000", "494000000000"]);
});

describe("The sign before decimals", () => {
  it("is found by column where a cell does not tell", () => {
    expect(read(["1.200", "12,5"])).toEqual(["1200", "12.5"]);
    expect(read(["1,200", "12.5"])).toEqual(["1200", "12.5"]);
    expect(read(["1.200", "2.5"])).toEqual(["1.2", "2.5"]);
    expect(read(["$1.125M", "$2.5M"])).toEqual(["1125000", "2500000"]);
  });

  it("is a point in numbers as the API writes them", () => {
    expect(read(["1.125", "17.001"])).toEqual(["1.125", "17.001"]);
  });

  it("is not guessed: where the column does not tell, or tells both, cells that need it are refused", () => {
    const fault = '"1.200" may be 1.2 or 1200, and the column does not tell: write it like 1200.50';
    expect(read(["1.200", "7"])).toEqual([fault, "7"]);
    expect(read(["1.200", "2.5", "2,5"])).toEqual([fault, "2.5", "2.5"]);
  });
});

describe("A currency", () => {
  it("is that of the first amount in the column, and another one is refused", () => {
    expect(read(["5", "€5", "6 €", "$7", "8 %"])).toEqual(["5", "5", "6", '"$7" is not in €', '"8 %" is not in €']);
  });

  it("is US dollars in fundingRaised", () => {
    expect(read(["€5", "$5", "US$ 5", "5 USD"], "fundingRaised")).toEqual(['"€5" is not in USD', "5", "5", "5"]);
  });
});
