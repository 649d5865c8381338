import leven from "leven";

/** Maximum number of names in a message. */
const SHOWN_MAX = 20;
/** Names that differ in more of their letters are not taken for a slip of the pen. */
const SLIP_SHARE = 0.4;
/** Minimum length of a beginning: a user who typed it may have left out the other letters. */
const BEGINNING_LENGTH_MIN = 3;
/**
 * Longer names are compared by their beginning, because the time of a comparison grows with the square of the length.
 */
const COMPARED_LENGTH_MAX = 100;

/**
 * Sentence about a name that does not exist: the nearest known name, and the known ones.
 * ` Did you mean "Sales"? There are: "Sales", "Customers".`
 * @param all how to list all of them, for when there are more than a message tells: `"users list"`
 * @param none what to do when there is nothing at all
 */
export function didYouMean(asked: string, known: readonly string[], { all, none }: { all?: string; none: string }) {
  if (known.length === 0) return none;
  const near = nearest(asked, known);
  const shown = known.slice(0, SHOWN_MAX).join(", ");
  const more =
    known.length > SHOWN_MAX ? `, … (${all ? `${all} shows all ${known.length}` : `${known.length} in all`})` : "";
  return `${near === undefined ? "" : `Did you mean ${near}? `}There are: ${shown}${more}.`;
}

/** The name that the user probably means; undefined when none is near. */
export function nearest(asked: string, known: readonly string[]): string | undefined {
  const wanted = plain(asked);
  if (wanted.length < 2) return undefined;
  const near = known
    .map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => Number(a.distance) - Number(b.distance));
  return near[0]?.name;
}

/**
 * Distance of a name from the typed one; undefined if it is not near. A name that begins with the typed text is nearer
 * than one with a typo, and among several such names the shortest is nearest.
 */
function distanceOf(wanted: string, name: string): number | undefined {
  const distance = isSwapped(wanted, name) ? 1 : leven(wanted, name);
  if (wanted.length >= BEGINNING_LENGTH_MIN && name.startsWith(wanted)) return distance / (COMPARED_LENGTH_MAX + 1);
  return distance <= Math.max(1, Math.floor(Math.max(name.length, wanted.length) * SLIP_SHARE)) ? distance : undefined;
}

/** Whether two neighbouring letters have changed places: `kyes`. That is one slip, and two changes of letters. */
function isSwapped(wanted: string, name: string): boolean {
  const at = wanted.split("").findIndex((letter, index) => letter !== name[index]);
  const swapped = [wanted.slice(at + 1, at + 2), wanted.slice(at, at + 1)];
  return at >= 0 && [wanted.slice(0, at), ...swapped, wanted.slice(at + 2)].join("") === name;
}

/** A name as it is compared here: without letter case and quotes. */
function plain(name: string): string {
  return name.slice(0, COMPARED_LENGTH_MAX).toLowerCase().replaceAll('"', "");
}
