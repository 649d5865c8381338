import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readNdjson } from "../../interactions/ndjson.ts";
import type { Read } from "../../interactions/read.ts";
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
const read = (content: string | Buffer): Promise<Read[]> => all(readNdjson(pieces(content, 100)));
describe("Lines of JSON (docs/guides/import-interactions.md#lines-of-json)", () => {
  it("are values, known by the number of their line", async () => {
    const reads = await read(`\ufeff${line()}\r\n\r\n   \n${line({ id: "w2" })}\n{broken`);
    expect(reads).toEqual([
      { place: 1, json: one },
      { place: 4, json: { ...one, id: "w2" } },
      { place: 5, refused: expect.stringMatching(/^The line is not valid JSON: /) },
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
    expect(await all(readNdjson(pieces(bytes, 256 * 1024)))).toEqual([
      { place: 1, refused: "The line is not in UTF-8" },
      { place: 2, refused: "The line has more than 12 MiB" },
      { place: 3, refused: expect.stringMatching(/^The line is not valid JSON: /) },
      { place: 4, json: one },
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
