import type { Uuid } from "../values/ids.ts";
import type { Claim } from "./claim.ts";

/** The way by which a change came, as history names it. docs/guides/events.md#where-a-change-comes-from */
export type Source = (typeof SOURCES)[number];
export const SOURCES = ["api", "assistant", "import", "commandLine", "enrichment", "undo", "system"] as const;

/**
 * Sender of a request: the user of the API key, or the user that the command line works for. It travels as
 * ctx.meta.caller.
 */
export interface Caller {
  workspaceId: Uuid;
  userId: Uuid;
  /** Null for the command line, which needs no key. */
  keyId: Uuid | null;
  access: "full" | "read";
  /** The id of the request. */
  requestId?: string;
  /** The way by which the request came; `api` by default. */
  source?: Source;
  /** Set for a preview, in which nothing is kept. docs/guides/preview.md#what-a-preview-does */
  preview?: Preview;
  /** The Idempotency-Key of the request, for the transaction that does its work. */
  claim?: Claim;
}

/** A run of a command that acts for no user. History names it by this id. */
export interface CommandRun {
  requestId: string;
  source: Source;
}

/** A write that is tried and undone. Its `changes` name things by URLs below this address. */
export interface Preview {
  publicUrl: string;
}

/**
 * Member in which a caller keeps whether its client has gone. In a WeakMap it would cost the garbage collector a
 * twentieth of a small request.
 */
const IS_GONE = Symbol("is gone");

type CallerOfClient = Caller & { [IS_GONE]?: () => boolean };

/**
 * A caller for one request of a client, which may go away before anything was done for it. That does not cross the bus.
 */
export function withClient(caller: Caller, isGone: () => boolean): Caller {
  const one: CallerOfClient = { ...caller, [IS_GONE]: isGone };
  return one;
}

/** Tells whether the client of a request has gone; undefined when that is not known. */
export function clientOf(caller: Pick<Caller, "workspaceId">): (() => boolean) | undefined {
  return (caller as CallerOfClient)[IS_GONE];
}
