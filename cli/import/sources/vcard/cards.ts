import { linesOf } from "../../interactions/lines.ts";
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
  let open: Open | undefined;
  for await (const { number, bytes, isTooLong } of linesOf(inUtf8(input, encoding, onBytes), LINE_BYTES_MAX)) {
    const text = bytes.toString("utf8").replace(/^\ufeff/, "");
    const isBegin = /^\s*BEGIN\s*:\s*VCARD\s*$/i.test(text);
    if (isBegin && (!open || !isWithin(open))) {
      if (open) yield { line: open.line, refused: "The card has no END:VCARD" };
      open = { line: number, lines: [], length: 0, depth: 0 };
    } else if (open && isBegin) open.depth += 1;
    else if (open && /^\s*END\s*:\s*VCARD\s*$/i.test(text)) {
      if (open.depth === 0) {
        yield finished(open);
        open = undefined;
      } else open.depth -= 1;
    } else if (open && open.depth === 0) take(open, text, { number, isTooLong });
  }
  if (open) yield { line: open.line, refused: "The card has no END:VCARD" };
}

async function* inUtf8(input: Input, encoding: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of textOf(input, encoding, onBytes))
    yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

/** Whether a card that begins here is one within the card that is open. */
function isWithin({ lines, depth }: Open): boolean {
  return depth > 0 || /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:\s*$/i.test(lines.at(-1)?.parts.join("") ?? "");
}

function take(open: Open, text: string, { number, isTooLong }: { number: number; isTooLong: boolean }): void {
  const last = open.lines.at(-1);
  const isSoftBreak = last?.isQuotedPrintable === true && last.parts.at(-1)?.endsWith("=") === true;
  // Some telephones write the lines of a picture without a blank before them.
  const isData = last?.isUnread === true && !text.includes(":");
  const goesOn = last !== undefined && (isSoftBreak || isData || /^[ \t]/.test(text));
  const isUnread = goesOn ? last.isUnread : UNREAD.test(text);
  if (!isUnread && (isTooLong || open.length > CARD_LENGTH_MAX))
    open.refused ??= `Line ${number} is too long for a card`;
  if (open.refused !== undefined || text.trim() === "") return;
  if (!goesOn) open.lines.push({ parts: isUnread ? [] : [text], isQuotedPrintable: isQuotedPrintable(text), isUnread });
  else if (!isUnread) continueLine(last, text, isSoftBreak);
  open.length += isUnread ? 0 : text.length;
}

function continueLine({ parts }: Unfolded, text: string, isSoftBreak: boolean): void {
  if (isSoftBreak) parts[parts.length - 1] = parts.at(-1)?.slice(0, -1) ?? "";
  parts.push(isSoftBreak ? text : text.slice(1));
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
