import type { Decision } from "../../base/contract/rate-windows.ts";

/** Answer to a request that waits: null or undefined if it has to look for the holder of its user again. */
type Answer = Decision | null | undefined;

/** The requests of a user that wait, in their order. */
export type Line = PromiseWithResolvers<Answer>[];

/** Makes a request wait in a line. */
export function waitIn(line: Line): Promise<Answer> {
  const waiting = Promise.withResolvers<Answer>();
  line.push(waiting);
  return waiting.promise;
}

export function answerAll(line: Line, answer: Answer): void {
  for (const { resolve } of line.splice(0)) resolve(answer);
}

export function failAll(line: Line, error: unknown): void {
  for (const { reject } of line.splice(0)) reject(error);
}
