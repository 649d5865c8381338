import { describe, expect, it } from "@jest/globals";
import { figuresOf } from "../../../lab/torture/faults/figures.ts";
import type { Fault, StageHistory } from "../../../lab/torture/faults/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/faults/judge.ts";
import { type Attempt, emptyHistory, type Made, type Probe } from "../../../lab/torture/load/history.ts";
import type { Change, Told } from "../../../lab/torture/webhooks/history.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const [AT, ENDED, WATCHED] = [10_000, 30_000, 40_000];
const EVERY_MS = 100;
const VICTIM = "worker 0";

const times = Array.from({ length: (WATCHED - AT) / EVERY_MS }, (_, i) => AT + i * EVERY_MS);

const PEOPLE: Made[] = [
  { name: "one", count: 1, ids: ["per_1"] },
  { name: "many", count: 2, ids: ["per_2", "per_3"] },
  // No answer came, and it was made.
  { name: "unsure", count: 1 },
];
const WRITTEN: Change[] = [
  ...["per_1", "per_2", "per_3", "rem_1"].map((recordId) => ({ recordId, number: 0 })),
  ...[1, 2].map((number) => ({ recordId: "per_1", number })),
];
const told = (): Told[] =>
  [...WRITTEN, { recordId: "per_4", number: 0 }].map((change, i) => ({
    ...change,
    eventId: `evt_${change.recordId}_${change.number}`,
    at: AT + i,
  }));

/** A tenth of the requests fails for two seconds, and the process that is hit says that it is not ready. */
function clean(fault: Partial<Fault> = {}): StageHistory {
  const isBad = (time: number, i: number) => time < AT + 2000 && i % 10 === 0;
  const attempts = times.map(
    (sentAt, i): Attempt => ({
      ...{ kind: "read", tried: 1, sentAt, answeredAt: sentAt + 50, isProxys: false, isJson: true },
      ...(isBad(sentAt, i) ? { status: 503, retryAfterS: 1, reason: "SERVICE_UNAVAILABLE" } : { status: 200 }),
    }),
  );
  const probe = (path: Probe["path"], process: string, sentAt: number): Probe => ({
    process,
    path,
    sentAt,
    answeredAt: sentAt + 20,
    status: path === "/readyz" && process === VICTIM && sentAt < ENDED ? 503 : 200,
  });
  return {
    ...emptyHistory(1),
    stage: "one NATS",
    skipped: {},
    leftOver: [],
    faults: [
      {
        ...{ kind: "refused", target: "services and PostgreSQL", at: AT, endedAt: ENDED, watchedUntil: WATCHED },
        ...{ away: [], cutOff: [VICTIM], cutsClients: false, corrupts: false, stays: false },
        promised: { first: 0.15, meanwhile: 0, after: 0 },
        ...fault,
      },
    ],
    attempts,
    probes: ["gateway 0", VICTIM].flatMap((process) =>
      times.flatMap((time) => [probe("/livez", process, time), probe("/readyz", process, time)]),
    ),
    people: structuredClone(PEOPLE),
    notes: [{ name: "a note", count: 1, ids: ["note_1"] }],
    titles: [{ recordId: "per_1", acknowledged: 2, perhaps: 2 }],
    written: [...WRITTEN],
    received: told().map((one) => ({ ...one, isGenuine: true })),
    read: told(),
    streamed: [told()],
    found: {
      people: [
        { id: "per_1", firstName: "one", jobTitle: "2" },
        { id: "per_2", firstName: "many", jobTitle: null },
        { id: "per_3", firstName: "many", jobTitle: null },
        { id: "per_4", firstName: "unsure", jobTitle: null },
      ],
      notes: [{ id: "note_1", content: "a note" }],
    },
  };
}

function found(doctor: (history: StageHistory) => void, fault: Partial<Fault> = {}): string[] {
  const history = clean(fault);
  doctor(history);
  return [...new Set(judge({ stages: [history] }, BOUNDS).map(({ promise }) => promise))];
}

