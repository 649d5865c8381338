const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Bytes that are kept of a line that is too long: enough to see what it would have been. */
const HEAD_BYTES = 128;

export interface Line {
  /** From 1. */
  number: number;
  /** Without LF or CRLF at its end; of a line that is too long its first bytes alone. */
  bytes: Buffer;
  isTooLong: boolean;
}

/** Finds the lines of a file that comes in pieces. How the file is divided into pieces makes no difference. */
export interface LineSplitter {
  /** The lines that end in this piece. All of them have to be taken before the next piece is given. */
  push(piece: Buffer): Generator<Line>;
  /** The last line, when nothing ends it. */
  end(): Generator<Line>;
}

/** @param maxBytes at least 128; a longer line is not kept, however long it is */
export function createLines(maxBytes: number): LineSplitter {
  let number = 0;
  let held: Buffer[] = [];
  let bytes = 0;

  function hold(part: Buffer): void {
    const wasTooLong = bytes > maxBytes;
    bytes += part.length;
    if (bytes <= maxBytes) held.push(part);
    // A copy, because a part of a buffer would keep the whole of it.
    else if (!wasTooLong) held = [Buffer.from(Buffer.concat([...held, part]).subarray(0, HEAD_BYTES))];
  }

  function take(): Line {
    const isTooLong = bytes > maxBytes;
    const [first = Buffer.alloc(0), ...more] = held;
    const whole = more.length === 0 ? first : Buffer.concat(held);
    held = [];
    bytes = 0;
    number += 1;
    const hasReturn = !isTooLong && whole.at(-1) === CARRIAGE_RETURN;
    return { number, bytes: hasReturn ? whole.subarray(0, -1) : whole, isTooLong };
  }

  function* push(piece: Buffer): Generator<Line> {
    let begin = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, begin)) {
      hold(piece.subarray(begin, end));
      begin = end + 1;
      yield take();
    }
    if (begin < piece.length) hold(piece.subarray(begin));
  }

  function* end(): Generator<Line> {
    if (bytes > 0) yield take();
  }

  return { push, end };
}

/** The lines of a file, as they come. */
export async function* linesOf(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  const lines = createLines(maxBytes);
  for await (const piece of pieces) yield* lines.push(piece);
  yield* lines.end();
}
