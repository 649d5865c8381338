import { setTimeout as pause } from "node:timers/promises";
import { batched } from "../../../base/jobs/batched.ts";
import type { Query } from "../../../database/query.ts";
import { type Result, writeResults } from "./deliveries.queries.ts";

/** For how long results are gathered, to be written by one statement and one commit. */
const GATHER_MS = 5;
/** Tries in the time that a database needs for a restart. Results that are not written by then are sent once more. */
const TRIES_MAX = 30;
const TRY_EVERY_MS = 1000;

/**
 * Gives a function that writes a result, together with those that come at the same time, and again while the database
 * is away. It gives whether this process still holds the queue.
 */
export function createResults(query: Query, onFailure: (error: Error) => void): (result: Result) => Promise<boolean> {
  const write = batched(async (results: Result[]) => {
    const held = await writeResults(query, results);
    return results.map((result) => held.has(result));
  }, GATHER_MS);

  async function writeAgain(result: Result, error: unknown, tries: number): Promise<boolean> {
    if (tries === TRIES_MAX) throw error;
    await pause(TRY_EVERY_MS);
    return write(result).catch((next) => writeAgain(result, next, tries + 1));
  }

  return (result) =>
    write(result).catch((error: Error) => {
      onFailure(error);
      return writeAgain(result, error, 1);
    });
}
