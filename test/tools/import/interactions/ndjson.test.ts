import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readNdjson } from "../../../../packages/readers/interactions/ndjson.ts";
import type { Read } from "../../../../packages/readers/interactions/read.ts";
import { all, inPieces, pieces } from "./pieces.ts";

const one = {
  id: "w1",
  interactionType: "whatsapp",
  dateTime: "2026-03-01T09:30:00Z",
  content: { text: "Hi" },
  from: { type: "phone", value: "07700 900123" },
  to: [{ type: "email", value: "bob@acme.test" }],
};
const line = (more: object = {}) => JSON.stringify({ ...one, ...more });
const read = (content: string | Buffer): Promise<Read[]> => all(readNdjson(pieces(content, 100), "GB"));
const shown = (reads: Read[]) =>
  reads.map((found) => ("interaction" in found ? [found.place, found.interaction.id] : found));

describe("Lines of JSON (docs/guides/import.md#lines-of-json)", () => {
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

  it("that are not in UTF-8, too long or nested without an end are refused, and the next one is read", async () => {
    const long = `{"id": "${"x".repeat(12 * 1024 * 1024)}"}`;
    const file = [
      Buffer.from('{"id": "\xf6"}', "latin1"),
      Buffer.from(long),
      Buffer.from("[".repeat(5_000_000)),
      Buffer.from(line()),
    ];
    const bytes = Buffer.concat(file.flatMap((part) => [part, Buffer.from("\n")]));
    expect(shown(await all(readNdjson(pieces(bytes, 256 * 1024))))).toEqual([
      { place: 1, refused: "The line is not in UTF-8" },
      { place: 2, refused: "The line has more than 12 MiB" },
      { place: 3, refused: expect.stringMatching(/^The line is not valid JSON: /) },
      [4, "w1"],
    ]);
  });

  it("are the same however the file is divided into pieces", async () => {
    async function* given(parts: Buffer[]): AsyncGenerator<Buffer> {
      yield* parts;
    }
    await fc.assert(
      fc.asyncProperty(inPieces([line(), "\n", "\r\n", "{", line({ id: "é🙂" }), " "]), async ({ bytes, parts }) => {
        expect(await all(readNdjson(given(parts)))).toEqual(await all(readNdjson(given([bytes]))));
      }),
    );
  });
});
