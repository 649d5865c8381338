import { type Line, linesOf } from "../../interactions/lines.ts";
import type { Input } from "../input.ts";
import { textOf } from "../text/text.ts";
import { isQuotedPrintable, type Property, propertyOf } from "./property.ts";

/** A card of the file, by the line of its BEGIN. */
export type Card = { line: number; properties: Property[] } | { line: number; refused: string };

/** Pictures may be long, but are not kept. */
const LINE_BYTES_MAX = 256 * 1024;
const CARD_LENGTH_MAX = 1024 * 1024;
/** Pictures, sounds and keys say nothing that a record has a place for. */
const UNREAD = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-IMAGE[\w-]*)[;:]/i;

/** A card that is being read. */
interface Open {
  line: number;
  lines: Unfolded[];
  length: number;
  /** Of a card within this one, which an assistant has. */
  depth: number;
  refused?: string;
}

/** A line out of those into which it is folded. */
interface Unfolded {
  parts: string[];
  isQuotedPrintable: boolean;
  /** Of one whose value is not kept, the name of the property is. */
  isUnread: boolean;
}

/** The cards of a file, one after the other, so that a file of any size takes the same memory. */
export async function* cardsOf(
  input: Input,
  encoding: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Card> {
  const reader = createReader();
  for await (const line of linesOf(inUtf8(input, encoding, onBytes), LINE_BYTES_MAX)) {
    const card = reader.take(line);
    if (card) yield card;
  }
  const last = reader.end();
  if (last) yield last;
}

/** Takes the lines of a file one by one, and gives the card that ends, or is found to have no end. */
function createReader(): { take(line: Line): Card | undefined; end(): Card | undefined } {
  let open: Open | undefined;

  function end(): Card | undefined {
    const left = open && { line: open.line, refused: "The card has no END:VCARD" };
    open = undefined;
    return left;
  }

  function begin(line: number): Card | undefined {
    if (open && isWithin(open)) {
      open.depth += 1;
      return undefined;
    }
    const left = end();
    open = { line, lines: [], length: 0, depth: 0 };
    return left;
  }

  function finish(): Card | undefined {
    if (!open || open.depth > 0) {
      if (open) open.depth -= 1;
      return undefined;
    }
    const card = finished(open);
    open = undefined;
    return card;
  }

  function take({ number, bytes, isTooLong }: Line): Card | undefined {
    const text = bytes.toString("utf8").replace(/^\ufeff/, "");
    const [, word] = /^\s*(BEGIN|END)\s*:\s*VCARD\s*$/i.exec(text) ?? [];
    if (word) return word.toUpperCase() === "BEGIN" ? begin(number) : finish();
    if (open?.depth === 0) addLine(open, text, { number, isTooLong });
    return undefined;
  }

  return { take, end };
}

async function* inUtf8(input: Input, encoding: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of textOf(input, encoding, onBytes))
    yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

/** Whether a card that begins here is one within the card that is open. */
function isWithin({ lines, depth }: Open): boolean {
  return depth > 0 || /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:\s*$/i.test(lines.at(-1)?.parts.join("") ?? "");
}

function addLine(open: Open, text: string, { number, isTooLong }: { number: number; isTooLong: boolean }): void {
  const last = open.lines.at(-1);
  const goesOn = last ? howItGoesOn(last, text) : undefined;
  const isUnread = last && goesOn ? last.isUnread : UNREAD.test(text);
  if (!isUnread && (isTooLong || open.length > CARD_LENGTH_MAX))
    open.refused ??= `Line ${number} is too long for a card`;
  if (open.refused !== undefined || text.trim() === "") return;
  if (!last || !goesOn) open.lines.push(beginLine(text, isUnread));
  else if (!isUnread) continueLine(last, text, goesOn);
  if (!isUnread) open.length += text.length;
}

function beginLine(text: string, isUnread: boolean): Unfolded {
  return { parts: isUnread ? [] : [text], isQuotedPrintable: isQuotedPrintable(text), isUnread };
}

type GoesOn = "folded" | "broken softly" | "data";

/** Whether a line goes on with the one before, and how. */
function howItGoesOn({ parts, isQuotedPrintable: isQuoted, isUnread }: Unfolded, text: string): GoesOn | undefined {
  if (isQuoted && parts.at(-1)?.endsWith("=")) return "broken softly";
  // Some telephones write the lines of a picture without a blank before them.
  if (isUnread && !text.includes(":")) return "data";
  return /^[ \t]/.test(text) ? "folded" : undefined;
}

function continueLine({ parts }: Unfolded, text: string, goesOn: GoesOn): void {
  const isSoft = goesOn === "broken softly";
  if (isSoft) parts[parts.length - 1] = parts.at(-1)?.slice(0, -1) ?? "";
  parts.push(isSoft ? text : text.slice(1));
}

function finished({ line, lines, refused }: Open): Card {
  if (refused !== undefined) return { line, refused };
  const texts = lines.filter(({ isUnread }) => !isUnread).map(({ parts }) => parts.join(""));
  const read = texts.map((text) => ({ text, property: propertyOf(text) }));
  const broken = read.find(({ property }) => property === null);
  if (broken) return { line, refused: `The card has a line that is none of a vCard: ${shown(broken.text)}` };
  return { line, properties: read.flatMap(({ property }) => property ?? []) };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
