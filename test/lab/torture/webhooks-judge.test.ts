import { describe, expect, it } from "@jest/globals";
import type { Change, History, Received, Told } from "../../../lab/torture/webhooks/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/webhooks/judge.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const written: Change[] = [1, 2, 3].flatMap((number) => ["a", "b"].map((recordId) => ({ recordId, number })));

const told = (): Told[] =>
  written.map((change, i) => ({ ...change, eventId: `evt_${change.recordId}${change.number}`, at: 1000 + i }));

function clean(): History {
  return {
    written,
    received: told().map((one) => ({ ...one, isGenuine: true })),
    read: told(),
    streamed: told(),
    faults: [{ kind: "kill -9 of a worker", target: "worker 0", at: 5000, recoveredAt: 6000 }],
  };
}

/** The promises that the judge finds broken once the history is doctored. */
function found(doctor: (history: History) => void): string[] {
  const history = clean();
  doctor(history);
  return [...new Set(judge(history, BOUNDS).map(({ promise }) => promise))];
}

const again = (received: Received[], at: number) => received.push({ ...(received[0] as Received), at });
const swap = (list: Told[], i: number, j: number) => {
  [list[i], list[j]] = [list[j] as Told, list[i] as Told];
};

describe("The judge of webhooks", () => {
  it("finds nothing in a clean history", () => {
    expect(found(() => undefined)).toEqual([]);
  });

  it("finds nothing in deliveries that come again around a fault, and in another order of different records", () => {
    expect(found(({ received }) => again(received, 5500))).toEqual([]);
    expect(found(({ received }) => again(received, 6000 + BOUNDS.repeatsMs))).toEqual([]);
    expect(found(({ received }) => swap(received, 0, 1))).toEqual([]);
    expect(found(({ read }) => swap(read, 0, 1))).toEqual([]);
  });

  const wrongs: [wrong: string, promise: string, doctor: (history: History) => void][] = [
    ["a delivery that never came", "no event is lost", ({ received }) => received.splice(2, 1)],
    ["an event that the feed skipped", "no event is lost", ({ read }) => read.splice(2, 1)],
    ["an event that the stream skipped", "no event is lost", ({ streamed }) => streamed.pop()],
    [
      "an event of a change that nobody made",
      "no event without its change",
      ({ read }) => read.push({ recordId: "a", number: 4, eventId: "evt_a4", at: 2000 }),
    ],
    ["a later change that comes first", "events of a record come in its order", ({ received }) => swap(received, 0, 2)],
    ["a feed out of order", "events of a record come in its order", ({ read }) => swap(read, 1, 3)],
    [
      "a second event of one change",
      "a change has one event",
      ({ received }) => received.push({ ...(received[5] as Received), eventId: "evt_other", at: 5500 }),
    ],
    [
      "an event that the feed lists twice",
      "who reads on from a cursor reads nothing twice",
      ({ read }) => read.push(read[0] as Told),
    ],
    [
      "a delivery that comes again while nothing happens",
      "a delivery comes twice only around a fault",
      ({ received }) => again(received, 4000),
    ],
    [
      "one that comes again too long after a fault",
      "a delivery comes twice only around a fault",
      ({ received }) => again(received, 6001 + BOUNDS.repeatsMs),
    ],
    [
      "a signature that is wrong",
      "every delivery is signed",
      ({ received }) => Object.assign(received[0] ?? {}, { isGenuine: false }),
    ],
    [
      "a fault that was never over",
      "all is whole again after a fault",
      ({ faults }) => Object.assign(faults[0] ?? {}, { recoveredAt: Number.POSITIVE_INFINITY }),
    ],
  ];
  it.each(wrongs)("finds %s", (_, promise, doctor) => {
    expect(found(doctor)).toEqual([promise]);
  });
});