/** Changes requests that were sent in a time. */
const within = ({ attempts }: StageHistory, from: number, to: number, change: Partial<Attempt>) => {
  for (const one of attempts) if (one.sentAt >= from && one.sentAt < to) Object.assign(one, change);
};
const unavailable = { status: 503, retryAfterS: 1 };
const probeAt = ({ probes }: StageHistory, process: string, path: Probe["path"], from: number) =>
  probes.find((probe) => probe.process === process && probe.path === path && probe.sentAt >= from) as Probe;

describe("The judge of faults", () => {
  it("finds nothing in a clean history", () => {
    expect(found(() => undefined)).toEqual([]);
  });

  it.each<[wrong: string, promise: string, doctor: (history: StageHistory) => void]>([
    [
      "half of the requests failing while a process hangs",
      "at most 15 % fail in the first 3000 ms of a fault",
      (history) => within(history, AT, AT + 1000, unavailable),
    ],
    [
      "one request that fails later, as long as the fault lasts",
      "at most 0 % fail from then until its end",
      (history) => within(history, AT + 5000, AT + 5100, unavailable),
    ],
    [
      "one request that fails when the fault is over",
      "at most 0 % fail after the end of a fault",
      (history) => within(history, ENDED, ENDED + 100, unavailable),
    ],
    [
      "a request that took more than ten seconds",
      "every request ends within 10000 ms",
      (history) => within(history, AT, AT + 100, { answeredAt: AT + 10_001 }),
    ],
    [
      "a request without an answer",
      "every request gets an answer",
      (history) => within(history, AT, AT + 100, { status: 0, isJson: false }),
    ],
    [
      "a connection that ended behind the load balancer",
      "every request gets an answer",
      (history) => within(history, AT, AT + 100, { status: 502, isProxys: true, isJson: false }),
    ],
    ["a text", "every answer is JSON", (history) => within(history, AT, AT + 100, { isJson: false })],
    [
      "a 503 without Retry-After",
      "a 503 says when to try again",
      (history) => within(history, AT, AT + 100, { status: 503, retryAfterS: 0 }),
    ],
    ["a 500", "answers are 200 or 503", (history) => within(history, AT, AT + 100, { status: 500 })],
    [
      "a process that is ready and reaches nothing",
      "/readyz tells the truth",
      (history) => Object.assign(probeAt(history, VICTIM, "/readyz", AT + 5000), { status: 200 }),
    ],
    [
      "a process that is not ready when all is whole",
      "/readyz says when all is whole",
      (history) => Object.assign(history.probes.at(-1) ?? {}, { status: 503 }),
    ],
    [
      "a probe that waited for a process that hangs",
      "probes are answered within 500 ms",
      (history) => Object.assign(probeAt(history, "gateway 0", "/readyz", AT), { answeredAt: AT + 501 }),
    ],
    [
      "a process that ended",
      "every process lives on",
      (history) => Object.assign(probeAt(history, VICTIM, "/livez", AT), { status: 0 }),
    ],
    [
      "a prepared transaction that nobody ends",
      "no transaction stays prepared",
      (history) => history.leftOver.push("citus_0_1 at 5432"),
    ],
    ["a fleet that did not start", "every fault is made", (history) => Object.assign(history, { failure: "no port" })],
    ["a person that is gone", "no acknowledged write is lost", ({ found: there }) => there.people.splice(1, 1)],
    ["a note that is gone", "no acknowledged write is lost", ({ found: there }) => there.notes.pop()],
    [
      "a person that is there twice",
      "a key has its effect once",
      ({ found: there }) => there.people.push({ id: "per_4", firstName: "one", jobTitle: null }),
    ],
    [
      "half of a batch that nobody was told of",
      "a key has its effect once",
      ({ people }) => people.push({ name: "unsure", count: 2 }),
    ],
    [
      "a record that nobody has made",
      "every record has its request",
      ({ found: there }) => there.notes.push({ id: "note_2", content: "another" }),
    ],
    [
      "a change that was taken back",
      "a record is as it was told",
      ({ found: there }) => Object.assign(there.people[0] ?? {}, { jobTitle: "1" }),
    ],
    ["a delivery that never came", "no event is lost", ({ received }) => received.splice(1, 1)],
    ["an event that a stream skipped", "no event is lost", ({ streamed }) => streamed[0]?.splice(1, 1)],
    ["a reminder that did not fire", "no event is lost", ({ read }) => read.splice(3, 1)],
    [
      "a reminder that fired twice",
      "a change has one event",
      ({ read }) => read.push({ recordId: "rem_1", number: 0, eventId: "evt_again", at: AT }),
    ],
    [
      "an event without its change",
      "no event without its change",
      ({ read }) => read.push({ recordId: "per_9", number: 0, eventId: "evt_9", at: AT }),
    ],
    [
      "a later change that comes first",
      "events of a record come in its order",
      ({ read }) => read.splice(4, 2, ...read.slice(4, 6).toReversed()),
    ],
    [
      "a signature that is wrong",
      "every delivery is signed",
      ({ received }) => Object.assign(received[0] ?? {}, { isGenuine: false }),
    ],
    [
      "a delivery that comes again while nothing happens",
      "a delivery comes twice only around a fault",
      ({ received }) => received.push({ ...(received[0] as (typeof received)[number]), at: AT - 1 }),
    ],
  ])("finds %s", (_, promise, doctor) => {
    expect(found(doctor)).toEqual([promise]);
  });

  it.each<[wrong: string, from: number, to: number, fault: Partial<Fault>]>([
    ["failures 15 s after the end of a fault", AT, AT + 16_100, { endedAt: AT + 1000 }],
    ["a last request that failed", WATCHED - 100, WATCHED, { endedAt: AT + 1000 }],
    ["half-open connections in use 15 s after the fault began", AT, AT + 15_100, { stays: true }],
  ])("finds %s", (_, from, to, fault) => {
    const history = clean({ cutOff: [], ...fault });
    for (const one of history.faults) delete one.promised;
    const promises = () => [...new Set(judge({ stages: [history] }, BOUNDS).map(({ promise }) => promise))];
    expect(promises()).toEqual([]);
    within(history, from, to, unavailable);
    expect(promises()).toEqual(["all is whole again 15000 ms after a fault"]);
  });

  it("lets a killed gateway take its connections along, a hung process be silent, and corrupted bytes be misread", () => {
    const silent = { status: 0, isJson: false, answeredAt: AT + 20_000 };
    expect(found((history) => within(history, AT, AT + 100, silent), { cutsClients: true })).toEqual([]);
    const hang = (history: StageHistory) =>
      Object.assign(probeAt(history, VICTIM, "/livez", AT), { status: 0, answeredAt: ENDED });
    expect(found(hang, { away: [VICTIM] })).toEqual([]);
    expect(found((history) => within(history, AT, AT + 100, { status: 401 }), { corrupts: true })).toEqual([]);
  });

  it("lets the load balancer say that there is no gateway, and clients meet their own keys and limits", () => {
    const away = { status: 503, isProxys: true, isJson: false };
    expect(found((history) => within(history, AT, AT + 100, away))).toEqual([]);
    const again = (status: number) => (history: StageHistory) =>
      history.attempts.push({ ...(history.attempts.at(-1) as Attempt), tried: 2, status });
    expect(found(again(409))).toEqual([]);
    expect(found(again(429))).toEqual([]);
    expect(found((history) => within(history, AT, AT + 100, { status: 409 }))).toEqual(["answers are 200 or 503"]);
  });

  it("tells of each fault how many failed, in which time, and when all was whole", () => {
    const history = clean();
    within(history, AT + 5000, AT + 5100, unavailable);
    const row = figuresOf({ stages: [history] }, 60_000, BOUNDS.firstMs)["refused: services and PostgreSQL"];
    expect(row?.trim().split(/ {2,}/)).toEqual([
      "3 of 300",
      "7 %",
      "1 %",
      "0 %",
      "0.0 s → 5.0 s",
      "0.0 s",
      "0.1 s",
      "2 × 503 SERVICE_UNAVAILABLE, 1 × 503",
    ]);
  });
});
