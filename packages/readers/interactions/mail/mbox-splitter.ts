import { createLines, type Line } from "../lines.ts";
import { createAttachmentFilter } from "./attachment-filter.ts";
import { ENVELOPE_DATE } from "./date.ts";
import type { RawMail } from "./mail.ts";

const MIB = 1024 * 1024;
/** Maximum size of an email without its attachments. docs/guides/import-interactions.md#archives-of-mails */
export const MAIL_BYTES_MAX = 25 * MIB;

const FROM = Buffer.from("From ");
const GREATER = 62;
const HEADER = /^[!-9;-~]+:/;
const HEADER_LENGTH_MAX = 200;
const ENVELOPE_LENGTH_MAX = 1000;

/** A mail of an archive, null when it is too large. */
export interface ArchivedMail {
  /** From 1. */
  place: number;
  mail: RawMail | null;
}

/** Finds the mails of an archive that comes in pieces. How it is divided into pieces makes no difference. */
export interface MboxSplitter {
  push(piece: Buffer): Generator<ArchivedMail>;
  end(): Generator<ArchivedMail>;
}

interface Growing {
  envelope: string;
  bytes: GrowingBytes;
  isKept: (line: Buffer) => boolean;
}

/**
 * A mail begins with a line "From ", a sender and a date. Texts have lines that begin like that, too, and some programs
 * write no blank line before it: so it counts when it ends in a date, and a blank line stands before it or a header
 * behind it.
 */
export function createMboxSplitter(maxBytes = MAIL_BYTES_MAX): MboxSplitter {
  const lines = createLines(maxBytes);
  let place = 0;
  let growing: Growing | null = null;
  /** A line that may begin a mail. The next one tells. */
  let candidate: Buffer | null = null;
  let isBlankBefore = true;

  function finish(): ArchivedMail | null {
    if (!growing) return null;
    place += 1;
    const bytes = growing.bytes.whole();
    return { place, mail: bytes && { envelope: growing.envelope, bytes } };
  }

  function begin(line: Buffer): ArchivedMail | null {
    const finished = finish();
    const envelope = line.toString("latin1", 0, ENVELOPE_LENGTH_MAX);
    growing = { envelope, bytes: createGrowingBytes(maxBytes), isKept: createAttachmentFilter() };
    return finished;
  }

  function add(line: Buffer, length?: number): void {
    if (growing?.isKept(line)) growing.bytes.add(unquoted(line), length);
  }

  /** Gives the mail that ends here, if the candidate turns out to begin the next one. */
  function settle(next: Buffer | null): ArchivedMail | null {
    if (!candidate) return null;
    const line = candidate;
    const begins = isBlankBefore || (next !== null && HEADER.test(next.toString("latin1", 0, HEADER_LENGTH_MAX)));
    candidate = null;
    isBlankBefore = false;
    if (begins) return begin(line);
    add(line);
    return null;
  }

  function take({ bytes: line, isTooLong }: Line): ArchivedMail | null {
    const finished = settle(line);
    if (!isTooLong && isEnvelope(line, growing === null)) {
      candidate = line;
      return finished;
    }
    add(line, isTooLong ? maxBytes : undefined);
    isBlankBefore = line.length === 0;
    return finished;
  }

  function* push(piece: Buffer): Generator<ArchivedMail> {
    for (const line of lines.push(piece)) {
      const finished = take(line);
      if (finished) yield finished;
    }
  }

  function* end(): Generator<ArchivedMail> {
    for (const line of lines.end()) {
      const finished = take(line);
      if (finished) yield finished;
    }
    for (const finished of [settle(null), finish()]) if (finished) yield finished;
  }

  return { push, end };
}

function isEnvelope(line: Buffer, isFirst: boolean): boolean {
  if (line[0] !== FROM[0] || !line.subarray(0, FROM.length).equals(FROM)) return false;
  return isFirst || ENVELOPE_DATE.test(line.toString("latin1", 0, ENVELOPE_LENGTH_MAX));
}

/**
 * Archives write `>From` for a line of a text that begins with `From`, and `>>From` for one that began with `>From`.
 */
function unquoted(line: Buffer): Buffer {
  if (line[0] !== GREATER) return line;
  let quotes = 1;
  while (line[quotes] === GREATER) quotes += 1;
  return line.subarray(quotes, quotes + FROM.length).equals(FROM) ? line.subarray(1) : line;
}

const FIRST_CAPACITY = 16 * 1024;
const LINE_FEED = 10;

/** Bytes that grow line by line. */
interface GrowingBytes {
  /** Adds a line and a line feed. `length` counts, if it is more than what is left of a line that was too long. */
  add(line: Buffer, length?: number): void;
  /** Null when it has become more than it may have; then nothing of it is kept. */
  whole(): Uint8Array<ArrayBuffer> | null;
}

/**
 * One block of memory that doubles when it is full. A list of the lines would be slower: a mail of 10 MB has a hundred
 * thousand, and clearing them away holds the process up.
 */
function createGrowingBytes(maxBytes: number): GrowingBytes {
  let bytes = new Uint8Array(0);
  let used = 0;
  let counted = 0;

  function add(line: Buffer, length = line.length): void {
    counted += length + 1;
    if (counted > maxBytes) {
      bytes = new Uint8Array(0);
      return;
    }
    reserve(used + line.length + 1);
    bytes.set(line, used);
    used += line.length + 1;
    bytes[used - 1] = LINE_FEED;
  }

  function reserve(needed: number): void {
    if (needed <= bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, bytes.length * 2, FIRST_CAPACITY));
    larger.set(bytes.subarray(0, used));
    bytes = larger;
  }

  return { add, whole: () => (counted > maxBytes ? null : bytes.slice(0, used)) };
}
