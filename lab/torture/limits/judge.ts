import type { Broken } from "../promise.ts";
import { type Asked, admission, type History, type Policy, type Restart, type User } from "./history.ts";

export interface Bounds {
  /** So long after a restart may answers still be 503. */
  blipMs: number;
}

export const BOUNDS: Bounds = { blipMs: 2_000 };

/**
 * A request without an answer may have been counted until so long after the client gave it up: by then it has ended.
 * docs/guides/conventions.md#when-something-is-away
 */
const LATE_MS = 10_000;

/**
 * The promises about limits that a history surely shows broken. A client knows that a request was admitted or refused
 * somewhere between sending and answer, so only what holds wherever in between is told: more than the quota whose whole
 * time lies in one window, or a refusal although everything that may lie in its window is less than the quota.
 * docs/torture.md#limits-exact-over-all-gateways
 */
export function judge({ asked, restarts }: History, users: User[], policies: Policy[], bounds: Bounds): Broken[] {
  const byUser = Map.groupBy(asked, ({ user }) => user);
  return [
    ...users.flatMap((user) => {
      const mine = (byUser.get(user.name) ?? []).toSorted((a, b) => a.sentAt - b.sentAt);
      return [
        ...policies.flatMap((policy) => judgeAdmissions(user, mine, policy)),
        ...judgeRefusals(user, mine, policies),
        ...judgeManners(user, mine),
      ];
    }),
    ...asked.flatMap((one) => judgeAnswer(one, restarts, bounds)),
    ...restarts
      .filter(({ recoveredAt }) => recoveredAt === Number.POSITIVE_INFINITY)
      .map(({ what }) => broken("all is whole again after a restart", what)),
  ];
}

/**
 * Windows that do not overlap, each with more admitted requests than its policy allows; one entry for each request too
 * many.
 */
function judgeAdmissions({ name }: User, mine: Asked[], { name: policy, quota, windowS }: Policy): Broken[] {
  const admitted = mine.filter((one) => admission(one) === "admitted");
  const list: Broken[] = [];
  let judgedUntil = Number.NEGATIVE_INFINITY;
  for (const [i, { sentAt }] of admitted.entries()) {
    const end = sentAt + windowS * 1000;
    const inside = sentAt < judgedUntil ? 0 : answeredBefore(admitted, i, end);
    if (inside <= quota) continue;
    judgedUntil = end;
    const seen = `${name}: ${inside} within ${windowS} s from ${Math.round(sentAt)}, ${policy} allows ${quota}`;
    for (let n = quota; n < inside; n++) list.push(broken("no more than the quota is admitted", seen));
  }
  return list;
}

/** How many of those sent from the first one on were surely admitted before the end. `ascending` by `sentAt`. */
function answeredBefore(ascending: Asked[], first: number, end: number): number {
  let count = 0;
  for (let i = first; i < ascending.length && (ascending[i]?.sentAt ?? end) < end; i++)
    if ((ascending[i]?.answeredAt ?? end) < end) count += 1;
  return count;
}

function judgeRefusals({ name }: User, mine: Asked[], policies: Policy[]): Broken[] {
  const counted = mine.filter((one) => admission(one) === "admitted" || admission(one) === "unknown");
  return mine
    .filter((one) => admission(one) === "refused")
    .filter((refused) => policies.every((policy) => mayCount(counted, refused, policy) < policy.quota))
    .map(({ sentAt }) =>
      broken(
        "nobody is refused within the quota",
        `${name}, at ${Math.round(sentAt)}: no policy can have been exceeded`,
      ),
    );
}

/**
 * Highest possible number of requests in the window of a refusal; the count stops at the quota. `counted` is in
 * ascending order.
 */
function mayCount(counted: Asked[], refused: Asked, { quota, windowS }: Policy): number {
  const since = refused.sentAt - windowS * 1000;
  let count = 0;
  for (let i = firstSentAfter(counted, refused.answeredAt) - 1; i >= 0 && count < quota; i--) {
    const one = counted[i] as Asked;
    const latest = one.status === 0 ? one.answeredAt + LATE_MS : one.answeredAt;
    if (latest > since) count += 1;
  }
  return count;
}

function firstSentAfter(ascending: Asked[], time: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle]?.sentAt ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What clients that send one request at a time are promised. */
function judgeManners({ name, manner }: User, mine: Asked[]): Broken[] {
  if (manner === "reader")
    return mine
      .filter((one) => admission(one) === "refused")
      .map(({ sentAt }) => broken("who reads the headers is not refused", `${name}, at ${Math.round(sentAt)}`));
  if (manner !== "patient") return [];
  const arrived = mine.filter((one) => admission(one) !== "never arrived");
  return arrived.flatMap(({ status, answeredAt, retryAfterS = 0 }, i) => {
    const next = arrived[i + 1];
    if (status !== 429 || next?.status !== 429 || next.sentAt < answeredAt + retryAfterS * 1000) return [];
    return [broken("who waits for Retry-After is not refused", `${name}, after ${retryAfterS} s`)];
  });
}

function judgeAnswer({ user, ...one }: Asked, restarts: Restart[], { blipMs }: Bounds): Broken[] {
  const { status, retryAfterS = 0, sentAt, answeredAt, error = "" } = one;
  const at = `${user}, at ${Math.round(sentAt)}: ${status} ${error}`;
  if ((status === 429 || status === 503) && retryAfterS < 1) return [broken("a refusal says when to try again", at)];
  if (status === 200 || status === 429) return [];
  const isBlip = restarts.some((restart) => answeredAt >= restart.at && sentAt <= restart.recoveredAt + blipMs);
  if (isBlip && (status === 503 || status === 0)) return [];
  return [broken("answers are 200 or 429; 503 and none only around a restart", at)];
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
