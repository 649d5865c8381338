import type { Context, Middleware } from "moleculer";
import { heldBy, isUnnamed } from "../base/loop/guard.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/**
 * Names a call from another node as holder of the event loop, where that is watched. A call of this node is part of its
 * request.
 */
export const heldByCalls: Middleware = {
  name: "HeldByCalls",
  localAction: (next: Handler, { name = "" }: { name?: string }): Handler => {
    return (ctx) => {
      if (!isUnnamed()) return next(ctx);
      return new Promise((resolve, reject) => {
        const holder = () => ({ what: name, requestId: ctx.requestID ?? "" });
        heldBy(holder, () => void next(ctx).then(resolve, reject))();
      });
    };
  },
};
