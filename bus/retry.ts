import { setTimeout as pause } from "node:timers/promises";
import type { Context, ServiceBroker } from "moleculer";

/** The node that was found gone is out of the registry before the first repetition, which therefore need not wait. */
const WAITS_MS = [0, 50, 150];

type Handler = (ctx: Context) => Promise<unknown>;

const repetitions = new WeakMap<Context, number>();

/**
 * Makes a call again, on another node, when it surely was not executed: NATS had no receiver for it, or a stopping node
 * refused it. Reads and writes alike. Calls whose answer was lost may have run; only their sender can repeat those, with
 * an Idempotency-Key.
 */
export const retryUndelivered = {
  name: "RetryUndelivered",

  remoteAction(this: ServiceBroker, next: Handler): Handler {
    return (ctx) =>
      next(ctx).catch(async (error: unknown) => {
        const count = repetitions.get(ctx) ?? 0;
        const waitMs = WAITS_MS[count];
        if (waitMs === undefined || !wasNotExecuted(error, ctx)) throw error;
        await pause(waitMs);
        const again = ctx.copy();
        repetitions.set(again, count + 1);
        return this.call(ctx.action?.name ?? "", ctx.params, { ctx: again });
      });
  },
};

/**
 * Action and node tell this very call from one that its action made in turn: an error of that kind comes up through a
 * handler that did run.
 */
function wasNotExecuted(error: unknown, ctx: Context): boolean {
  const { type, data } = error as { type?: string; data?: { action?: string; nodeID?: string } };
  if (type !== "SERVICE_NOT_AVAILABLE" && type !== "SERVICE_NOT_FOUND") return false;
  return data?.action === ctx.action?.name && data?.nodeID === ctx.nodeID && ctx.nodeID !== null;
}
