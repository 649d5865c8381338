import type { Decision } from "../../base/contract/rate-windows.ts";
import { answersWithin } from "../../base/loop/answers-within.ts";
import { type User, userKey } from "./limiter.ts";
import { answerAll, type Line, waitIn } from "./lines.ts";

/** Time after which a holder that has not answered may hang. */
const SLOW_MS = 500;

interface Asking {
  /** Asks the holder to count `count` requests of a user. Null stands for those that it has not counted. */
  ask(holder: string, user: User, count: number): Promise<(Decision | null)[]>;
  /** Takes the user from a holder whose session has ended, and counts a request; null if it has not. */
  takeOver(user: User): Promise<Decision | null>;
}

/**
 * Makes the function that asks the holder of a user for a decision. One question about a user is on its way at a time.
 * Requests that come meanwhile go together in the next one, so that a flood of one user is a few messages. The answer
 * is null if the holder does not hold the user, and undefined if it has died or cannot be reached.
 */
export function questions({ ask, takeOver }: Asking) {
  const lines = new Map<string, Line>();

  async function askFor(user: User, holder: string, key: string, line: Line): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0);
      const answers = await answersOf(user, ask(holder, user, batch.length));
      for (const [i, { resolve }] of batch.entries()) resolve(answers && (answers[i] ?? null));
      if (!answers?.at(-1)) break;
    }
    lines.delete(key);
    answerAll(line, null);
  }

  async function answersOf(
    user: User,
    answers: Promise<(Decision | null)[]>,
  ): Promise<(Decision | null)[] | undefined> {
    const answered = answers.catch(() => undefined);
    while (!(await answersWithin(SLOW_MS, answered))) {
      const decision = await takeOver(user).catch(() => null);
      if (decision) return [decision];
    }
    return answered;
  }

  return (user: User, holder: string): Promise<Decision | null | undefined> => {
    const key = userKey(user);
    const line = lines.get(key);
    if (line) return waitIn(line);
    const first: Line = [];
    lines.set(key, first);
    const answer = waitIn(first);
    void askFor(user, holder, key, first);
    return answer;
  };
}
