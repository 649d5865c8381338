import type { Caller } from "../../../lib/contract/caller.ts";
import type { Deadline } from "../admission/deadline.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Gateway } from "../gateway.ts";

/**
 * Finds the user who makes a request, and counts the request against their quotas, whose headers the answer will have.
 * @throws ApiError 401 or 429 without a valid key, 429 over a quota
 */
export async function identifyCaller(
  gateway: Gateway,
  exchange: Exchange,
  deadline: Pick<Deadline, "callMs">,
): Promise<Caller> {
  const { apiKey, tenant } = exchange;
  const caller = apiKey === undefined ? null : await gateway.identify(apiKey);
  if (apiKey === undefined || !caller) throw gateway.refusalOf(exchange.request);
  exchange.known.caller = caller;
  if (tenant !== caller.workspaceId) gateway.tenants.note(apiKey, caller.workspaceId);
  await countRequest(gateway, exchange, { caller, timeoutMs: deadline.callMs() });
  return caller;
}

async function countRequest(
  gateway: Gateway,
  exchange: Exchange,
  { caller, timeoutMs }: { caller: Caller; timeoutMs: number },
): Promise<void> {
  if (!gateway.quotas) return;
  const decision = await gateway.countRequest(caller, timeoutMs);
  if (!decision) return;
  const now = Date.now();
  exchange.headers = gateway.quotas.headers(decision, now);
  if (decision.exceeded !== null) throw gateway.quotas.refusal(decision, now);
}
