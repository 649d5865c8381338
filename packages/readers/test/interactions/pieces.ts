import fc from "fast-check";
import type { Source } from "../../interactions/source.ts";

/** Text or bytes as a file that comes in pieces of this size, in one without. */
export async function* pieces(content: string | Buffer, size = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  yield* cut(Buffer.from(content), size);
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, Math.min(at + size, bytes.length));
}

/** Text or bytes as a file that can be read more than once. */
export function sourceOf(content: string | Buffer, size?: number): Source {
  const bytes = Buffer.from(content);
  return { name: "file", bytes: bytes.length, pieces: () => pieces(bytes, size) };
}

/** Everything that is read, as a list. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A file that is a row of these fragments, and the same cut into pieces anywhere. */
export function inPieces(fragments: string[]): fc.Arbitrary<{ bytes: Buffer; parts: Buffer[] }> {
  const rows = fc.array(fc.constantFrom(...fragments), { maxLength: 40 });
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 });
  return fc.tuple(rows, sizes).map(([row, cuts]) => {
    const bytes = Buffer.from(row.join(""));
    const parts: Buffer[] = [];
    for (let at = 0, i = 0; at < bytes.length; i += 1) {
      const size = cuts[i % cuts.length] ?? 1;
      parts.push(bytes.subarray(at, at + size));
      at += size;
    }
    return { bytes, parts };
  });
}

interface Splitter<Part> {
  push(piece: Buffer): Iterable<Part>;
  end(): Iterable<Part>;
}

/** What a splitter finds in pieces. */
export function partsOf<Part>(splitter: Splitter<Part>, parts: Buffer[]): Part[] {
  return [...parts.flatMap((part) => [...splitter.push(part)]), ...splitter.end()];
}
