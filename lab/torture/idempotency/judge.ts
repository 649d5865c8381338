import type { Broken } from "../promise.ts";
import type { Fault } from "../random-faults.ts";
import { type Attempt, type History, isDefinitive, type Person, type Work } from "./history.ts";

export interface Bounds {
  /** A request ends within this time. docs/guides/conventions.md#when-something-is-away */
  requestMs: number;
  /** A key that waits when all is whole again has an answer within this time. */
  stuckMs: number;
}

export const BOUNDS: Bounds = { requestMs: 10_000, stuckMs: 2_000 };

/**
 * The promises that a history and the people found in the end show broken: exactly one effect and one answer per key,
 * no acknowledged write lost, no key stuck, no answer that a client cannot act on.
 * docs/torture.md#idempotency-exactly-once
 */
export function judge(work: Work[], { attempts, faults }: History, people: Person[], bounds: Bounds): Broken[] {
  const byKey = Map.groupBy(attempts, ({ key }) => key);
  const found = Map.groupBy(people, ({ firstName }) => firstName ?? "");
  const keys = new Set(work.map(({ key }) => key));
  return [
    ...work.flatMap((one) => judgeKey(one, byKey.get(one.key) ?? [], found.get(one.key) ?? [])),
    ...people
      .filter(({ firstName }) => !keys.has(firstName ?? ""))
      .map(({ id, firstName }) => broken("every record has a key", `${id} is called ${firstName}`)),
    ...attempts.flatMap((attempt) => judgeAnswer(attempt, bounds)),
    ...faults
      .filter(({ recoveredAt }) => recoveredAt === Number.POSITIVE_INFINITY)
      .map(({ kind, target }) => broken("all is whole again after a fault", `not after: ${kind} ${target}`)),
    ...judgeStuck(attempts, faults, bounds),
  ];
}

function judgeKey({ key, status, people }: Work, attempts: Attempt[], found: Person[]): Broken[] {
  const answers = attempts.filter(isDefinitive);
  const bodies = new Set(answers.map(({ body }) => body));
  const originals = answers.filter(({ replayed }) => !replayed);
  const unexpected = answers.filter((answer) => answer.status !== status);
  const list: Broken[] = unexpected.map((answer) =>
    broken("the answer is the expected one", `${key}: ${answer.status} ${answer.body.slice(0, 300)}`),
  );
  if (bodies.size > 1) list.push(broken("one body per key", `${key}: ${[...bodies].join(" and ").slice(0, 600)}`));
  // None at all is right: the first may have been lost after its commit, and every answer seen is then a replay.
  if (originals.length > 1)
    list.push(broken("one answer per key is no replay", `${key}: ${originals.length} are without the header`));
  if (found.length > people)
    list.push(broken("a key has its effect once", `${key}: ${found.length} people instead of ${people}`));
  if (answers.some((answer) => answer.status === 200)) list.push(...judgeAcknowledged(key, [...bodies], found, people));
  return list;
}

/** What was acknowledged is there, and as it was told. */
function judgeAcknowledged(key: string, bodies: string[], found: Person[], people: number): Broken[] {
  const list: Broken[] = [];
  if (found.length < people)
    list.push(broken("no acknowledged write is lost", `${key}: ${found.length} people instead of ${people}`));
  const there = new Map(found.map((person) => [person.id, person]));
  for (const told of bodies.flatMap(toldIn)) {
    const person = there.get(told.id);
    if (!person) list.push(broken("no acknowledged write is lost", `${key}: ${told.id} was told and is not there`));
    else if (JSON.stringify(person) !== JSON.stringify(told))
      list.push(broken("a record is as it was told", `${key}: ${JSON.stringify(told)}, now ${JSON.stringify(person)}`));
  }
  return list;
}

/** The people in the body of a success, of a single create or a batch. */
function toldIn(body: string): Person[] {
  const { data } = JSON.parse(body) as { data?: Person & { results?: { data?: Person }[] } };
  if (!data) return [];
  return data.results ? data.results.flatMap((entry) => entry.data ?? []) : [data];
}

function judgeAnswer({ key, status, sentAt, answeredAt, retryAfterS }: Attempt, bounds: Bounds): Broken[] {
  const list: Broken[] = [];
  const ms = Math.round(answeredAt - sentAt);
  if (ms > bounds.requestMs) list.push(broken("every request ends in time", `${key}: ${ms} ms, ${status}`));
  if ((status === 503 || status === 409) && retryAfterS === undefined)
    list.push(broken("a refusal says when to try again", `${key}: ${status} without Retry-After`));
  return list;
}

/**
 * A key is stuck when none of its duplicates got a definitive answer for `stuckMs` although all was whole (`waitedMs`).
 * A duplicate may take one Retry-After longer, if it was told to wait: who asks while the first is running has to.
 */
function judgeStuck(attempts: Attempt[], faults: Fault[], { stuckMs }: Bounds): Broken[] {
  const list: Broken[] = [];
  for (const [key, mine] of Map.groupBy(attempts, (attempt) => attempt.key)) {
    list.push(...judgeWait(key, pendingOf(mine), faults, stuckMs));
    for (const [duplicate, tries] of Map.groupBy(mine, (attempt) => attempt.duplicate)) {
      const name = `${key}, duplicate ${duplicate}`;
      if (!tries.some(isDefinitive))
        list.push(broken("every duplicate gets an answer", `${name}: none in ${tries.length} attempts`));
      const told = tries.map(({ status, retryAfterS = 0 }) => (status === 409 ? retryAfterS * 1000 : 0));
      list.push(...judgeWait(name, pendingOf(tries), faults, stuckMs + Math.max(...told)));
    }
  }
  return list;
}

interface Pending {
  since: number;
  until: number;
}

/** From the first attempt to the first definitive answer, or to the last attempt when there was none. */
function pendingOf(attempts: Attempt[]): Pending {
  const since = Math.min(...attempts.map(({ sentAt }) => sentAt));
  const answers = attempts.filter(isDefinitive).map(({ answeredAt }) => answeredAt);
  const until = answers.length > 0 ? Math.min(...answers) : Math.max(...attempts.map(({ answeredAt }) => answeredAt));
  return { since, until };
}

function judgeWait(name: string, pending: Pending, faults: Fault[], msMax: number): Broken[] {
  return faults.flatMap((fault) => {
    const ms = Math.round(waitedMs(pending, fault, faults));
    return ms > msMax ? [broken("no key is stuck", `${name}: ${ms} ms after the recovery from: ${fault.kind}`)] : [];
  });
}

/**
 * Time that a request was pending although no fault lasted: from the recovery from this fault until the request ended
 * or the next fault began. 0 when the request began later, or when another fault still lasted.
 */
function waitedMs(pending: Pending, { recoveredAt }: Fault, faults: Fault[]): number {
  if (pending.since > recoveredAt || pending.until <= recoveredAt) return 0;
  if (faults.some((other) => other.at < recoveredAt && other.recoveredAt > recoveredAt)) return 0;
  const next = faults.filter(({ at }) => at >= recoveredAt).map(({ at }) => at);
  return Math.min(pending.until, ...next) - recoveredAt;
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
