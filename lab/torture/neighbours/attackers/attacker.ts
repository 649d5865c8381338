/**
 * A process that makes one attack, so that what it costs falls on nobody else: a message with the attack and its
 * workspace comes first; when it is prepared it says so, and begins at the next message.
 */
import { ATTACKS } from "../attacks/index.ts";
import type { Order } from "./order.ts";
import { openWorld } from "./world.ts";

/** What the process answers: that it is prepared, that it cannot be, or what it was answered. */
export type Word = { isReady: true } | { failure: string } | { answered: Record<string, number> };

const say = (word: Word) => process.send?.(word);

process.on("disconnect", () => process.exit());
process.once("message", (order: Order) => {
  serve(order).catch((error: Error) => say({ failure: error.message }));
});

async function serve(order: Order): Promise<void> {
  const attack = ATTACKS.find(({ name }) => name === order.attack);
  if (!attack) throw new Error(`There is no attack "${order.attack}".`);
  const world = openWorld(order);
  const run = await attack.prepare(world);
  say({ isReady: true });
  await new Promise((resolve) => process.once("message", resolve));
  world.begin();
  // What still waits for an answer when the time is over is cut off with the process.
  const timeIsOver = new Promise((resolve) => setTimeout(resolve, order.ms));
  await Promise.race([Promise.all([run(), timeIsOver]), timeIsOver]);
  say({ answered: world.answered });
}
