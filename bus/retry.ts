import { setTimeout as pause } from "node:timers/promises";
import type { Context, ServiceBroker } from "moleculer";

/**
 * Waits before the repetitions of a call. The first need not wait: the node that was found to be gone is out of the
 * registry by then, so the call goes to another one.
 */
const WAITS_MS = [0, 50, 150];

type Handler = (ctx: Context) => Promise<unknown>;

const repetitions = new WeakMap<Context, number>();

/**
 * Makes a call again, on another node, when it surely was not executed because NATS had no receiver for it, or because
 * a stopping node refused it. Reads and writes are treated alike. A call whose answer was lost may have run, so only
 * the client can repeat it, with its Idempotency-Key. docs/guides/growing.md#several-processes
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
 * Whether an error says that this very call was not executed. The same type of error may come from a call that the
 * action itself made after it had begun: that one names another action or another node.
 */
function wasNotExecuted(error: unknown, ctx: Context): boolean {
  const { type, data } = error as { type?: string; data?: { action?: string; nodeID?: string } };
  if (type !== "SERVICE_NOT_AVAILABLE" && type !== "SERVICE_NOT_FOUND") return false;
  return data?.action === ctx.action?.name && data?.nodeID === ctx.nodeID && ctx.nodeID !== null;
}
