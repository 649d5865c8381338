import { describe, expect, it } from "@jest/globals";
import { figuresOf } from "../../../lab/torture/neighbours/figures.ts";
import type { Asked, Phase } from "../../../lab/torture/neighbours/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/neighbours/judge.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const KINDS = ["get", "list", "create", "livez"];

/** 400 requests of the others, of four kinds in turn, each answered after 10 ms. */
function victims(doctor: (n: number) => Partial<Asked> = () => ({})): Asked[] {
  return Array.from({ length: 400 }, (_, n) => ({
    ...{ kind: KINDS[n % KINDS.length] ?? "", dueMs: n * 10, ms: 10, status: 200 },
    ...doctor(n),
  }));
}

function phase(change: Partial<Phase> = {}): Phase {
  return {
    ...{ name: "a flood", victims: victims(), attacker: { 200: 80, 429: 400 }, peakMb: 300, turnMaxMs: 12 },
    ...{ turns: [], logged: [], heldAtRest: {}, hasGauges: true, isAlive: true, livezMs: 3, elsewhere: 0 },
    ...change,
  };
}

const nobody = phase({ name: "nobody attacks", attacker: {} });
const brokenBy = (change: Partial<Phase>) => judge({ phases: [nobody, phase(change)] }, BOUNDS);

describe("The judge of neighbours", () => {
  it("judges an attack that was made again by what came of it then", () => {
    const slow = phase({ victims: victims(() => ({ ms: 600 })) });
    const first = { ...slow, isRepeated: true };
    expect(judge({ phases: [nobody, first, phase()] }, BOUNDS)).toEqual([]);
    expect(judge({ phases: [nobody, first, slow] }, BOUNDS)).toHaveLength(1);
    expect(Object.keys(figuresOf({ phases: [nobody, first, phase()] }))).toContain("a flood, at first");
  });

  it("finds nothing in a clean run", () => {
    expect(brokenBy({})).toEqual([]);
  });

  it.each<[wrong: string, promise: string, change: Partial<Phase>]>([
    [
      "an attack that could not be made",
      "every attack is made",
      { failure: "POST /v1/people: 422", victims: victims(), attacker: {} },
    ],
    [
      "an attack that was answered with a 500",
      "an attack is refused by a rule, and not by a 500",
      { attacker: { 200: 10, 500: 1 }, logged: ["RangeError: Invalid string length"] },
    ],
    ["an attack beside which nobody was", "every attack is made", { victims: [] }],
    [
      "one 503 for somebody else",
      "nobody else is refused",
      { victims: victims((n) => (n === 77 ? { status: 503 } : {})) },
    ],
    [
      "one 500 for somebody else",
      "everybody else is answered as always",
      { victims: victims((n) => (n === 77 ? { status: 500 } : {})) },
    ],
    [
      "one 429 for somebody else",
      "everybody else is answered as always",
      { victims: victims((n) => (n === 77 ? { status: 429 } : {})) },
    ],
    [
      "a connection of somebody else that was reset",
      "everybody else is answered as always",
      { victims: victims((n) => (n === 77 ? { status: 0, error: "ECONNRESET" } : {})) },
    ],
    [
      "one of fifty that waited too long",
      "others wait at most 500 ms (p99)",
      { victims: victims((n) => (n % 50 === 0 ? { ms: 501 } : {})) },
    ],
    ["a turn that took too long", "no request holds the event loop for more than 50 ms", { turnMaxMs: 51 }],
    [
      "a turn that only the log tells of",
      "no request holds the event loop for more than 50 ms",
      { turns: [{ what: "POST /v1/people/search", isRequest: true, ms: 80 }] },
    ],
    ["turns that are not measured any more", "turns of the event loop are measured", { turnMaxMs: undefined }],
    ["memory that has grown", "memory stays below 600 MB", { peakMb: 601 }],
    ["a place that was not given back", "nothing is held 5 s later", { heldAtRest: { 'held{what="writes"}': 1 } }],
    ["gauges that cannot be read any more", "gauges can be read at rest", { hasGauges: false }],
    ["a server that has ended", "the server stays alive", { isAlive: false, livezMs: Number.POSITIVE_INFINITY }],
    ["a server that hangs", "/livez answers within 1000 ms afterwards", { livezMs: Number.POSITIVE_INFINITY }],
  ])("finds %s", (_, promise, change) => {
    expect(brokenBy(change).map((one) => one.promise)).toEqual([promise]);
  });

  it("tells who held the event loop, and blames no request for what was done for none", () => {
    const turns = [80, 70, 60].map((ms) => ({ what: "POST /v1/people", isRequest: true, ms }));
    const [held] = brokenBy({ turnMaxMs: 80, turns });
    expect(held?.seen).toBe("a flood: 80 ms, POST /v1/people 80 ms, 3 times");
    expect(brokenBy({ turns: [{ what: "garbage collection", isRequest: false, ms: 200 }] })).toEqual([]);
  });

  it("tells the attack, and of the others which kinds of requests it hit", () => {
    const [refused] = brokenBy({ victims: victims((n) => (n % 100 === 1 ? { status: 503 } : {})) });
    expect(refused?.seen).toBe("a flood: 4 × list 503 of 400");
    const [late] = brokenBy({ victims: victims((n) => (n % 4 === 2 ? { ms: 900 } : {})) });
    expect(late?.seen).toBe("a flood: 900 ms; create 900, get 10, list 10");
  });

  it("does not ask a server for turns and gauges that it has never shown", () => {
    const old = { turnMaxMs: undefined, hasGauges: false };
    expect(judge({ phases: [phase(old), phase(old)] }, BOUNDS)).toEqual([]);
  });

  it("tells in its table what each attack did, and what nobody's did", () => {
    const phases = [nobody, phase({ victims: victims((n) => (n < 3 ? { status: 503 } : {})), peakMb: 450.4 })];
    const { "": titles = "", "nobody attacks": floor = "", "a flood": line = "" } = figuresOf({ phases });
    expect(titles.trim().split(/ {2,}/).slice(0, 6)).toEqual(["asked", "before", "p50", "p99", "max ms", "503"]);
    expect(floor.trim().split(/ +/).slice(0, 6)).toEqual(["400", "10", "10", "10", "10", "0"]);
    expect(line).toContain("  3  ");
    expect(line).toContain("450");
    expect(line).toContain("400 × 429, 80 × 200");
  });
});
