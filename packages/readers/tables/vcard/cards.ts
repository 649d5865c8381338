import type { Input } from "../input.ts";
import { type ContentLine, contentLinesOf } from "./content-lines.ts";
import { asInLaterVersions, decoded, type Property, propertyOf } from "./property.ts";

/** A card of the file, by the line of its BEGIN. */
export type Card = { line: number; properties: Property[] } | { line: number; refused: string };

const CARD_BYTES_MAX = 1024 * 1024;
const PROPERTIES_MAX = 10_000;

/** A card that is being read. */
interface Open {
  line: number;
  lines: Buffer[];
  bytes: number;
  /** Depth of cards within this one, such as the card of an assistant. */
  depth: number;
  refused?: string;
}

/**
 * The cards of a file, one after the other, so that a file of any size takes the same memory. ical.js 2.2 reads vCard
 * too, but refuses what phones write in version 2.1 (`TEL;HOME;VOICE:`, quoted-printable over several lines).
 */
export async function* cardsOf(
  input: Input,
  encoding: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Card> {
  // Content lines of a file in UTF-16 come in UTF-8.
  const reader = createReader(encoding.startsWith("utf-16") ? "utf-8" : encoding);
  for await (const line of contentLinesOf(input, encoding, onBytes)) {
    const card = reader.take(line);
    if (card) yield card;
  }
  const last = reader.end();
  if (last) yield last;
}

/** Takes the lines of a file one by one, and gives the card that ends, or is found to have no end. */
function createReader(encoding: string): { take(line: ContentLine): Card | undefined; end(): Card | undefined } {
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
    open = { line, lines: [], bytes: 0, depth: 0 };
    return left;
  }

  function finish(): Card | undefined {
    if (!open || open.depth > 0) {
      if (open) open.depth -= 1;
      return undefined;
    }
    const card = finished(open, encoding);
    open = undefined;
    return card;
  }

  function take(line: ContentLine): Card | undefined {
    if (line.mark) return line.mark === "BEGIN" ? begin(line.number) : finish();
    if (open?.depth === 0) addLine(open, line);
    return undefined;
  }

  return { take, end };
}

/** Whether a card that begins here is one within the card that is open. */
function isWithin({ lines, depth }: Open): boolean {
  return depth > 0 || /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:\s*$/i.test(lines.at(-1)?.toString("latin1") ?? "");
}

function addLine(open: Open, { number, bytes, isTooLong }: ContentLine): void {
  open.bytes += bytes.length;
  if (isTooLong || open.bytes > CARD_BYTES_MAX) open.refused ??= `Line ${number} is too long for a card`;
  if (open.lines.length === PROPERTIES_MAX) open.refused ??= `The card has more than ${PROPERTIES_MAX} properties`;
  if (open.refused === undefined) open.lines.push(bytes);
  else open.lines = [];
}

function finished({ line, lines, refused }: Open, encoding: string): Card {
  if (refused !== undefined) return { line, refused };
  const properties: Property[] = [];
  for (const bytes of lines) {
    const property = propertyOf(bytes, encoding);
    if (!property)
      return { line, refused: `The card has a line that is not part of a vCard: ${shown(bytes, encoding)}` };
    properties.push(property);
  }
  const isOld = properties.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1");
  return { line, properties: isOld ? properties.map(asInLaterVersions) : properties };
}

function shown(bytes: Buffer, encoding: string): string {
  const text = decoded(bytes, [encoding, "windows-1252"]);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}
