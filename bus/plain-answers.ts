import type { Context, Middleware } from "moleculer";

type Handler = (ctx: Context<unknown, { answer?: object }>) => Promise<unknown>;

/**
 * Gives the JSON text of a thing alone to callers that do not say that they take more (`Meta.answer`): gateways of the
 * release before know nothing else. A preview is whole for everybody, since those make none.
 */
export const plainAnswers: Middleware = {
  name: "PlainAnswers",

  localAction(next: Handler): Handler {
    return async (ctx) => {
      const result = await next(ctx);
      if (ctx.meta.answer || typeof result !== "object" || result === null) return result;
      const { data, beside } = result as { data?: unknown; beside?: unknown };
      return typeof data === "string" && beside === undefined ? data : result;
    };
  },
};
