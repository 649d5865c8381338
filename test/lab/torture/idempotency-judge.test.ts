import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Attempt, History, Person, Work } from "../../../lab/torture/idempotency/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/idempotency/judge.ts";
import type { Fault } from "../../../lab/torture/random-faults.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const KEYS = 3;
const DUPLICATES = 2;

const works: Work[] = [
  ...Array.from({ length: KEYS }, (_, i) => workOf(`k${i}`, 200, 1)),
  workOf("batch", 200, 2),
  workOf("refused", 422, 0),
];

function workOf(key: string, status: Work["status"], people: number): Work {
  return { key, kind: "create", method: "POST", path: "/v1/people", body: "{}", status, people };
}

const personOf = (key: string, n = 0): Person => ({ id: `per_${key}_${n}`, firstName: key });

function bodyOf({ key, status, people }: Work): string {
  if (status === 422) return JSON.stringify({ error: { code: "UNPROCESSABLE_ENTITY", requestId: key } });
  if (people === 1) return JSON.stringify({ data: personOf(key) });
  const results = Array.from({ length: people }, (_, n) => ({ status: "succeeded", data: personOf(key, n) }));
  return JSON.stringify({ data: { results } });
}

function attemptOf(work: Work, duplicate: number, change: Partial<Attempt> = {}): Attempt {
  return {
    key: work.key,
    duplicate,
    gateway: duplicate,
    sentAt: 1000,
    answeredAt: 1010,
    status: work.status,
    body: bodyOf(work),
    replayed: duplicate > 0,
    ...change,
  };
}

/** Everything went well: first a 409 for some, then the answer. */
function clean(): { history: History; people: Person[] } {
  const attempts = works.flatMap((work) =>
    Array.from({ length: DUPLICATES }, (_, i) => [
      ...(i > 0 ? [attemptOf(work, i, { status: 409, retryAfterS: 1, replayed: false, body: "" })] : []),
      attemptOf(work, i, { sentAt: 2000, answeredAt: 2010 }),
    ]).flat(),
  );
  const people = works.flatMap(({ key, people: count }) => Array.from({ length: count }, (_, n) => personOf(key, n)));
  return { history: { attempts, faults: [] }, people };
}

/** The promises that the judge finds broken once the history is doctored. */
function found(doctor: (history: History, people: Person[]) => void): string[] {
  const { history, people } = clean();
  doctor(history, people);
  return [...new Set(judge(works, history, people, BOUNDS).map(({ promise }) => promise))];
}

const [first] = works as [Work];
const fault = (at: number, recoveredAt: number): Fault => ({ kind: "kill", target: "worker 0", at, recoveredAt });
const answersOf = ({ attempts }: History, key: string) =>
  attempts.filter((attempt) => attempt.key === key && attempt.status === 200);
const change = (attempt: Attempt | undefined, values: Partial<Attempt>) => Object.assign(attempt ?? {}, values);

