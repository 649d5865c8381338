import type { IncomingMessage } from "node:http";
import type { Caller } from "../../../base/contract/caller.ts";
import type { ApiError } from "../../../base/contract/errors.ts";
import type { Decision } from "../../../base/contract/rate-windows.ts";
import { isKey } from "../../../engine/secrets/api-keys.ts";
import type { Deadline } from "../admission/deadline.ts";
import type { Exchange } from "../connection/exchange.ts";
import { REFUSED, unauthorized, whyNoKey } from "./api-key.ts";
import type { Quotas } from "./quota.ts";
import type { Tenants } from "./tenants.ts";

/** Parts by which a sender is known and counted. */
interface Identifying {
  /** The user behind an API key, or null for one that is not valid. */
  identify(key: string): Promise<Caller | null> | Caller;
  /** Whether an API key that is not valid was valid once and has expired. */
  isExpired(key: string): Promise<boolean>;
  /** Counts a request without a valid key: the 429 when its address has had too many of them, or null. */
  countRefusal(request: IncomingMessage): ApiError | null;
  tenants: Pick<Tenants, "note">;
  /** Undefined when limits are off. */
  quotas: Quotas | undefined;
  /** Counts a request of a user against the quotas, or says why it is refused; null when limits are off. */
  countRequest(caller: Caller, timeoutMs: number): Promise<Decision | null>;
}

/**
 * Finds the user who makes a request, and counts the request against their quotas, whose headers the answer will have.
 * @throws ApiError 401 or 429 without a valid key, 429 over a quota
 */
export async function identifyCaller(
  gateway: Identifying,
  exchange: Exchange,
  deadline: Pick<Deadline, "callMs">,
): Promise<Caller> {
  const { apiKey, tenant } = exchange;
  const caller = apiKey === undefined ? null : await gateway.identify(apiKey);
  if (apiKey === undefined || !caller)
    throw gateway.countRefusal(exchange.request) ?? (await refusal(gateway, exchange));
  exchange.known.caller = caller;
  if (tenant !== caller.workspaceId) gateway.tenants.note(apiKey, caller.workspaceId);
  await countRequest(gateway, exchange, { caller, timeoutMs: deadline.callMs() });
  return caller;
}

/** The 401 of a request without a valid key, which says why it has none. */
async function refusal({ isExpired }: Identifying, { request, apiKey }: Exchange): Promise<ApiError> {
  if (apiKey === undefined) return unauthorized(whyNoKey(request));
  if (!isKey(apiKey)) return unauthorized(REFUSED.broken);
  return unauthorized((await isExpired(apiKey)) ? REFUSED.expired : REFUSED.unknown);
}

async function countRequest(
  gateway: Identifying,
  exchange: Exchange,
  { caller, timeoutMs }: { caller: Caller; timeoutMs: number },
): Promise<void> {
  if (!gateway.quotas) return;
  const decision = await gateway.countRequest(caller, timeoutMs);
  if (!decision) return;
  const now = Date.now();
  const ofQuotas = gateway.quotas.headers(decision, now);
  // Few requests have headers by now, and a copy for each of the others would cost.
  exchange.headers = exchange.known.isPreview ? { ...exchange.headers, ...ofQuotas } : ofQuotas;
  if (decision.exceeded !== null) throw gateway.quotas.refusal(decision, now);
}
