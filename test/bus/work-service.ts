import { setTimeout as pause } from "node:timers/promises";
import type { Context, ServiceSchema } from "moleculer";

/** A service that several nodes offer. Its actions tell on which node they ran. */
export const workService: ServiceSchema = {
  name: "work",
  actions: {
    where: (ctx: Context) => ctx.broker.nodeID,
    async slow(ctx: Context<{ ms: number }>) {
      await pause(ctx.params.ms);
      return ctx.broker.nodeID;
    },
  },
};
