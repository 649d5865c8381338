import { openSlices, type Slices } from "./slices.ts";

/**
 * Makes something of each thing, in their order. The event loop serves others in between when it takes long; what takes
 * no longer than one slice is made at once, for most lists are short, and many of them are made for one request.
 */
export function mapInSlices<Thing, Result>(
  things: Iterable<Thing>,
  make: (thing: Thing) => Result,
): Result[] | Promise<Result[]> {
  const slices = openSlices();
  const rest = things[Symbol.iterator]();
  const made: Result[] = [];
  return makeSlice(rest, make, made, slices) ? made : makeRest(rest, make, made, slices);
}

/** Goes on until the slice is over. Gives whether all is made. */
function makeSlice<Thing, Result>(
  rest: Iterator<Thing>,
  make: (thing: Thing) => Result,
  made: Result[],
  slices: Slices,
): boolean {
  while (!slices.isOver()) {
    const { done, value } = rest.next();
    if (done) return true;
    made.push(make(value));
  }
  return false;
}

async function makeRest<Thing, Result>(
  rest: Iterator<Thing>,
  make: (thing: Thing) => Result,
  made: Result[],
  slices: Slices,
): Promise<Result[]> {
  do {
    await slices.next();
  } while (!makeSlice(rest, make, made, slices));
  return made;
}

/**
 * Divides things into lists of at most this length together, or of one thing. `lengthOf` gives the length of a thing.
 */
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