describe("The judge of idempotency", () => {
  it("finds nothing in a clean history", () => {
    expect(found(() => undefined)).toEqual([]);
  });

  it("finds nothing when every answer seen is a replay, since the first was lost after its commit", () => {
    expect(found((history) => change(answersOf(history, "k0")[0], { replayed: true }))).toEqual([]);
  });

  it.each<[wrong: string, promise: string, doctor: (history: History, people: Person[]) => void]>([
    [
      "a record that is there twice",
      "a key has its effect once",
      (_, people) => people.push({ id: "per_other", firstName: "k0" }),
    ],
    [
      "a record of a request that was refused",
      "a key has its effect once",
      (_, people) => people.push(personOf("refused")),
    ],
    ["an acknowledged write that is gone", "no acknowledged write is lost", (_, people) => people.splice(0, 1)],
    [
      "an acknowledged write that is there under another id",
      "no acknowledged write is lost",
      (_, people) => Object.assign(people[0] ?? {}, { id: "per_other" }),
    ],
    ["one person of a batch that is gone", "no acknowledged write is lost", (_, people) => people.splice(KEYS, 1)],
    [
      "a record that is not as it was told",
      "a record is as it was told",
      (_, people) => Object.assign(people[0] ?? {}, { lastName: "Changed" }),
    ],
    [
      "two bodies for one key",
      "one body per key",
      (history) => change(answersOf(history, "k0")[1], { body: `${bodyOf(first)} ` }),
    ],
    [
      "two bodies for a key that was refused",
      "one body per key",
      ({ attempts }) =>
        change(
          attempts.findLast(({ key }) => key === "refused"),
          { body: "{}" },
        ),
    ],
    [
      "a second 200 without the header of a replay",
      "one answer per key is no replay",
      (history) => change(answersOf(history, "k0")[1], { replayed: false }),
    ],
    ["a record that nobody asked for", "every record has a key", (_, people) => people.push(personOf("stranger"))],
    [
      "a 500",
      "the answer is the expected one",
      ({ attempts }) => attempts.push(attemptOf(first, 0, { status: 500, body: "{}" })),
    ],
    [
      "a 504",
      "the answer is the expected one",
      ({ attempts }) => attempts.push(attemptOf(first, 0, { status: 504, body: "{}" })),
    ],
    [
      "a 404 for what is there",
      "the answer is the expected one",
      (history) => change(answersOf(history, "k0")[0], { status: 404 }),
    ],
    [
      "a 503 that does not say when to try again",
      "a refusal says when to try again",
      ({ attempts }) => attempts.unshift(attemptOf(first, 0, { status: 503, body: "" })),
    ],
    [
      "a duplicate that never gets an answer",
      "every duplicate gets an answer",
      ({ attempts }) => {
        for (const attempt of attempts) if (attempt.key === "k1" && attempt.duplicate === 1) attempt.status = 0;
      },
    ],
    [
      "a request that takes 10.1 s",
      "every request ends in time",
      (history) => change(answersOf(history, "k0")[0], { answeredAt: 12_100 }),
    ],
    [
      "a fault after which nothing was whole again",
      "all is whole again after a fault",
      ({ faults }) => faults.push(fault(900, Number.POSITIVE_INFINITY)),
    ],
    [
      "a key that waits for 3 s when all is whole again",
      "no key is stuck",
      (history) => {
        history.faults.push(fault(900, 1500));
        for (const answer of answersOf(history, "k0")) change(answer, { sentAt: 4490, answeredAt: 4500 });
        history.attempts.unshift(attemptOf(first, 0, { status: 503, retryAfterS: 1, body: "" }));
      },
    ],
    [
      "one duplicate that waits for 3.1 s when all is whole again and was told once to wait for 1 s",
      "no key is stuck",
      (history) => {
        history.faults.push(fault(900, 1500));
        change(answersOf(history, "k0")[1], { sentAt: 4600, answeredAt: 4610 });
      },
    ],
  ])("finds %s", (_, promise, doctor) => {
    expect(found(doctor)).toContain(promise);
  });

  it("takes a key for stuck only when all was whole for as long", () => {
    const late = (answeredAt: number, ...faults: Fault[]) =>
      found((history) => {
        history.faults.push(...faults);
        change(answersOf(history, "k0")[1], { sentAt: answeredAt - 10, answeredAt });
      });
    expect(late(4490, fault(900, 1500))).toEqual([]);
    expect(late(4510, fault(900, 1500))).toEqual(["no key is stuck"]);
    expect(late(4510, fault(900, 1520))).toEqual([]);
    expect(late(4610, fault(900, 1500), fault(3000, 4000))).toEqual([]);
    expect(late(4610, fault(900, 1500), fault(1200, 4000))).toEqual([]);
    expect(late(4610, fault(900, 1500), fault(4550, 5000))).toEqual(["no key is stuck"]);
  });

  it("finds the one that is lost and the one that is doubled, whichever it is", () => {
    const { people: all } = clean();
    for (const i of all.keys()) {
      expect(found((_, people) => people.splice(i, 1))).toEqual(["no acknowledged write is lost"]);
      const double = (people: Person[]) =>
        people.push({ ...all[i], id: "per_twice", firstName: all[i]?.firstName ?? "" });
      expect(found((_, people) => double(people))).toEqual(["a key has its effect once"]);
    }
  });

  it("finds nothing, however many attempts came to nothing before the answers", () => {
    const vain = fc.constantFrom<Partial<Attempt>>(
      { status: 0, error: "ECONNRESET" },
      { status: 409, retryAfterS: 1 },
      { status: 503, retryAfterS: 1 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(works.length - 1), fc.nat(DUPLICATES - 1), vain)), (all) => {
        const promises = found(({ attempts }) =>
          attempts.unshift(
            ...all.map(([work, duplicate, change]) =>
              attemptOf(works[work] ?? first, duplicate, { body: "", replayed: false, ...change }),
            ),
          ),
        );
        expect(promises).toEqual([]);
      }),
    );
  });
});
