import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { admit, type Decision, type Log } from "../../../base/contract/rate-windows.ts";
import type { Asked, History, Manner, Policy, User } from "../../../lab/torture/limits/history.ts";
import { BOUNDS, judge } from "../../../lab/torture/limits/judge.ts";
import { POLICIES } from "../../../lab/torture/limits/program.ts";

// Doctored histories: the checker of the torture program has to see each wrong, and nothing in a right one.

const MANNERS: Manner[] = ["flood", "patient", "reader", "steady"];
const users: User[] = MANNERS.map((manner) => ({ name: manner, manner, keys: ["key"] }));

const OVER = "no more than the quota is admitted";
const WRONGLY = "nobody is refused within the quota";
const WAITED = "who waits for Retry-After is not refused";
const READ = "who reads the headers is not refused";
const ANSWER = "answers are 200 or 429; 503 and none only around a restart";

/** A request that was under way for 10 ms. */
function asked(user: Manner, sentAt: number, status: number, change: Partial<Asked> = {}): Asked {
  const refusal = status === 429 || status === 503 ? { retryAfterS: 1 } : {};
  return { user, gateway: 0, sentAt, answeredAt: sentAt + 10, status, ...refusal, ...change };
}

const many = (count: number, one: (i: number) => Asked) => Array.from({ length: count }, (_, i) => one(i));

/** The promises that the judge finds broken, each once for each time. */
function found(all: Asked[], restarts: History["restarts"] = []): string[] {
  return judge({ asked: all, restarts }, users, POLICIES, BOUNDS).map(({ promise }) => promise);
}

describe("The judge of limits", () => {
  it("finds nothing when 20 are admitted in every 2 s and the others refused", () => {
    const all = [0, 2011, 4022].flatMap((begin) => [
      ...many(20, (i) => asked("flood", begin + i, 200)),
      ...many(30, (i) => asked("flood", begin + 40 + i, 429)),
    ]);
    expect(found(all)).toEqual([]);
  });

  it("finds the 21st and the 22nd that are admitted in an interval surely shorter than 2 s", () => {
    expect(found(many(22, (i) => asked("flood", i * 90, 200)))).toEqual([OVER, OVER]);
  });

  it("finds 40 around the edge of a window that does not slide", () => {
    const all = [...many(20, (i) => asked("flood", 1900 + i, 200)), ...many(20, (i) => asked("flood", 2010 + i, 200))];
    expect(found(all)).toHaveLength(20);
  });

  it("finds more than 600 in a minute, however evenly", () => {
    const all = many(612, (i) => asked("flood", i * 98, 200));
    expect(new Set(found(all))).toEqual(new Set([OVER]));
  });

  it("does not take for too many what may lie in two windows", () => {
    const slow = many(21, (i) => asked("flood", i, 200, { answeredAt: 2001 }));
    expect(found(slow)).toEqual([]);
  });

  it("does not count for sure what got no answer or a 503", () => {
    const all = many(30, (i) => (i < 20 ? asked("flood", i, 200) : asked("flood", i, i % 2 ? 0 : 503)));
    expect(found(all, [{ what: "gateway 0", at: 0, recoveredAt: 100 }])).toEqual([]);
  });

  it("finds a refusal although surely fewer than 20 were in the window", () => {
    const before = many(19, (i) => asked("flood", i, 200));
    expect(found([...before, asked("flood", 1000, 429)])).toEqual([WRONGLY]);
    expect(found([...before, asked("flood", 30, 200), asked("flood", 1000, 429)])).toEqual([]);
    expect(found([...before, asked("flood", 30, 200), asked("flood", 2050, 429)])).toEqual([WRONGLY]);
  });

  it("takes what may have been counted as counted when it judges a refusal", () => {
    const restart = { what: "gateway 0", at: 0, recoveredAt: 100 };
    const before = many(19, (i) => asked("flood", i, 200));
    expect(found([...before, asked("flood", 30, 0), asked("flood", 1000, 429)], [restart])).toEqual([]);
    const refused = asked("flood", 30, 0, { error: "ECONNREFUSED" });
    expect(found([...before, refused, asked("flood", 1000, 429)], [restart])).toEqual([WRONGLY]);
  });

  it("does not take the requests of others into account", () => {
    expect(found([...many(20, (i) => asked("steady", i, 200)), asked("flood", 1000, 429)])).toEqual([WRONGLY]);
  });

  it("finds a refusal after Retry-After was waited for", () => {
    const full = many(20, (i) => asked("patient", i * 20, 200));
    const refused = asked("patient", 500, 429, { retryAfterS: 2 });
    expect(found([...full, refused, asked("patient", 2511, 429)])).toContain(WAITED);
    expect(found([...full, refused, asked("patient", 2511, 200)])).toEqual([]);
    expect(found([...full, refused, asked("patient", 1000, 429)])).toEqual([]);
  });

  it("finds a refusal of somebody who reads the headers", () => {
    expect(found([...many(20, (i) => asked("reader", i * 20, 200)), asked("reader", 500, 429)])).toEqual([READ]);
  });

  it("finds a 503, or no answer, beyond the blip of a restart, other answers at any time, and refusals that do not say when", () => {
    const restart = { what: "gateway 0", at: 1000, recoveredAt: 3000 };
    expect(found([asked("steady", 4900, 503)], [restart])).toEqual([]);
    expect(found([asked("steady", 5100, 503)], [restart])).toEqual([ANSWER]);
    expect(found([asked("steady", 4900, 0, { error: "ECONNRESET" })], [restart])).toEqual([]);
    expect(found([asked("steady", 5100, 0, { error: "ECONNRESET" })], [restart])).toEqual([ANSWER]);
    expect(found([asked("steady", 900, 503)], [restart])).toEqual([ANSWER]);
    for (const status of [401, 404, 500, 504])
      expect(found([asked("steady", 2000, status)], [restart])).toEqual([ANSWER]);
    const silent = { ...asked("steady", 2000, 503), retryAfterS: 0 };
    expect(found([silent], [restart])).toEqual(["a refusal says when to try again"]);
  });

  it("finds nothing in what an exact limiter does, whenever in its time a request is decided, and always sees one that is twice as large", () => {
    const policies: Policy[] = [
      { name: "default", quota: 12, windowS: 20 },
      { name: "burst", quota: 4, windowS: 2 },
    ];
    const [user] = users as [User];
    const seen = (requests: [gap: number, before: number, after: number][], decide: (now: number) => Decision) => {
      let now = 0;
      const all = requests.map(([gap, before, after]) => {
        now += gap;
        const status = decide(now).exceeded === null ? 200 : 429;
        return asked(user.manner, now - before, status, { answeredAt: now + after });
      });
      return judge({ asked: all, restarts: [] }, [user], policies, BOUNDS).map(({ promise }) => promise);
    };
    const ms = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), ms, ms), { maxLength: 120 }), (requests) => {
        const log: Log = [];
        expect(seen(requests, (now) => admit(log, policies, now))).toEqual([]);
      }),
    );
    const double = policies.map((policy) => ({ ...policy, quota: policy.quota * 2 }));
    const log: Log = [];
    const fast = Array.from({ length: 10 }, () => [50, 10, 10] as [number, number, number]);
    expect(seen(fast, (now) => admit(log, double, now))).toContain(OVER);
  });
});
