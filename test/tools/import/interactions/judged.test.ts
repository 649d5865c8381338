import { afterAll, describe, expect, it } from "@jest/globals";
import { openInteractions } from "contact-workspace-readers/interactions";
import { type Judged, judged } from "../../../../tools/import/interactions/run.ts";
import { testFolder } from "../../../support/folder.ts";

const files = testFolder();
afterAll(() => files.remove());

const one = {
  id: "w1",
  interactionType: "whatsapp",
  dateTime: "2026-03-01T09:30:00Z",
  content: { text: "Hi" },
  from: { type: "phone", value: "07700 900123" },
  to: [{ type: "email", value: "bob@acme.test" }],
};
const line = (more: object = {}) => JSON.stringify({ ...one, ...more });

async function read(content: string, name = "lines.ndjson"): Promise<Judged[]> {
  const file = await openInteractions(files.write(name, content), {
    country: "GB",
    now: Date.parse("2026-06-01T00:00:00Z"),
  });
  const reads: Judged[] = [];
  for await (const found of judged(file.read(), "GB")) reads.push(found);
  return reads;
}
const shown = (reads: Judged[]) =>
  reads.map((found) => ("interaction" in found ? [found.place, found.interaction.id] : found));

describe("Lines of JSON (docs/guides/import-interactions.md#lines-of-json)", () => {
  it("are interactions in their normal form, known by the number of their line", async () => {
    const file = `\ufeff${line()}\r\n\r\n   \n${line({ id: "w2" })}`;
    const reads = await read(file);
    expect(shown(reads)).toEqual([
      [1, "w1"],
      [4, "w2"],
    ]);
    expect(reads[0]).toMatchObject({
      interaction: { dateTime: "2026-03-01T09:30:00.000Z", from: { value: "+447700900123" }, privacyLevel: "full" },
    });
  });

  it("that are not valid are refused with what is wrong and where, and the others are read", async () => {
    const file = [
      "{broken",
      line({ cc: [] }),
      line({ from: { type: "phone" } }),
      line({ content: { text: "x".repeat(100_001) } }),
      line({ interactionType: "fax" }),
      line({ to: [], dateTime: "today" }),
      '"text"',
      "[]",
      "null",
      '{"__proto__": {}}',
      line(),
    ].join("\n");
    expect(shown(await read(file))).toEqual([
      { place: 1, refused: expect.stringMatching(/^The line is not valid JSON: /) },
      { place: 2, refused: "Unrecognized key(s) in object: 'cc'" },
      { place: 3, refused: "is missing", path: "from.value" },
      { place: 4, refused: "must have at most 100000 characters", path: "content.text" },
      { place: 5, refused: "must be one of email, calendar, whatsapp, call", path: "interactionType" },
      { place: 6, refused: "must be a timestamp like 2026-03-01T09:30:00Z (and 1 more)", path: "dateTime" },
      { place: 7, refused: expect.stringContaining("must be a mapping of names to values") },
      { place: 8, refused: expect.stringContaining("must be a mapping of names to values") },
      { place: 9, refused: expect.stringContaining("must be a mapping of names to values") },
      { place: 10, refused: "is missing", path: "interactionType" },
      [11, "w1"],
    ]);
  });
});

describe("An event of a calendar (docs/guides/import-interactions.md#calendars)", () => {
  it("is given in its normal form", async () => {
    const calendar =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART:20260310T090000Z\r\nORGANIZER:mailto:ada@acme.test\r\nATTENDEE:tel:07700 900123\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    const [found] = await read(calendar, "a.ics");
    expect(found).toMatchObject({
      interaction: { to: [{ type: "phone", value: "+447700900123" }], privacyLevel: "full" },
    });
  });
});
