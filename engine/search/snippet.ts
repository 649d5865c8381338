/** Most characters of the part of a text that a search shows. docs/guides/search.md#answers */
const SNIPPET_LENGTH_MAX = 200;
/** Characters that are shown before a find in a longer text. */
const BEFORE = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The part of a text around a find: whole characters, with the accents and emoji that belong together. */
export function snippet(text: string, { start, end }: { start: number; end: number }): string {
  if (text.length <= SNIPPET_LENGTH_MAX) return text;
  const room = SNIPPET_LENGTH_MAX - Math.min(end - start, SNIPPET_LENGTH_MAX);
  const from = Math.max(0, Math.min(start - Math.min(BEFORE, room), text.length - SNIPPET_LENGTH_MAX));
  const to = from + SNIPPET_LENGTH_MAX;
  // The text as a whole says where characters begin: within a row of flags, any two halves look like one.
  const characters = graphemes.segment(text);
  const first = characters.containing(from);
  const whole = first && first.index < from ? first.index + first.segment.length : from;
  const shown = text.slice(whole, characters.containing(to)?.index ?? to).trim();
  return shown === "" ? wellFormed(text.slice(from, to)) : shown;
}

/** A part of a character that is longer than the part. */
function wellFormed(part: string): string {
  return part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
