import { setTimeout as pause } from "node:timers/promises";
import { now } from "../promise.ts";
import type { Came, Sender } from "../sender.ts";
import type { Asked, History, User } from "./history.ts";

interface Surroundings {
  senders: Sender[];
  history: History;
  /** Clients go on until this says that it is enough. */
  isOver(): boolean;
}

/** Requests of one flooding key at the same time. */
const FLOOD_AT_ONCE = 4;
/** 21 requests, one more than a burst of 20 in 2 s, then span 2.1 s. */
const STEADY_SHARE = 0.95;
/** After a connection that was refused. */
const BACK_OFF_MS = 20;

/** Lets the clients of all users send, each in its manner; returns when it is enough. */
export async function sendAll(users: User[], perSecond: number, around: Surroundings): Promise<void> {
  await Promise.all(
    users.map((user, i) => {
      if (user.manner === "flood") return Promise.all(user.keys.map((key, n) => flood(user, key, i + n, around)));
      const [key = ""] = user.keys;
      if (user.manner === "steady") return steady(user, key, perSecond * STEADY_SHARE, around);
      return user.manner === "patient" ? patient(user, key, i, around) : reader(user, key, i, around);
    }),
  );
}

async function flood(user: User, key: string, first: number, around: Surroundings): Promise<void> {
  const one = async (offset: number) => {
    for (let n = first + offset; !around.isOver(); n++) {
      const { asked } = await ask(user, key, n, around);
      if (asked.error) await pause(BACK_OFF_MS);
    }
  };
  await Promise.all(Array.from({ length: FLOOD_AT_ONCE }, (_, offset) => one(offset)));
}

async function patient(user: User, key: string, first: number, around: Surroundings): Promise<void> {
  for (let n = first; !around.isOver(); n++) {
    const { asked } = await ask(user, key, n, around);
    if (asked.error) await pause(BACK_OFF_MS);
    else if (asked.retryAfterS !== undefined) await waitUntil(asked.answeredAt + asked.retryAfterS * 1000);
  }
}

/** Keeps what the headers said of each policy: how many remain, and when one more does. */
async function reader(user: User, key: string, first: number, around: Surroundings): Promise<void> {
  let standings: Standing[] = [];
  for (let n = first; !around.isOver(); n++) {
    await untilAllRemain(standings);
    const { asked, came } = await ask(user, key, n, around);
    const told = standingsOf(came, asked.answeredAt);
    if (told.length > 0) standings = told;
    // Without an answer it may have been counted.
    else for (const standing of standings) standing.remaining -= 1;
    if (asked.error) await pause(BACK_OFF_MS);
  }
}

async function untilAllRemain(standings: Standing[]): Promise<void> {
  for (const standing of standings) {
    if (standing.remaining > 0) continue;
    await waitUntil(standing.resetAt);
    standing.remaining = 1;
  }
}

interface Standing {
  remaining: number;
  resetAt: number;
}

/** Of a header like `"default";r=599;t=60, "burst";r=19;t=2`. */
function standingsOf({ headers }: Came, at: number): Standing[] {
  const found = String(headers.ratelimit ?? "").matchAll(/;r=(\d+);t=(\d+)/g);
  return [...found].map(([, r, t]) => ({ remaining: Number(r), resetAt: at + Number(t) * 1000 }));
}

/** Sends at even times, whatever comes. */
async function steady(user: User, key: string, perSecond: number, around: Surroundings): Promise<void> {
  const sent: Promise<unknown>[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let n = 0; !around.isOver(); n++) {
    // Counted from the last one: what this process is late must not be made up by sending faster.
    await waitUntil(last + 1000 / perSecond);
    last = now();
    sent.push(ask(user, key, n, around));
  }
  await Promise.all(sent);
}

async function ask(user: User, key: string, n: number, around: Surroundings): Promise<{ asked: Asked; came: Came }> {
  const gateway = n % around.senders.length;
  const sentAt = now();
  const sender = around.senders[gateway] as Sender;
  const came = await sender.send({ method: "GET", path: "/v1/users/me", headers: { Authorization: `Bearer ${key}` } });
  const retryAfter = came.headers["retry-after"];
  const asked: Asked = {
    user: user.name,
    gateway,
    sentAt,
    answeredAt: now(),
    status: came.status,
    ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
    ...(came.error !== undefined && { error: came.error }),
  };
  around.history.asked.push(asked);
  return { asked, came };
}

/** Timers may fire a little early. */
async function waitUntil(time: number): Promise<void> {
  while (now() < time) await pause(Math.max(1, time - now()));
}
