import { describe, expect, it } from "@jest/globals";
import { figuresOf } from "../../../lab/torture/peers/figures.ts";
import type { Asked, Fault, History, Probe } from "../../../lab/torture/peers/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/peers/judge.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const [AT, ENDED, WATCHED] = [10_000, 20_000, 30_000];
const EVERY_MS = 500;

const times = Array.from({ length: (WATCHED - AT) / EVERY_MS }, (_, i) => AT + i * EVERY_MS);

/** Requests that fail for the first two seconds of a fault, and a process that says so. */
function clean(kind: Fault["kind"]): History {
  const isAway = (time: number) => time < (kind === "half-open" ? AT + 2000 : ENDED + 1000);
  const asked = times.map(
    (sentAt): Asked => ({ what: "read", sentAt, answeredAt: sentAt + 100, status: isAway(sentAt) ? 503 : 200 }),
  );
  const probe = (path: Probe["path"], sentAt: number): Probe => ({
    process: "worker 0",
    path,
    sentAt,
    answeredAt: sentAt + 100,
    status: path === "/readyz" && isAway(sentAt) ? 503 : 200,
  });
  return {
    faults: [{ kind, peer: "NATS", victim: "worker 0", at: AT, endedAt: ENDED, watchedUntil: WATCHED }],
    asked,
    probes: times.flatMap((sentAt) => [probe("/livez", sentAt), probe("/readyz", sentAt)]),
    lost: [],
  };
}

const at = <One extends { sentAt: number }>(list: One[], sentAt: number): One => {
  const found = list.find((one) => one.sentAt >= sentAt);
  if (!found) throw new Error(`Nothing was sent after ${sentAt}.`);
  return found;
};
const readyAt = ({ probes }: History, sentAt: number) =>
  at(
    probes.filter(({ path }) => path === "/readyz"),
    sentAt,
  );

function found(kind: Fault["kind"], doctor: (history: History) => void): string[] {
  const history = clean(kind);
  doctor(history);
  return judge(history, BOUNDS).map(({ promise }) => promise);
}

describe("The judge of peers", () => {
  it.each(["half-open", "silent", "slow", "corrupting", "resetting"] as const)(
    "finds nothing in a clean run: %s",
    (kind) => {
      expect(found(kind, () => undefined)).toEqual([]);
    },
  );

  it.each<[wrong: string, promise: string, kind: Fault["kind"], doctor: (history: History) => void]>([
    [
      "a request that took more than ten seconds",
      "every request ends within 10000 ms",
      "slow",
      ({ asked }) => Object.assign(at(asked, AT), { answeredAt: AT + 10_001 }),
    ],
    [
      "a request without an answer",
      "every request gets an answer",
      "corrupting",
      ({ asked }) => Object.assign(at(asked, AT), { status: 0, error: "ECONNRESET" }),
    ],
    ["a 500", "answers are 200 or 503", "resetting", ({ asked }) => Object.assign(at(asked, AT), { status: 500 })],
    [
      "half-open connections that were not replaced after 15 s",
      "all is whole again 15000 ms after a fault",
      "half-open",
      ({ asked }) => Object.assign(at(asked, AT + 15_000), { status: 503 }),
    ],
    [
      "a last request that failed",
      "all is whole again 15000 ms after a fault",
      "resetting",
      ({ asked }) => Object.assign(asked.at(-1) ?? {}, { status: 503 }),
    ],
    [
      "a process that is ready and reaches nothing",
      "/readyz tells the truth",
      "silent",
      (history) => Object.assign(readyAt(history, AT + 5000), { status: 200 }),
    ],
    [
      "a process that is not ready when all is whole",
      "/readyz says when all is whole",
      "slow",
      (history) => Object.assign(history.probes.at(-1) ?? {}, { status: 503 }),
    ],
    [
      "a probe that waited",
      "probes are answered within 3000 ms",
      "slow",
      (history) => Object.assign(readyAt(history, AT), { answeredAt: AT + 3001 }),
    ],
    [
      "a process that ended",
      "every process lives on",
      "corrupting",
      ({ probes }) => Object.assign(at(probes, ENDED), { status: 0 }),
    ],
    ["a write that is gone", "no acknowledged write is lost", "silent", ({ lost }) => lost.push("one 7")],
  ])("finds %s", (_, promise, kind, doctor) => {
    expect(found(kind, doctor)).toEqual([promise]);
  });

  it("lets corrupted bytes be read as something else", () => {
    expect(found("corrupting", ({ asked }) => Object.assign(at(asked, AT), { status: 401 }))).toEqual([]);
  });

  it("tells of each fault the longest request, and when all was whole", () => {
    expect(figuresOf(clean("half-open"), 60_000)).toMatchObject({
      "half-open: NATS of worker 0": "longest request 0.1 s, whole after 2.0 s, 4 of 40 failed",
    });
    expect(figuresOf(clean("silent"), 60_000)).toMatchObject({
      "silent: NATS of worker 0": "longest request 0.1 s, whole after 1.0 s, 22 of 40 failed",
    });
  });
});
