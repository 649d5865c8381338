/** Maximum number of questions in one call. The others go with further calls. */
const TOGETHER_MAX = 100;

interface Waiting<Question, Found> {
  question: Question;
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/**
 * Gives a function that answers single questions, and asks those of one turn of the event loop together. Under load a statement
 * for each question costs more than finding the answers.
 * @param findAll gives the answers in the order of the questions
 * @param gatherMs for how long questions are gathered; unless given, for one turn
 */
export function together<Question, Found>(
  findAll: (questions: Question[]) => Promise<Found[]>,
  gatherMs?: number,
): (question: Question) => Promise<Found> {
  let waiting: Waiting<Question, Found>[] = [];

  async function answer(some: Waiting<Question, Found>[]): Promise<void> {
    try {
      const found = await findAll(some.map(({ question }) => question));
      for (const [i, { resolve }] of some.entries()) resolve(found[i] as Found);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function answerAll(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += TOGETHER_MAX) void answer(all.slice(i, i + TOGETHER_MAX));
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) {
        if (gatherMs === undefined) setImmediate(answerAll);
        else setTimeout(answerAll, gatherMs);
      }
      waiting.push({ question, resolve, reject });
    });
}
