import { setTimeout as pause } from "node:timers/promises";
import { type Wanted, wire } from "../wire.ts";
import { every } from "./flood.ts";
import { open } from "./sockets.ts";
import type { World } from "./world.ts";

/**
 * Sends requests, each on a connection of its own that is reset so many milliseconds later, whatever came until then.
 */
export function cutOff(
  world: World,
  perSecond: number,
  next: (n: number) => Wanted,
  afterMs: (n: number) => number,
): Promise<void> {
  return every(world, perSecond, (n) => {
    const socket = open(world, wire(next(n)));
    void pause(afterMs(n)).then(() => {
      world.note(socket.bytesRead > 0 ? "cut off within the answer" : "cut off before the answer");
      socket.resetAndDestroy();
    });
  });
}
