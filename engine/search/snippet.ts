/** Most characters of the part of a text that a search shows. docs/guides/search.md#answers */
const SNIPPET_LENGTH_MAX = 200;
/** Characters that are shown before a find in a longer text. */
const BEFORE = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The part of a text around a find: whole characters, with the accents and emoji that belong together. */
export function snippet(text: string, { start, end }: { start: number; end: number }): string {
  if (text.length <= SNIPPET_LENGTH_MAX) return text;
  const room = SNIPPET_LENGTH_MAX - Math.min(end - start, SNIPPET_LENGTH_MAX);
  const wanted = Math.max(0, Math.min(start - Math.min(BEFORE, room), text.length - SNIPPET_LENGTH_MAX));
  const part = text.slice(wanted, wanted + SNIPPET_LENGTH_MAX);
  // A part that begins or ends within a character loses that character.
  const margin = text.slice(Math.max(0, wanted - MARGIN), wanted + SNIPPET_LENGTH_MAX + MARGIN);
  const offset = Math.min(wanted, MARGIN);
  const inside = [...graphemes.segment(margin)].filter(
    ({ index, segment }) => index >= offset && index + segment.length <= offset + part.length,
  );
  const shown = inside.map(({ segment }) => segment).join("");
  return shown.trim() === "" ? wellFormed(part) : shown.trim();
}

/** Units around a part by which it is seen where its characters begin and end. Longer characters are cut. */
const MARGIN = 40;

function wellFormed(part: string): string {
  return part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
