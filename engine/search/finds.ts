import { dialledDigits } from "../../base/values/phone-digits.ts";
import { eachWord, foldedRun, type WordKind } from "../../base/values/search-words.ts";
import { type Asked, type AskedWord, type Closeness, closenessOf, EXACT, PREFIX, partOfRun } from "./asked.ts";
import { snippet } from "./snippet.ts";

/** A text of a thing, with the field that has it. */
export interface FieldText {
  /** As in events, without the place in a list. */
  path: readonly string[];
  text: string;
  kind: WordKind | "company";
}

/** A field in which something was found, and the text around it. */
export interface Match {
  path: readonly string[];
  text: string;
}

/** Most fields that a find names. docs/guides/search.md#answers */
const MATCHES_MAX = 5;

interface Place {
  closeness: Closeness;
  start: number;
  end: number;
}

/** A text with what was found in it, of a field of that number. */
interface FoundText extends FieldText {
  order: number;
  best: Place;
  words: number;
}

/**
 * The fields in which the words of a search stand, the best first: the closest, names before other fields and companies
 * behind them. Null if a word is missing, since the indexes find a little more than there is.
 */
export function matchesIn(asked: Asked, texts: readonly FieldText[]): Match[] | null {
  const seen = texts.map((one, order) => ({
    ...one,
    order,
    places: placesIn(asked.words, one.text),
    digits: one.kind === "phone" ? closenessOfDigits(asked, one.text) : null,
  }));
  const hasAll = asked.words.every((word) => seen.some(({ places }) => places.has(word)));
  // A phone that begins with the digits has all that is asked for. If not all words are there, it alone is the find.
  const finds = hasAll ? seen : seen.filter(({ digits }) => digits !== null);
  if (finds.length === 0) return null;
  const found = finds.flatMap(({ places, digits, ...one }): FoundText[] => {
    const best = bestOf([...places.values()], digits);
    return best ? [{ ...one, best, words: digits === null ? places.size : asked.words.length }] : [];
  });
  return bestByField(found.toSorted(inOrder))
    .slice(0, MATCHES_MAX)
    .map(({ path, text, best }) => ({ path, text: snippet(text, best) }));
}

/** The first text of each field. */
function bestByField(found: readonly FoundText[]): FoundText[] {
  const fields = new Set<string>();
  return found.filter(({ path }) => {
    const field = JSON.stringify(path);
    return !fields.has(field) && fields.add(field);
  });
}

/** The closest place of each word in a text. */
function placesIn(words: readonly AskedWord[], text: string): Map<AskedWord, Place> {
  const places = new Map<AskedWord, Place>();
  let open = [...words];
  for (const { folded, start, end } of eachWord(text)) {
    for (const word of open) {
      const closeness = closenessOf(word, folded);
      if (closeness !== null && isCloser(closeness, places.get(word)))
        places.set(word, { closeness, ...within(word, text, start, end) });
    }
    open = open.filter((word) => places.get(word)?.closeness !== EXACT);
    if (open.length === 0) break;
  }
  return places;
}

function isCloser(closeness: Closeness, than: Place | undefined): boolean {
  return !than || closeness < than.closeness;
}

/** Runs without blanks may be long, so the part that was found is shown. */
function within(word: AskedWord, text: string, start: number, end: number): { start: number; end: number } {
  if (!word.isContinuous) return { start, end };
  const run = text.slice(start, end);
  const part = partOfRun(word, foldedRun(run));
  if (!part) return { start, end };
  return { start: start + unfolded(run, part.start), end: start + unfolded(run, part.end) };
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The place in a run at which its folded form has reached a length. Narrow letters with a mark become shorter. */
function unfolded(run: string, length: number): number {
  if (foldedRun(run).length === run.length) return length;
  let folded = 0;
  for (const { index, segment } of characters.segment(run)) {
    if (folded >= length) return index;
    folded += foldedRun(segment).length;
  }
  return run.length;
}

function closenessOfDigits({ digits }: Asked, phone: string): Closeness | null {
  let closest: Closeness | null = null;
  for (const form of digits.length > 0 ? dialledDigits(phone) : [])
    for (const beginning of digits) {
      if (form === beginning) return EXACT;
      if (form.startsWith(beginning)) closest = PREFIX;
    }
  return closest;
}

function bestOf(places: Place[], digits: Closeness | null): Place | undefined {
  const all = digits === null ? places : [...places, { closeness: digits, start: 0, end: 0 }];
  return all.toSorted((a, b) => a.closeness - b.closeness)[0];
}

const ORDER: Record<FieldText["kind"], number> = { name: 0, other: 1, phone: 1, company: 2 };

function inOrder(a: FoundText, b: FoundText): number {
  return a.best.closeness - b.best.closeness || ORDER[a.kind] - ORDER[b.kind] || b.words - a.words || a.order - b.order;
}
