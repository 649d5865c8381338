import { LRUCache } from "lru-cache";

/** Users decide how many attempts are refused and for which names, so a log of all of them would have no end. */
const SUBJECTS_KEPT = 10_000;
const AGAIN_MS = 60 * 60 * 1000;

/**
 * Gives a function that passes messages on, of each subject one in an hour. The subject of a message is its text,
 * unless another one is given.
 */
export function tellOnce(tell: (message: string) => void): (message: string, subject?: string) => void {
  const told = new LRUCache<string, true>({ max: SUBJECTS_KEPT, ttl: AGAIN_MS });
  return (message, subject = message) => {
    if (told.has(subject)) return;
    told.set(subject, true);
    tell(message);
  };
}
