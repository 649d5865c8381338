import { openSlices } from "./slices.ts";

/** Makes something of each thing, in their order. The event loop serves others in between when it takes long. */
export async function mapInSlices<Thing, Result>(
  things: Iterable<Thing>,
  make: (thing: Thing) => Result,
): Promise<Result[]> {
  const slices = openSlices();
  const made: Result[] = [];
  for (const thing of things) {
    if (slices.isOver()) await slices.next();
    made.push(make(thing));
  }
  return made;
}

/** Divides things into lists of at most this length together, or of one thing. The length of a thing is told by `lengthOf`. */
export function divide<Thing>(things: Thing[], lengthOf: (thing: Thing) => number, max: number): Thing[][] {
  const parts: Thing[][] = [];
  let part: Thing[] = [];
  let length = 0;
  for (const thing of things) {
    const more = lengthOf(thing);
    if (part.length > 0 && length + more > max) {
      parts.push(part);
      [part, length] = [[], 0];
    }
    part.push(thing);
    length += more;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
