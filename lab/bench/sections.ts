/** The section of docs/benchmarks.md that `npm run bench` writes. */
export const AGAINST = "## Against another commit";
const BY_HAND = "## By hand";

/** The text with this section in the place of the one before, or else before what is written by hand, or at the end. */
export function withAgainst(text: string, section: string): string {
  const at = placeOf(text, AGAINST);
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
