import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createLines } from "../../interactions/lines.ts";
import { inPieces, partsOf } from "./pieces.ts";

const textOf = (parts: Buffer[], max = 200) =>
  partsOf(createLines(max), parts).map(({ number, bytes, isTooLong }) => [number, bytes.toString(), isTooLong]);

describe("Lines", () => {
  it("end with LF or CRLF, and the last one with the file", () => {
    expect(textOf([Buffer.from("a\r\n\nb\rc\n\r\nd")])).toEqual([
      [1, "a", false],
      [2, "", false],
      [3, "b\rc", false],
      [4, "", false],
      [5, "d", false],
    ]);
    expect(textOf([Buffer.from("a\n")])).toEqual([[1, "a", false]]);
    expect(textOf([])).toEqual([]);
  });

  it("are the same however the file is divided into pieces", () => {
    const fragments = ["a", "é", "\n", "\r\n", "\r", "0123456789", "x".repeat(150), "🙂"];
    fc.assert(
      fc.property(inPieces(fragments), ({ bytes, parts }) => {
        expect(textOf(parts)).toEqual(textOf([bytes]));
      }),
    );
  });

  it("that are too long are not kept but for their beginning, and the next one is", () => {
    const long = Buffer.from(`${"x".repeat(500)}\nnext`);
    expect(textOf([long], 499)).toEqual([
      [1, "x".repeat(128), true],
      [2, "next", false],
    ]);
    expect(textOf([long], 500)[0]).toEqual([1, "x".repeat(500), false]);
    const splitter = createLines(1000);
    const piece = Buffer.alloc(256 * 1024, "x");
    for (let i = 0; i < 1000; i += 1) expect([...splitter.push(piece)]).toEqual([]);
    const [line] = [...splitter.push(Buffer.from("\n"))];
    expect(line?.bytes.buffer.byteLength).toBeLessThan(128 * 1024);
  });
});
