import { unansweredOn } from "../connection/connections.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Gateway } from "../gateway.ts";
import type { Pace } from "./pace.ts";

/**
 * How many requests of a workspace, or without a known key of an address, may wait to be begun; one more is refused. To begin so
 * many takes a third of a second, which leaves the rest of a second to the database. docs/guides/limits.md#under-load
 */
const WAITING_MAX = 500;
/** The same of all together whose keys are not known. Those of known keys must not be refused for them. */
const WAITING_UNKNOWN_MAX = 2000;

/**
 * How many requests of one connection are not answered yet; one more is refused. Few clients send the next before they have the answer, and
 * what is sent in a row by one that is gone would all be done for nobody.
 */
const IN_A_ROW_MAX = 128;

/** Paths that tell whether the server serves: they do not wait behind what it serves. docs/guides/running.md#health */
const PROBES = new Set(["/livez", "/readyz"]);

export function isProbe({ path }: Exchange): boolean {
  return PROBES.has(path);
}

/** The pace at which requests of this kind are begun: those with a key, or pages. */
export function paceOf({ starts, pageStarts }: Gateway, { needsKey }: Exchange): Pace {
  return needsKey ? starts : pageStarts;
}

/** Whether a request finds a place to wait, and then one to be worked on, as far as can be told before anybody is asked who sends it. */
export function mayBegin(gateway: Gateway, exchange: Exchange): boolean {
  const { needsKey, found, tenant, request } = exchange;
  if (unansweredOn(request.socket) > IN_A_ROW_MAX) return false;
  if (needsKey && gateway.admission.isFull(found?.route, tenant)) return false;
  const pace = paceOf(gateway, exchange);
  if (!pace.isBusy()) return true;
  if (tenant === "" && pace.waiting() >= WAITING_UNKNOWN_MAX) return false;
  return pace.waitingOf(lineOf(gateway, exchange)) < WAITING_MAX;
}

/** Whom a request waits behind: those of the same workspace, or without a key that is known those of the same address. */
export function lineOf({ addressOf }: Pick<Gateway, "addressOf">, { known, tenant, request }: Exchange): string {
  return known.caller?.workspaceId ?? (tenant || addressOf(request));
}
