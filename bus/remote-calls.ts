import { setTimeout as pause } from "node:timers/promises";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import type { Peers } from "./peers.ts";

/**
 * Waits before the repetitions of a call. The first need not wait: the node that was found to be gone is out of the
 * registry by then, so the call goes to another one.
 */
const WAITS_MS = [0, 50, 150];

type Handler = (ctx: Context) => Promise<unknown>;

interface RemoteError {
  type?: string;
  data?: { action?: string; nodeID?: string };
  nodeID?: string;
  unavailable?: true;
}

const repetitions = new WeakMap<Context, number>();

/**
 * Notes how the calls to each other node end, and makes a call again, on another node, when it surely was not executed
 * because NATS had no receiver for it, or because a stopping node refused it. Reads and writes are treated alike. A
 * call whose answer was lost may have run: the gateway makes those again that may run twice (bus/repeats.ts).
 * docs/guides/growing.md#several-processes
 */
export function remoteCalls(peers: Peers): Middleware {
  return {
    name: "RemoteCalls",
    remoteAction(this: ServiceBroker, next: Handler): Handler {
      return async (ctx) => {
        const nodeID = ctx.nodeID ?? "";
        peers.begun(nodeID);
        try {
          const result = await next(ctx);
          peers.ended(nodeID, false);
          return result;
        } catch (error) {
          peers.ended(nodeID, isFailureOf(nodeID, error as RemoteError));
          return again(this, ctx, error as RemoteError);
        }
      };
    },
  };
}

/** Makes a call again that was not executed. @throws the error of a call that may have been, or of the last try */
async function again(broker: ServiceBroker, ctx: Context, error: RemoteError): Promise<unknown> {
  const count = repetitions.get(ctx) ?? 0;
  const waitMs = WAITS_MS[count];
  if (waitMs === undefined || !wasNotExecuted(error, ctx)) throw error;
  await pause(waitMs);
  const copy = ctx.copy();
  repetitions.set(copy, count + 1);
  return broker.call(ctx.action?.name ?? "", ctx.params, { ctx: copy });
}

/**
 * Whether an error says that this very call was not executed. The same type of error may come from a call that the
 * action itself made after it had begun: that one names another action or another node.
 */
function wasNotExecuted({ type, data }: RemoteError, ctx: Context): boolean {
  if (type !== "SERVICE_NOT_AVAILABLE" && type !== "SERVICE_NOT_FOUND") return false;
  return data?.action === ctx.action?.name && data?.nodeID === ctx.nodeID && ctx.nodeID !== null;
}

/** Whether an error speaks against the node that was called: it lacks what it needs, or has not answered in time. */
function isFailureOf(called: string, { type, data, nodeID, unavailable }: RemoteError): boolean {
  if (type === "REQUEST_TIMEOUT") return data?.nodeID === called;
  return unavailable === true && nodeID === called;
}
