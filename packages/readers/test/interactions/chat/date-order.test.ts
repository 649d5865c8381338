import { describe, expect, it } from "@jest/globals";
import { createOrderFinder, dayOf } from "../../../interactions/chat/date-order.ts";
import type { WrittenDate } from "../../../interactions/chat/line.ts";

function written(text: string): WrittenDate {
  const sign = /\D/.exec(text)?.[0] ?? "/";
  const [first = "", second = "", third = ""] = text.split(sign);
  return { numbers: [first, second, third], sign };
}

function orderOf(...dates: string[]) {
  const finder = createOrderFinder();
  for (const date of dates) finder.see(written(date));
  return finder.order();
}

describe("The order of day, month and year in a chat (docs/guides/import-interactions.md#whatsapp-chats)", () => {
  it("is told by a day over 12", () => {
    expect(orderOf("5/6/23", "13/6/23")).toBe("dmy");
    expect(orderOf("5/6/23", "6/13/23")).toBe("mdy");
  });

  it("is told by the chat running forward in one order only", () => {
    expect(orderOf("1/2/23", "2/2/23", "1/3/23")).toBe("dmy");
    expect(orderOf("1/2/23", "2/1/23", "2/3/23", "3/1/23")).toBe("mdy");
  });

  it("is the one in which fewer dates do not exist", () => {
    expect(orderOf("13/7/23", "14/7/23", "31/6/23")).toBe("dmy");
    expect(orderOf("12/31/23", "31/12/23")).toBeNull();
  });

  it("cannot be told when it runs forward in both, or in none", () => {
    expect(orderOf("1/2/23", "2/3/23", "3/4/23")).toBeNull();
    expect(orderOf("1/2/23")).toBeNull();
    expect(orderOf("3/4/23", "1/2/23")).toBeNull();
  });

  it("is that of the day first where dots stand, and any where day and month are equal", () => {
    expect(orderOf("1.2.23", "2.3.23")).toBe("dmy");
    expect(orderOf("1/1/23", "2/2/23")).toBe("dmy");
    expect(orderOf()).toBe("dmy");
  });

  it("needs not be told of dates with the year in front", () => {
    expect(orderOf("2023-01-02", "2023/03/04")).toBe("dmy");
    expect(dayOf(written("2023-01-02"), "mdy")).toBe(Date.parse("2023-01-02"));
  });

  it.each([
    ["31/12/23", "dmy", "2023-12-31"],
    ["12/31/2023", "mdy", "2023-12-31"],
    ["23/12/31", "ymd", "2023-12-31"],
    ["1/2/05", "dmy", "2005-02-01"],
    ["31/12/2566", "dmy", "2023-12-31"],
    ["2566-12-31", "dmy", "2023-12-31"],
  ] as const)("%s is, as %s, %s", (text, order, date) => {
    expect(dayOf(written(text), order)).toBe(Date.parse(date));
  });

  it.each(["31/6/23", "0/1/23", "29/2/23", "1402/10/10", "18/6/1445"])("%s is no day", (text) => {
    expect(dayOf(written(text), "dmy")).toBeNull();
  });
});
