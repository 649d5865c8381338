import type { Context } from "moleculer";
import type { Caller, CommandRun } from "../base/contract/caller.ts";
import { ApiError } from "../base/contract/errors.ts";
import type { TSchema } from "../base/contract/schema.ts";
import type { Env } from "../config/env.ts";
import type { Database } from "../database/database.ts";

/**
 * Things that a process hands to each of its services. A service file default-exports
 * `function peopleService(context: ServiceContext): ServiceSchema`.
 */
export interface ServiceContext {
  env: Env;
  database: Database;
  /** Destination of the access log of a gateway: standard output. Undefined when there is none. */
  accessLog?: { isTTY?: boolean; readonly writableLength?: number; write(text: string): unknown };
}

/**
 * The schema of the answer of an action: of one record (`data`), or of the entries of a list (`list`). The gateway puts
 * the answer into `{ data }`. docs/guides/conventions.md#answers
 */
export type Returns = DataReturns | ListReturns;

/** The answer about one thing. */
export interface DataReturns {
  data: TSchema;
  /** True if the answer has the tag of a version. */
  hasTag?: boolean;
  /** The members beside `data`. */
  beside?: Record<string, TSchema>;
}

interface ListReturns {
  list: TSchema;
  /** True if the answer has a cursor beside `pagination`: `Page.cursor`. */
  hasCursor?: boolean;
}

declare module "moleculer" {
  interface ActionSchema {
    /** Purpose of the operation, in one line of the OpenAPI document. */
    summary?: string;
    /** Details that the summary leaves out, for the OpenAPI document. */
    description?: string;
    returns?: Returns;
  }
}

/** Data that every call of an action carries beside its params. */
export interface Meta {
  caller?: Caller;
  /** Set by the command line in calls without a caller. */
  run?: CommandRun;
  /**
   * Set by gateways that take more than the JSON text of a thing (`Answered`), with the address under which clients
   * know the server. Gateways of the release before take the text alone.
   */
  answer?: { publicUrl: string };
}

export type ActionContext<Params> = Context<Params, Meta>;

/**
 * The user that an action is called for. The gateway takes it from the API key, the command line from its options.
 * With the parameter `dryRun` all that it writes is a preview.
 * @throws ApiError 401 if it is not set
 */
export function callerOf(ctx: Context<unknown, Meta>): Caller {
  const caller = knownCaller(ctx);
  const isPreview = (ctx.params as { dryRun?: boolean } | undefined)?.dryRun === true;
  return isPreview ? { ...caller, preview: { publicUrl: ctx.meta.answer?.publicUrl ?? "" } } : caller;
}

/** The caller of an import, whose dry run is no preview: it tells of its rows itself. */
export function importerOf(ctx: Context<unknown, Meta>): Caller {
  return { ...knownCaller(ctx), source: "import" };
}

function knownCaller({ meta: { caller } }: Context<unknown, Meta>): Caller {
  if (!caller) throw new ApiError("UNAUTHORIZED", "This call needs a caller: set it in the meta of the call.");
  return caller;
}
