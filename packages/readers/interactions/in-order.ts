/** Maximum number of bytes under way at once, so that a long file takes no more memory than a short one. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;
/** Maximum number of items under way at once, because small ones take memory too. */
const THINGS_AT_ONCE = 64;

interface Work<Thing, Result> {
  sizeOf(thing: Thing): number;
  work(thing: Thing): Promise<Result>;
}

/** Works on several things at once and gives the results in the order of the things. */
export async function* inOrder<Thing, Result>(
  things: AsyncIterable<Thing>,
  { sizeOf, work }: Work<Thing, Result>,
): AsyncGenerator<Result> {
  const running: { result: Promise<Result>; bytes: number }[] = [];
  let bytes = 0;
  for await (const thing of things) {
    const result = work(thing);
    // The consumer of the result handles a failure. Until there is one, the failure must not end the process.
    result.catch(() => undefined);
    running.push({ result, bytes: sizeOf(thing) });
    bytes += sizeOf(thing);
    while (bytes > BYTES_AT_ONCE || running.length >= THINGS_AT_ONCE) {
      const first = running.shift();
      if (!first) break;
      bytes -= first.bytes;
      yield await first.result;
    }
  }
  for (const { result } of running) yield await result;
}
