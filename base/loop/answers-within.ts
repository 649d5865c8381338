/**
 * True if an answer comes within this time. An error does not count as an answer. An answer that arrived while this
 * process was busy counts: it is read before the immediate runs.
 */
export function answersWithin(ms: number, answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(() => resolve(false)), ms);
    const tell = (answers: boolean) => {
      clearTimeout(timer);
      resolve(answers);
    };
    answer.then(
      () => tell(true),
      () => tell(false),
    );
  });
}
