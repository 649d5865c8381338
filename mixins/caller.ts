import type { Context } from "moleculer";
import type { Caller } from "../base/contract/caller.ts";
import { ApiError } from "../base/contract/errors.ts";

/** Data that every call of an action carries beside its params. */
export interface Meta {
  caller?: Caller;
}

/** The context of an action with these params. */
export type ActionContext<Params> = Context<Params, Meta>;

/**
 * The user on whose behalf an action is called. The gateway sets it from the API key, the command line from its options.
 * @throws ApiError 401 when nobody has set it
 */
export function callerOf(ctx: Context<unknown, Meta>): Caller {
  const { caller } = ctx.meta;
  if (!caller) throw new ApiError("UNAUTHORIZED", "This call needs a caller: set it in the meta of the call.");
  return caller;
}
