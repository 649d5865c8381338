import { setTimeout as pause } from "node:timers/promises";
import type { Wanted } from "../wire.ts";
import type { World } from "./world.ts";

interface Pace {
  /** Requests in a second at most. */
  perSecond: number;
  /** Requests that wait for their answers at the same time. */
  atOnce?: number;
}

/**
 * Sends requests until the time is over, on many connections, each the next as soon as its answer is there, at a
 * bounded rate.
 */
export async function flood(
  world: World,
  { perSecond, atOnce = 32 }: Pace,
  next: (n: number) => Wanted | Buffer,
): Promise<void> {
  const turn = pacer(perSecond);
  let n = 0;
  const one = async () => {
    for (await turn(); world.goesOn(); await turn()) await world.ask(next(n++));
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** Does something until the time is over, at a bounded rate, without waiting for what comes of it. */
export async function every(world: World, perSecond: number, act: (n: number) => void): Promise<void> {
  const turn = pacer(perSecond);
  await turn();
  for (let n = 0; world.goesOn(); n++) {
    act(n);
    await turn();
  }
}

/** What is late is not made up for, or a server that was stalled would get a burst that nobody ordered. */
function pacer(perSecond: number): () => Promise<void> {
  const spacingMs = 1000 / perSecond;
  let next = 0;
  return async () => {
    const at = performance.now();
    next = Math.max(next + spacingMs, at - 50);
    if (next > at) await pause(next - at);
  };
}

/** The n-th thing of a list, which begins again behind its end. */
export function inTurn<Thing>(list: readonly Thing[], n: number): Thing {
  const thing = list[n % list.length];
  if (thing === undefined) throw new Error("There is nothing to take in turn.");
  return thing;
}

/** A key of the workspace, each in turn, so that the limits of users add up. */
export function anyKey({ users }: Pick<World, "users">, n: number): string {
  return inTurn(users, n).key;
}
