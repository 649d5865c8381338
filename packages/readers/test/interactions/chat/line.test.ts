import { describe, expect, it } from "@jest/globals";
import { messageLine } from "../../../interactions/chat/line.ts";

const HOUR_MS = 60 * 60 * 1000;
const evening = { date: ["31", "12", "2023"], hours: 22.25, sender: "Ada Lovelace", text: "Hi: you" };
const shown = (line: string) => {
  const found = messageLine(line);
  return found && { date: found.date.numbers, hours: found.timeMs / HOUR_MS, sender: found.sender, text: found.text };
};

describe("A line of a chat (docs/guides/import-interactions.md#whatsapp-chats)", () => {
  it.each([
    "31/12/2023, 22:15 - Ada Lovelace: Hi: you",
    "31/12/2023 22:15 - Ada Lovelace: Hi: you",
    "31.12.2023, 22:15 - Ada Lovelace: Hi: you",
    "31. 12. 2023, 22:15 - Ada Lovelace: Hi: you",
    "31-12-2023 22.15 - Ada Lovelace: Hi: you",
    "31/12/2023, 10:15 PM - Ada Lovelace: Hi: you",
    "31/12/2023, 10:15\u202fPM - Ada Lovelace: Hi: you",
    "31/12/2023, 10:15\u00a0p.\u00a0m. - Ada Lovelace: Hi: you",
    "31/12/2023, 10:15pm - Ada Lovelace: Hi: you",
    "31/12/2023, 22:15 – Ada Lovelace: Hi: you",
    "[31/12/2023, 22:15:00] Ada Lovelace: Hi: you",
    "[31.12.2023, 22:15:00] Ada Lovelace: Hi: you",
    "[31/12/2023, 10:15:00\u202fPM] Ada Lovelace: Hi: you",
    "\u200e[31/12/2023, 22:15:00] Ada Lovelace: \u200eHi: you",
    "\ufeff[31/12/2023, 22:15:00] ~\u202fAda Lovelace: Hi: you",
    "31/12/2023, 22:15 - \u202aAda Lovelace\u202c: \u200eHi: \u2068you\u2069",
  ])("%j is of Ada, in the evening", (line) => {
    expect(shown(line)).toEqual(evening);
  });

  it.each([
    ["12/31/23, 12:05 AM - A: x", 5 / 60],
    ["12/31/23, 12:05 PM - A: x", 12 + 5 / 60],
    ["12/31/23, 1:05 AM - A: x", 1 + 5 / 60],
    ["[31.12.23, 00:00:36] A: x", 0.01],
    ["12/31/23, 13:05 PM - A: x", 13 + 5 / 60],
  ])("%j is %f hours after midnight", (line, hours) => {
    expect(shown(line)?.hours).toBeCloseTo(hours, 6);
  });

  it.each([
    ["31.12.2023 klo 22.15 - Ada Lovelace: Hi: you", "Finnish"],
    ["31/12/2023 às 22:15 - Ada Lovelace: Hi: you", "Portuguese"],
    ["31.12.2023 г., 22:15 - Ada Lovelace: Hi: you", "Bulgarian"],
    ["31.12.2023 г., 22:15 ч. - Ada Lovelace: Hi: you", "Bulgarian of Android"],
    ["31.12.2023, 22.15 Uhr - Ada Lovelace: Hi: you", "German"],
    ["31/12/2023, 22 h 15 - Ada Lovelace: Hi: you", "French of Canada"],
    ["\u200f٣١/١٢/٢٠٢٣، ١٠:١٥ م - Ada Lovelace: Hi: you", "Arabic"],
    ["٣١\u200f/١٢\u200f/٢٠٢٣، ١٠:١٥ م - Ada Lovelace: Hi: you", "Arabic with marks"],
    ["[31/12/2023, ১০:১৫:০০ PM] Ada Lovelace: Hi: you", "digits of Bengali"],
    ["31/12/2023, 10:15 अपराह्न - Ada Lovelace: Hi: you", "Hindi"],
    ["31/12/2023, 10:15 μ.μ. - Ada Lovelace: Hi: you", "Greek"],
    ["31/12/2023, 10:15 du. - Ada Lovelace: Hi: you", "Hungarian"],
  ])("%s is one too, in the evening (%s)", (line) => {
    expect(shown(line)).toEqual(evening);
  });

  it.each([
    ["2023/12/31 下午10:15 - Ada Lovelace: Hi: you", 22.25],
    ["[2023/12/31 晚上10:15:00] Ada Lovelace: Hi: you", 22.25],
    ["2023年12月31日 凌晨2:15 - Ada Lovelace: Hi: you", 2.25],
    ["2023년 12월 31일 오후 10:15, Ada Lovelace : Hi: you", 22.25],
    ["2023. 12. 31. 오전 10:15 - Ada Lovelace: Hi: you", 10.25],
    ["2023/12/31 中午12:15 - Ada Lovelace: Hi: you", 12.25],
    ["2023/12/31, 12:15 ч. - Ada Lovelace: Hi: you", 12.25],
    // A word counts a little longer than CLDR has it, whose afternoon ends at six.
    ["2023/12/31, 6:15 in the afternoon - Ada Lovelace: Hi: you", 18.25],
  ])("%s, with the year in front, is one too", (line, hours) => {
    expect(shown(line)).toEqual({ ...evening, date: ["2023", "12", "31"], hours });
  });

  it("has no sender when the telephone has written it", () => {
    expect(shown("31/12/2023, 22:15 - Ada added Bob")?.sender).toBeNull();
    expect(shown("31/12/2023, 22:15 - Ada:")).toMatchObject({ sender: "Ada", text: "" });
  });

  it("with a year in front, or a number as the sender, is one too", () => {
    expect(shown("2023-12-31, 22:15 - +44 7700 900123: x")).toMatchObject({
      date: ["2023", "12", "31"],
      sender: "+44 7700 900123",
    });
  });

  it.each([
    "",
    "text",
    "31/12/2023",
    "22:15 - Ada: Hi",
    "31/12/2023 - Ada: Hi",
    "31/12/2023, 22:15 perhaps - Ada: Hi",
    "1/2/2023 10:30, the meeting: Hi",
    "[31/12/2023] Ada: Hi",
    "31/12-2023, 22:15 - A: x",
    " 31/12/2023, 22:15 - A: x",
  ])("%j goes on with the message before", (line) => {
    expect(messageLine(line)).toBeNull();
  });

  it("says whether the text begins with a mark", () => {
    expect(messageLine("[31/12/2023, 22:15:00] Ada: \u200eimage omitted")?.isMarked).toBe(true);
    expect(messageLine("[31/12/2023, 22:15:00] Ada: image omitted")?.isMarked).toBe(false);
    expect(messageLine("[31/12/2023, 22:15:00] Ada: ")?.isMarked).toBe(false);
  });

  it("is judged quickly, however long it is", () => {
    for (const line of [
      `${"1/".repeat(200_000)}`,
      `31/12/2023, 22:15 - ${"a".repeat(500_000)}`,
      `1/1/1${" ".repeat(500_000)}`,
    ])
      expect(messageLine(line)?.sender ?? null).toBeNull();
  });
});
