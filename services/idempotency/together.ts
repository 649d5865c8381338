/** Most that one call takes; the rest goes with another. */
const TOGETHER_MAX = 100;

interface Waiting<Asked, Found> {
  asked: Asked;
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/**
 * Makes one call of all questions of a turn of the event loop: under load a statement for each costs more than finding the
 * answers.
 * @param findAll gives the answers in the order of the questions
 */
export function together<Asked, Found>(
  findAll: (asked: Asked[]) => Promise<Found[]>,
): (asked: Asked) => Promise<Found> {
  let waiting: Waiting<Asked, Found>[] = [];

  async function ask(some: Waiting<Asked, Found>[]): Promise<void> {
    try {
      const found = await findAll(some.map(({ asked }) => asked));
      for (const [i, { resolve }] of some.entries()) resolve(found[i] as Found);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function askAll(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += TOGETHER_MAX) void ask(all.slice(i, i + TOGETHER_MAX));
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(askAll);
      waiting.push({ asked, resolve, reject });
    });
}
