import type { Broken } from "../promise.ts";
import type { Fault } from "../random-faults.ts";
import type { Change, History, Received, Told } from "./history.ts";

export interface Bounds {
  /**
   * A delivery may come a second time so long after a fault was over: until another process has taken over what was
   * begun.
   */
  repeatsMs: number;
}

export const BOUNDS: Bounds = { repeatsMs: 30_000 };

const keyOf = ({ recordId, number }: Change) => `${recordId} ${number}`;

/** Listeners by name: the events that each was told, in their order, and whether it reads on from a cursor. */
export type Listeners = Record<string, { told: Told[]; hasCursor: boolean }>;

/**
 * The promises that a history shows broken: every change that was acknowledged is told to every listener, and none
 * else; of one record in its order; again only around faults, and then under the same id.
 * docs/torture.md#webhooks-events-that-arrive
 */
export function judge({ written, received, read, streamed, faults }: History, bounds: Bounds): Broken[] {
  const listeners = {
    webhook: { told: received, hasCursor: false },
    feed: { told: read, hasCursor: true },
    stream: { told: streamed, hasCursor: true },
  };
  return [
    ...judgeListeners({ written, perhaps: [] }, listeners),
    ...judgeDeliveries(received, faults, bounds),
    ...faults
      .filter(({ recoveredAt }) => recoveredAt === Number.POSITIVE_INFINITY)
      .map(({ kind, target }) => broken("all is whole again after a fault", `not after: ${kind} ${target}`)),
  ];
}

/** Changes that were acknowledged, and those that may have been made although no answer came. */
export interface Changes {
  written: Change[];
  perhaps: Change[];
}

/** The promises to each listener that are broken. */
export function judgeListeners(changes: Changes, listeners: Listeners): Broken[] {
  return Object.entries(listeners).flatMap(([name, { told, hasCursor }]) => [
    ...judgeComplete(name, changes, told),
    ...judgeOrder(name, told),
    ...judgeIds(name, told),
    ...(hasCursor ? judgeRepeats(name, told) : []),
  ]);
}

/** The promises about deliveries that are broken: each is signed, and comes again only around a fault. */
export function judgeDeliveries(
  received: Received[],
  faults: Pick<Fault, "at" | "recoveredAt">[],
  bounds: Bounds,
): Broken[] {
  return [
    ...judgeDuplicates(received, faults, bounds),
    ...received
      .filter(({ isGenuine }) => !isGenuine)
      .map((one) => broken("every delivery is signed", `${one.eventId} of ${keyOf(one)}`)),
  ];
}

function judgeComplete(name: string, { written, perhaps }: Changes, told: Told[]): Broken[] {
  const [changes, heard] = [new Set(written.map(keyOf)), new Set(told.map(keyOf))];
  const possible = new Set(perhaps.map(keyOf));
  return [
    ...[...changes].filter((key) => !heard.has(key)).map((key) => broken("no event is lost", `${name}: ${key}`)),
    ...[...heard]
      .filter((key) => !changes.has(key) && !possible.has(key))
      .map((key) => broken("no event without its change", `${name}: ${key}`)),
  ];
}

/** What counts is when an event came first. */
function judgeOrder(name: string, told: Told[]): Broken[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return told.flatMap((one) => {
    if (seen.has(one.eventId)) return [];
    seen.add(one.eventId);
    const before = last.get(one.recordId) ?? 0;
    last.set(one.recordId, Math.max(before, one.number));
    return one.number < before
      ? [broken("events of a record come in its order", `${name}: ${keyOf(one)} after ${before}`)]
      : [];
  });
}

/** A change has one event, with one id. */
function judgeIds(name: string, told: Told[]): Broken[] {
  const ids = new Map<string, Set<string>>();
  for (const one of told) ids.set(keyOf(one), (ids.get(keyOf(one)) ?? new Set()).add(one.eventId));
  return [...ids]
    .filter(([, ofChange]) => ofChange.size > 1)
    .map(([key, ofChange]) => broken("a change has one event", `${name}: ${key} has ${[...ofChange].join(", ")}`));
}

/** Who reads on from a cursor is told nothing twice. */
function judgeRepeats(name: string, told: Told[]): Broken[] {
  const seen = new Set<string>();
  return told.flatMap((one) => {
    if (seen.has(one.eventId))
      return [broken("who reads on from a cursor reads nothing twice", `${name}: ${keyOf(one)}`)];
    seen.add(one.eventId);
    return [];
  });
}

function judgeDuplicates(
  received: Received[],
  faults: Pick<Fault, "at" | "recoveredAt">[],
  { repeatsMs }: Bounds,
): Broken[] {
  return duplicatesIn(received)
    .filter(({ at }) => !faults.some((fault) => fault.at <= at && at <= fault.recoveredAt + repeatsMs))
    .map((one) => broken("a delivery comes twice only around a fault", `${one.eventId} of ${keyOf(one)}`));
}

/** Deliveries of events that had come before. */
export function duplicatesIn(received: Received[]): Received[] {
  const seen = new Set<string>();
  return received.filter(({ eventId }) => {
    if (seen.has(eventId)) return true;
    seen.add(eventId);
    return false;
  });
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
