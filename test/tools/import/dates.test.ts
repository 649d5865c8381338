import { describe, expect, it } from "@jest/globals";
import type { Column } from "../../../tools/import/columns.ts";
import { createDateColumn, dayIn, decideOrders, yearIn } from "../../../tools/import/dates.ts";

const column: Column = { index: 1, heading: "Met", target: { to: "custom", name: "Met" } };

function columnOf(...texts: string[]) {
  const dates = createDateColumn();
  for (const [i, text] of texts.entries()) dates.see(text, i + 2);
  return dates;
}

const decide = (texts: string[], asked?: "dmy" | "mdy", ask?: (question: string) => Promise<string>) =>
  decideOrders("a.csv", new Map([[column, columnOf(...texts)]]), asked, ask).then((orders) => orders.get(column));

describe("The order of day and month in a column", () => {
  it.each([
    [["1/2/2020", "13/2/2020"], "dmy"],
    [["1/2/2020", "2/13/2020"], "mdy"],
    [["1-2-2020", "13-2-2020"], "dmy"],
  ])("is told by %j", async (texts, order) => {
    expect(await decide(texts)).toBe(order);
    expect(await decide(texts, order === "dmy" ? "mdy" : "dmy")).toBe(order);
  });

  it("does not count where every date is the same by both", async () => {
    expect(await decide(["1/1/2020", "24.12.2020", "2020-03-04", "5 Mar 2020", "no date"], "mdy")).toBeUndefined();
  });

  it("is asked for where it cannot be told, with file, column, line and both readings", async () => {
    await expect(decide(["x", "1/2/2020"])).rejects.toThrow(
      'a.csv: in the column "Met" the dates do not show whether the day or the month comes first: "1/2/2020" in line 3 is 2020-02-01 with the day first, 2020-01-02 with the month first. Choose with --dates dmy or --dates mdy.',
    );
    expect(await decide(["1/2/2020"], "mdy")).toBe("mdy");
  });

  it("cannot be told where both orders stand", async () => {
    await expect(decide(["13/2/2020", "2/13/2020"])).rejects.toThrow(/has the day first, other dates .* the other/);
    expect(await decide(["13/2/2020", "2/13/2020"], "dmy")).toBe("dmy");
  });

  it("is what somebody answers at a terminal, and anything else stops the import", async () => {
    const questions: string[] = [];
    const answer = (text: string) => (question: string) => {
      questions.push(question);
      return Promise.resolve(text);
    };
    expect(await decide(["1/2/2020"], undefined, answer(" MDY "))).toBe("mdy");
    expect(questions[0]).toMatch(/^Met: "1\/2\/2020" in line 2 is 2020-02-01 .* Which one, dmy or mdy\? $/);
    await expect(decide(["1/2/2020"], undefined, answer("what"))).rejects.toThrow(/Nothing was written\.$/);
  });
});

describe("A cell of a column of dates", () => {
  it.each([
    ["13/2/2020", { value: "2020-02-13" }],
    ["0/0/00", {}],
    ["19701224", { value: "1970-12-24" }],
    ["--03-09", { fault: '"--03-09" has no year: write it like 2026-03-01' }],
    ["1970", { fault: '"1970" has no day: write it like 2026-03-01' }],
    ["2/13/2020", { fault: '"2/13/2020" is not a date with the day first: write it like 2026-03-01' }],
    ["soon", { fault: '"soon" is not a date: write it like 2026-03-01' }],
  ])("is a day, nothing, or told: %s", (text, day) => {
    expect(dayIn(text, "dmy", undefined)).toEqual(day);
  });
});

describe("A year", () => {
  it.each([
    ["1998", { value: "1998" }],
    ["1998.0", { value: "1998" }],
    ["5/6/1998", { value: "1998" }],
    ["1998-05", { value: "1998" }],
    ["Dec 1998", { value: "1998" }],
    ["0000-00-00", {}],
    ["2013 (1888)", { fault: '"2013 (1888)" is not a year: write it with four digits like 1998' }],
    ["98", { fault: '"98" is not a year: write it with four digits like 1998' }],
  ])("is read of a number or a date: %s", (text, year) => {
    expect(yearIn(text)).toEqual(year);
  });
});
