import { setTimeout as pause } from "node:timers/promises";
import { openConnection } from "../../harness/connection.ts";
import { isSuccess, type Target } from "../../harness/load.ts";
import { pick } from "../pick.ts";
import type { Kind } from "./operation.ts";

/** What one request comes to, seen from outside. */
export interface Counted {
  /** Statements that PostgreSQL got. */
  statements: number;
  /** Entries of the answer of each request, in their order; undefined for what is no list. */
  items: (number | undefined)[];
  failures: string[];
}

const WARM_UP_REQUESTS = 3;
const COUNTED_REQUESTS = 30;
const COUNTED_BATCHES = 5;
/** How often each is sent of requests that are few. */
const REPEATS = 3;
/** Statements that come behind the answer belong to it too. */
const SETTLE_MS = 8;
/** Characters of an answer that are shown when it tells of a failure. */
const SHOWN_LENGTH = 300;

/**
 * Sends requests one after another and counts the statements of each. Of requests that are the same a low one counts:
 * what the server does of its own accord, and what it does twice a second, falls on some of them and not on most. Goes
 * on where the target stands.
 */
export async function countStatements(target: Target, kind: Kind, statements: () => number): Promise<Counted> {
  const connection = await openConnection(target.port);
  const { ways, requests } = plan(target.bytes.length, kind);
  const counts = Array.from({ length: ways }, (): number[] => []);
  const counted: Counted = { statements: 0, items: [], failures: [] };
  try {
    for (let i = -WARM_UP_REQUESTS; i < requests; i++) {
      const request = pick(target.bytes, target.next);
      const before = statements();
      const { status, body } = await connection.ask(request);
      await pause(SETTLE_MS);
      if (i >= 0) pick(counts, target.next).push(statements() - before);
      target.next += 1;
      const answer = body();
      counted.items.push(itemsOf(answer));
      if (!isSuccess(status) || answer.includes('"status":"failed"'))
        counted.failures.push(`${status} ${answer.slice(0, SHOWN_LENGTH)}`);
    }
  } finally {
    connection.close();
  }
  return { ...counted, statements: counts.reduce((sum, ofOne) => sum + lowerQuartile(ofOne), 0) / ways };
}

/** The lowest of three; of many not the lowest, which may be an exception too. */
function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? 0;
}

/**
 * Number of requests that are counted, and how many different ones they are. Requests that are too many to be sent
 * twice, mostly writes, are treated as one request that is sent often.
 */
function plan(length: number, kind: Kind): { ways: number; requests: number } {
  if (kind === "batch") return { ways: 1, requests: COUNTED_BATCHES };
  return length <= COUNTED_REQUESTS
    ? { ways: length, requests: REPEATS * length }
    : { ways: 1, requests: COUNTED_REQUESTS };
}

/** Entries of a list or of the results of a batch; servers of others answer both with an array. */
function itemsOf(answer: string): number | undefined {
  const parsed = JSON.parse(answer);
  const entries = Array.isArray(parsed) ? parsed : (parsed.data?.items ?? parsed.data?.results);
  return Array.isArray(entries) ? entries.length : undefined;
}
