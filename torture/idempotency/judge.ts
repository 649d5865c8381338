import type { Broken } from "../promise.ts";
import { type Attempt, type Fault, type History, isDefinitive, type Person, type Work } from "./history.ts";

export interface Bounds {
  /** A request ends within this time. gaps 8. */
  requestMs: number;
  /** What waits when all is whole again has its answer within this time. */
  stuckMs: number;
}

export const BOUNDS: Bounds = { requestMs: 10_000, stuckMs: 2_000 };

/**
 * The promises that a history and the people found in the end show broken: exactly one effect and one answer per key, no
 * acknowledged write lost, no key stuck, no answer that a client cannot act on. API document, "Idempotency"; gaps 2, 8.
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

/** One that never got a definitive answer is broken whatever happened; else see `waitedMs`. */
function judgeStuck(attempts: Attempt[], faults: Fault[], { stuckMs }: Bounds): Broken[] {
  const end = attempts.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const list: Broken[] = [];
  for (const [name, mine] of Map.groupBy(attempts, ({ key, duplicate }) => `${key}, duplicate ${duplicate}`)) {
    const answer = mine.find(isDefinitive);
    if (!answer) list.push(broken("every duplicate gets an answer", `${name}: none in ${mine.length} attempts`));
    const pending = { since: mine[0]?.sentAt ?? 0, until: answer?.answeredAt ?? end };
    for (const fault of faults) {
      const ms = waitedMs(pending, fault, faults);
      if (ms > stuckMs)
        list.push(broken("no key is stuck", `${name}: ${Math.round(ms)} ms after the recovery from: ${fault.kind}`));
    }
  }
  return list;
}

/**
 * How long a duplicate waited although all was whole: it was first sent before the recovery from this fault, and had no
 * definitive answer from that recovery on, until it got one or the next fault began. 0 when another fault lasted on.
 */
function waitedMs(pending: { since: number; until: number }, { recoveredAt }: Fault, faults: Fault[]): number {
  if (pending.since > recoveredAt || pending.until <= recoveredAt) return 0;
  if (faults.some((other) => other.at < recoveredAt && other.recoveredAt > recoveredAt)) return 0;
  const next = faults.filter(({ at }) => at >= recoveredAt).map(({ at }) => at);
  return Math.min(pending.until, ...next) - recoveredAt;
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
