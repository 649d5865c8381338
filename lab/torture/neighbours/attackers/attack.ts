import type { World } from "./world.ts";

/** Something that somebody does who means others harm, or does not care. */
export interface Attack {
  name: string;
  about: string;
  /** Makes what the attack needs, before the clock runs. Gives what attacks until `world.goesOn()` is false. */
  prepare(world: World): Run | Promise<Run>;
}

export type Run = () => Promise<unknown>;
