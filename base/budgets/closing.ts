/** A stream, a socket or the answer to a request, as far as it closes. */
export interface Closing {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Work for the moment when a stream closes, by one listener for all of it: Node warns of a leak with one listener each.
 */
const endings = new WeakMap<Closing, Set<() => void>>();

/**
 * Does something once, when the first of these streams closes. There may be several, because the answers that wait
 * behind another one on a socket do not learn that it has closed. Those that are closed already are of no account.
 */
export function whenFirstCloses(streams: readonly Closing[], work: () => void): void {
  const ended = () => {
    for (const stream of streams) endings.get(stream)?.delete(ended);
    work();
  };
  for (const stream of streams) endingsOf(stream).add(ended);
}

function endingsOf(stream: Closing): Set<() => void> {
  const known = endings.get(stream);
  if (known) return known;
  const ofStream = new Set<() => void>();
  endings.set(stream, ofStream);
  stream.once("close", () => {
    // One may close while the other tells of its end: what that has done already is no longer in the set, and is not
    // done again.
    for (const end of ofStream) end();
  });
  return ofStream;
}
