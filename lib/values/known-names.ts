import leven from "leven";

/** How many names a message tells at most. */
const SHOWN_MAX = 20;
/** Names that differ in more of their letters are not taken for a slip of the pen. Two letters that changed places are two. */
const SLIP_SHARE = 0.4;
/** Whoever typed so many letters may have left out the others. */
const BEGINNING_LENGTH_MIN = 3;
/** What is longer is compared by its beginning, since the time of a comparison grows with the square of the length. */
const COMPARED_LENGTH_MAX = 100;

/**
 * What a message says when there is nothing of a name: the nearest that there is, and those that there are.
 * ` Did you mean "Sales"? There are: "Sales", "Customers".`
 * @param all how to list all of them, for when there are more than a message tells: `"users list"`
 * @param none what to do when there is nothing at all
 */
export function whatThereIs(asked: string, known: readonly string[], { all, none }: { all?: string; none: string }) {
  if (known.length === 0) return none;
  const near = nearest(asked, known);
  const shown = known.slice(0, SHOWN_MAX).join(", ");
  const more =
    known.length > SHOWN_MAX ? `, … (${all ? `${all} shows all ${known.length}` : `${known.length} in all`})` : "";
  return `${near === undefined ? "" : `Did you mean ${near}? `}There are: ${shown}${more}.`;
}

/** The name that somebody may have meant; undefined when none is near. */
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
 * How far a name is from what was typed; undefined when it is not near. A name that begins so is nearer than any slip, and of several
 * that begin so the one is nearest of which the fewest letters are missing.
 */
function distanceOf(wanted: string, name: string): number | undefined {
  const distance = leven(wanted, name);
  if (wanted.length >= BEGINNING_LENGTH_MIN && name.startsWith(wanted)) return distance / (COMPARED_LENGTH_MAX + 1);
  return distance <= Math.max(1, Math.floor(Math.max(name.length, wanted.length) * SLIP_SHARE)) ? distance : undefined;
}

/** A name as it is compared here: without letter case and quotes. */
function plain(name: string): string {
  return name.slice(0, COMPARED_LENGTH_MAX).toLowerCase().replaceAll('"', "");
}
