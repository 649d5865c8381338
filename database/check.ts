/**
 * Gives a function that asks whether the other end answers, and rejects when it does not. A question that has no answer
 * yet is not asked again. The other end is not asked while connections are at work: an answer that comes late then says
 * that there is much to do, and not that the database is away.
 */
export function createCheck(ask: () => Promise<unknown>, isAtWork: () => boolean): () => Promise<void> {
  let asking: Promise<unknown> | undefined;
  return async () => {
    // The question itself is not taken for work.
    if (asking === undefined && isAtWork()) return;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    await asking;
  };
}
