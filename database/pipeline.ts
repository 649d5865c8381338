import type pg from "pg";
import { answersWithin } from "../base/loop/answers-within.ts";
import type { Waits } from "./connection.ts";
import { beginStatement } from "./statement-span.ts";

/** A connection on which many statements are on their way at once. */
export interface Pipeline {
  client: pg.Client;
  /** Names of the statements prepared on this connection. */
  prepared: Set<string>;
  /** Number of statements without an answer, and the time of the last answer, or of the first of these statements. */
  unanswered: number;
  progressAt: number;
  answeredAt: number;
  /** While it is asked whether it is still there: whether it is. */
  asked: Promise<boolean> | undefined;
}

/** Interval at which a connection is checked for silence. */
const WATCH_MS = 250;

/** Watches over a connection that has just been opened. `lose` is called when it breaks. */
export function createPipeline(client: pg.Client, waits: Waits, lose: () => void): Pipeline {
  const watch = setInterval(() => cutOffWhenSilent(pipeline, waits), WATCH_MS).unref();
  const pipeline: Pipeline = {
    client,
    prepared: new Set(),
    unanswered: 0,
    progressAt: 0,
    // A connection that has just been opened has answered.
    answeredAt: performance.now(),
    asked: undefined,
  };
  const end = () => {
    clearInterval(watch);
    lose();
  };
  client.on("error", end);
  client.on("end", end);
  return pipeline;
}

/**
 * Runs a statement through pg's callback, without the timer that pg would start for it. With either of them, a timer or
 * the promise of pg, the rows stay until the old generation is collected: each page of a list would be copied there,
 * and garbage collection would be a third of its cost.
 */
export function answered<Row>(pipeline: Pipeline, statement: pg.QueryConfig): Promise<Row[]> {
  if (pipeline.unanswered === 0) pipeline.progressAt = performance.now();
  pipeline.unanswered += 1;
  const ended = beginStatement(statement);
  return new Promise((resolve, reject) => {
    pipeline.client.query(statement, (error, result) => {
      pipeline.unanswered -= 1;
      pipeline.progressAt = performance.now();
      ended?.(error);
      if (error) {
        reject(error);
        return;
      }
      pipeline.answeredAt = pipeline.progressAt;
      resolve(result.rows as Row[]);
    });
  });
}

/**
 * Whether a connection may be used without asking whether the other end is still there: it has answered lately, or is
 * watched because it owes an answer.
 */
export function isTrusted({ unanswered, progressAt, asked }: Pipeline, { trustMs }: Waits): boolean {
  return asked === undefined && (unanswered > 0 || performance.now() - progressAt < trustMs);
}

/** Asks a connection whether it is still there, once for all who want to know; one that is not is cut off. */
export async function isAlive(pipeline: Pipeline, { silenceMs }: Waits): Promise<boolean> {
  pipeline.asked ??= answersWithin(silenceMs, answered(pipeline, { text: "select 1" })).finally(() => {
    pipeline.asked = undefined;
  });
  const alive = await pipeline.asked;
  if (!alive) pipeline.client.connection.stream.destroy();
  return alive;
}

/**
 * Cuts off a connection on which no answer has come for longer than any statement may take. All that wait for one are
 * rejected, and the next statement opens another connection.
 */
function cutOffWhenSilent({ client, unanswered, progressAt }: Pipeline, { readerStatementMs, silenceMs }: Waits): void {
  if (unanswered === 0 || performance.now() - progressAt < readerStatementMs + silenceMs) return;
  client.connection.stream.destroy();
}
