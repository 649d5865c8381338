import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Uuid } from "../../../base/values/ids.ts";
import { searched } from "../../../tools/privacy/folded-for-search.ts";
import { marksOf, ownMarksOf } from "../../../tools/privacy/identifiers.ts";
import type { Subject } from "../../../tools/privacy/subject.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

// docs/guides/data-protection.md#how-texts-name-a-person

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const UUID = "0199aaaa-0000-7000-8000-000000000001" as Uuid;

function subject(known: Partial<Pick<Subject, "emails" | "phones" | "names">>): Subject {
  return { uuid: UUID, isDeleted: false, formerIds: [], fullName: "", emails: [], phones: [], names: [], ...known };
}

const GRACE = subject({
  emails: ["a@navy.test"],
  phones: ["+1 202 555 0142"],
  names: ["Grace Hopper", "Hopper, Grace"],
});

const named: [text: string, redacted: string, who?: Subject][] = [
  ["Write to A@NAVY.test.", "Write to [erased]."],
  ["<mailto:a@navy.test>, _a@navy.test_", "<mailto:[erased]>, _[erased]_"],
  ["call (202) 555-0142 or 001.202.555.0142", "call ([erased] or [erased]"],
  ["tel:+12025550142;", "tel:[erased];"],
  ["GRACE HOPPER, Grace\u00a0Hopper's and Grace Hoppers", "[erased], [erased]'s and [erased]s"],
  ["From: Hopper, Grace (Navy)", "From: [erased] (Navy)"],
  ["dear Grace\nHopper!", "dear [erased]!"],
  ['{"body":"Hello\\nGrace\\nHopper"}', '{"body":"Hello\\n[erased]"}'],
  [JSON.stringify({ content: JSON.stringify({ body: "Grace\nHopper" }) }), '{"content":"{\\"body\\":\\"[erased]\\"}"}'],
  ["Iris Miller and IRIS MILLER", "[erased] and [erased]", subject({ names: ["iris miller"] })],
  [`see per_${UUID}`, "see per_[erased]"],
  ["Émile ZOLA und E\u0301mile Zola", "[erased] und [erased]", subject({ names: ["Émile Zola"] })],
  ["ДЖОН Смит", "[erased]", subject({ names: ["Джон Смит"] })],
  ["王伟说", "[erased]说", subject({ names: ["王伟"] })],
  ["Will says that WILL will", "[erased] says that [erased] will", subject({ names: ["Will"] })],
  ['"Grace \\"Amazing\\" Hopper"', '"[erased]"', subject({ names: ['Grace "Amazing" Hopper'] })],
  ["030 123456", "[erased]", subject({ phones: ["+49 (0)30 123456"] })],
  ["by \\\\\\b, not \\\\\\boris", "by [erased], not \\\\\\boris", subject({ names: ["\\\\\\b"] })],
  [JSON.stringify({ by: "\\\\\\b" }), '{"by":"[erased]"}', subject({ names: ["\\\\\\b"] })],
  ["ACME\\nancy says", "ACME\\[erased] says", subject({ names: ["nancy"] })],
  ["Herr GROSS, Herr Groß", "Herr [erased], Herr [erased]", subject({ names: ["Groß", "groß"] })],
  [`${"long ".repeat(150)}name`, "[erased]", subject({ names: [`${"long ".repeat(150)}name`] })],
];

test.each(named)("%j names the person: %j", async (text, redacted, who = GRACE) => {
  const { patterns, areIn, redact } = marksOf(who);
  expect(redact(text)).toBe(redacted);
  expect(areIn(text)).toBe(true);
  // The server looks through all texts first, and passes none by that the person stands in.
  for (const collation of ['"C"', '"default"']) {
    const sql = `select ${searched(`$1::text collate ${collation}`)} like any($2::text[]) as found`;
    expect(await database.database.read(sql, [text, patterns])).toEqual([{ found: true }]);
  }
});

const unnamed: [text: string, who?: Subject][] = [
  ["maria@navy.test, x.a@navy.test and a@navy.test.example"],
  ["Graceful Hopper; Grace Hopperton; Dis-Grace; Grace"],
  ["order 9120255501427"],
  ["Albert et al., and also", subject({ names: ["Al"] })],
  ["C:\\\\ and \\", subject({ names: ["\\\\\\"] })],
  ["Herr Gros", subject({ names: ["Groß Karl", "Groß"] })],
  ["Herr Groß", subject({ names: ["Herr Gros"] })],
  ["A word, n/a, none, 112", subject({ names: ["A"], emails: ["none", "n/a"], phones: ["112", "-"] })],
];

test.each(unnamed)("%j names somebody or something else", (text, who = GRACE) => {
  expect(marksOf(who).redact(text)).toBe(text);
  expect(marksOf(who).areIn(text)).toBe(false);
});

test("of the marks that are a person's own the names are none", () => {
  const own = ownMarksOf(GRACE);
  expect(own.areIn("Grace Hopper")).toBe(false);
  expect(own.areIn("a@navy.test")).toBe(true);
});

// A search that tries some places again and again would take hours for one of these, and the whole test a second.
const long: [what: string, text: string, who: Subject][] = [
  ["backslashes", "\\".repeat(200_000), subject({ names: ["\\\\\\b"] })],
  ["escaped line breaks", "\\n".repeat(100_000), subject({ names: [`a${" ".repeat(300)}b`] })],
  ["the beginning of a name", "a ".repeat(100_000), subject({ names: [`${"a ".repeat(400)}b`] })],
  ["quotes", '\\\\"'.repeat(70_000), subject({ names: [`${'"'.repeat(400)}b`] })],
  ["marks over letters", `e${"\u0301\u0316".repeat(100_000)}`, subject({ names: [`e${"\u0316".repeat(400)}b`] })],
  ["digits apart", "0 ".repeat(100_000), subject({ phones: ["000000000000000001"] })],
];

test.each(long)("a long text of %s takes no longer than others", (_, text, who) => {
  expect(marksOf(who).areIn(text)).toBe(false);
  expect(marksOf(who).redact(text)).toBe(text);
});

test("a person of 20,000 addresses, numbers and former ids is found by each of them", async () => {
  const all = Array.from({ length: 20_000 }, (_, i) => i);
  const formerIds = all.map((i) => `0199bbbb-0000-7000-8000-${String(i).padStart(12, "0")}` as Uuid);
  const who = {
    ...subject({ emails: all.map((i) => `a${i}@navy.test`), phones: all.map((i) => `+1202555${i}`) }),
    formerIds,
  };
  const { areIn, redact, patterns } = marksOf(who);
  expect(redact(`a7@navy.test, A19999@navy.test, a20000@navy.test, +1 202 555 777, ${formerIds[9]}`)).toBe(
    "[erased], [erased], a20000@navy.test, [erased], [erased]",
  );
  expect(areIn("somebody else ".repeat(10_000))).toBe(false);
  // PostgreSQL would try as many patterns on each text.
  expect(patterns).toEqual(["%"]);
});
