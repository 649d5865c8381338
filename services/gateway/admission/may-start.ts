import type { IncomingMessage } from "node:http";
import { IN_A_ROW_MAX, WAITING_MAX, WAITING_UNKNOWN_MAX } from "../../../config/shares.ts";
import { unansweredOn } from "../connection/connections.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Admission } from "./admission.ts";
import type { TurnLimit } from "./turn-limit.ts";

/** Parts that start requests, or refuse them before their sender is known. */
interface Door {
  admission: Pick<Admission, "isFull">;
  /** When requests with a key are begun, and when pages are. */
  starts: TurnLimit;
  pageStarts: TurnLimit;
  /** The address that a request comes from. */
  addressOf(request: IncomingMessage): string;
}

/** Paths of probes. They do not wait behind requests. docs/guides/monitoring.md#health */
const PROBES = new Set(["/livez", "/readyz"]);

export function isProbe({ path }: Exchange): boolean {
  return PROBES.has(path);
}

/** The pace at which requests of this kind are begun: those with a key, or pages. */
export function paceOf({ starts, pageStarts }: Door, { needsKey }: Exchange): TurnLimit {
  return needsKey ? starts : pageStarts;
}

/**
 * True if a request finds a place to wait, and then one to run, as far as the gateway knows before it looks up the
 * sender.
 */
export function mayStart(door: Door, exchange: Exchange): boolean {
  const { needsKey, found, tenant, request } = exchange;
  if (unansweredOn(request.socket) > IN_A_ROW_MAX) return false;
  if (needsKey && door.admission.isFull(found?.route, tenant)) return false;
  const pace = paceOf(door, exchange);
  if (!pace.isBusy()) return true;
  if (tenant === "" && pace.waiting() >= WAITING_UNKNOWN_MAX) return false;
  return pace.waitingOf(lineOf(door, exchange)) < WAITING_MAX;
}

/** Line that a request waits in: the line of the workspace, or of the address if the key is not known. */
export function lineOf({ addressOf }: Door, { known, tenant, request }: Exchange): string {
  return known.caller?.workspaceId ?? (tenant || addressOf(request));
}
