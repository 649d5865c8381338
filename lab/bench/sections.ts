/** The sections of docs/benchmarks.md that `npm run bench` writes. */
export const AGAINST = "## Against another commit";
export const BESIDE = "## Beside PostgREST";
export const HOP = "## The price of a hop";
const BY_HAND = "## By hand";

/**
 * The text with a section, which begins with its heading, in the place of the one before, or else before what is
 * written by hand, or at the end.
 */
export function withSection(text: string, section: string): string {
  const [heading = ""] = section.split("\n");
  const at = placeOf(text, heading);
  const byHand = placeOf(text, BY_HAND);
  const begin = at >= 0 ? at : byHand >= 0 ? byHand : text.length;
  const next = text.indexOf("\n## ", begin + 1);
  const end = at < 0 ? begin : next < 0 ? text.length : next;
  return `${text.slice(0, begin)}\n${section.trim()}\n${text.slice(end)}`;
}

/** Where the line break before a heading stands. */
function placeOf(text: string, heading: string): number {
  return text.indexOf(`\n${heading}\n`);
}
