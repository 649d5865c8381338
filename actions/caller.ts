import type { Context } from "moleculer";
import type { Caller } from "../lib/contract/caller.ts";
import { ApiError } from "../lib/contract/errors.ts";

/** What travels with every call beside its params. */
export interface Meta {
  caller?: Caller;
}

/** The context of an action with these params. */
export type ActionContext<Params> = Context<Params, Meta>;

/** Who makes this call. The gateway sets it from the API key, the command line from its options. */
export function callerOf(ctx: Context<unknown, Meta>): Caller {
  const { caller } = ctx.meta;
  if (!caller) throw new ApiError("UNAUTHORIZED", "This call needs a caller.");
  return caller;
}
