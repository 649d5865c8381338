import { type Line, linesOf } from "../../interactions/lines.ts";
import type { Input } from "../input.ts";
import { textOf } from "../text/text.ts";
import { codingOf, type ValueCoding } from "./property.ts";

/** A line of a card, put together out of the lines of the file into which it is folded. */
export interface ContentLine {
  /** The line of the file in which it begins. */
  number: number;
  /** In UTF-8 if the file is in UTF-16, else as the file has them; empty where the line is too long. */
  bytes: Buffer;
  isTooLong: boolean;
  /** Set for the first and the last line of a card. */
  mark: "BEGIN" | "END" | undefined;
}

/** Pictures may be longer, but they are not kept. */
const LINE_BYTES_MAX = 256 * 1024;
const CONTENT_BYTES_MAX = 1024 * 1024;
/** Properties that a record has no place for. */
const UNREAD = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-IMAGE[\w-]*)[;:]/i;
const MARK = /^\s*(?<mark>BEGIN|END)\s*:\s*VCARD\s*$/i;
const BLANK = /^[ \t]*$/;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");
/** The end of a line of quoted-printable that goes on in the next line. Some programs write blanks behind it. */
const SOFT_BREAK = /=[ \t]*$/;

/** A content line while its lines are read. */
interface Growing {
  number: number;
  parts: Buffer[];
  bytes: number;
  coding: ValueCoding | undefined;
  isUnread: boolean;
  /** Whether its last line ends with a soft break. */
  isSoft: boolean;
  isTooLong: boolean;
  mark: ContentLine["mark"];
}

/**
 * The content lines of a file, without pictures and the like. Some programs fold within a character, so lines are
 * joined before they become text. docs/guides/import-files.md#vcards
 */
export async function* contentLinesOf(
  input: Input,
  encoding?: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<ContentLine> {
  let open: Growing | undefined;
  for await (const line of linesOf(inLines(input, encoding, onBytes), LINE_BYTES_MAX)) {
    const bytes = withoutReturns(withoutMark(line.bytes));
    const text = bytes.toString("latin1");
    const from = open && whereItGoesOn(open, text);
    if (open && from !== undefined) add(open, bytes.subarray(from), line);
    else if (!BLANK.test(text)) {
      yield* finished(open);
      open = begun(text, line.number);
      add(open, bytes, line);
    }
  }
  yield* finished(open);
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** Some programs end lines with CR CR LF, or LF CR. */
function withoutReturns(bytes: Buffer): Buffer {
  let [from, to] = [0, bytes.length];
  while (from < to && bytes[from] === CARRIAGE_RETURN) from += 1;
  while (from < to && bytes[to - 1] === CARRIAGE_RETURN) to -= 1;
  return bytes.subarray(from, to);
}

/**
 * The content lines that the encoding of the file is detected from: all but those that name their encoding themselves.
 * Each keeps the line of the file in which it begins.
 */
export function unfolded(input: Input): Input {
  async function* pieces(onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
    let line = 1;
    for await (const { number, bytes } of contentLinesOf(input, undefined, onBytes)) {
      if (/^[^:]*;CHARSET=/i.test(bytes.toString("latin1"))) continue;
      yield Buffer.concat([Buffer.alloc(number - line, "\n"), bytes, Buffer.from("\n")]);
      line = number + 1;
    }
  }
  return { ...input, pieces };
}

const SAMPLE_BYTES = 64 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** The bytes with line feeds, which files of old Macintosh programs do not have, and in UTF-8 instead of UTF-16. */
async function* inLines(
  input: Input,
  encoding: string | undefined,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const hasFeeds = input.sample(SAMPLE_BYTES).includes(LINE_FEED);
  const pieces = encoding?.startsWith("utf-16") ? textOf(input, encoding, onBytes) : input.pieces(onBytes);
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    yield hasFeeds ? bytes : Buffer.from(bytes.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte)));
  }
}

function begun(text: string, number: number): Growing {
  const mark = MARK.exec(text)?.groups?.mark?.toUpperCase();
  return {
    number,
    parts: [],
    bytes: 0,
    coding: codingOf(text),
    isUnread: UNREAD.test(text),
    isSoft: false,
    isTooLong: false,
    mark: mark === "BEGIN" || mark === "END" ? mark : undefined,
  };
}

/**
 * From which of its bytes on a line belongs to the line before; undefined where it is a line of its own. An empty line
 * ends a value whose last line ends with a soft break.
 */
function whereItGoesOn(open: Growing, text: string): number | undefined {
  const { isSoft, isUnread, coding } = open;
  if (BLANK.test(text)) open.isSoft = false;
  if (BLANK.test(text) || MARK.test(text)) return undefined;
  if (isSoft) return 0;
  // Some telephones write the lines of a picture without a blank before them.
  if ((isUnread || coding === "base64") && !text.includes(":")) return 0;
  return /^[ \t]/.test(text) ? 1 : undefined;
}

function add(open: Growing, bytes: Buffer, { isTooLong }: Line): void {
  if (open.isUnread) return;
  open.bytes += bytes.length;
  if (isTooLong || open.bytes > CONTENT_BYTES_MAX) {
    open.isTooLong = true;
    open.parts = [];
  }
  if (open.isTooLong) return;
  const end = open.coding === "quoted-printable" ? bytes.toString("latin1").search(SOFT_BREAK) : -1;
  open.isSoft = end >= 0;
  open.parts.push(open.isSoft ? bytes.subarray(0, end) : bytes);
}

function finished(open: Growing | undefined): ContentLine[] {
  if (!open || open.isUnread) return [];
  const { number, parts, isTooLong, mark } = open;
  const [first = Buffer.alloc(0), ...more] = parts;
  return [{ number, bytes: more.length === 0 ? first : Buffer.concat(parts), isTooLong, mark }];
}
