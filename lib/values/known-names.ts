import leven from "leven";

/** How many names a message tells at most. */
const SHOWN_MAX = 20;
/** Names that differ in more than a third of their letters are not taken for a slip of the pen. */
const SLIP_SHARE = 1 / 3;
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
  const near = known
    .map((name) => ({ name, distance: leven(wanted, plain(name)) }))
    .filter(
      ({ name, distance }) =>
        distance <= Math.max(1, Math.floor(Math.max(plain(name).length, wanted.length) * SLIP_SHARE)),
    )
    .sort((a, b) => a.distance - b.distance);
  return wanted.length > 1 ? near[0]?.name : undefined;
}

/** A name as it is compared here: without letter case and quotes. */
function plain(name: string): string {
  return name.slice(0, COMPARED_LENGTH_MAX).toLowerCase().replaceAll('"', "");
}
