import type { Caller } from "../../../lib/contract/caller.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Gateway } from "../gateway.ts";
import { keyOf } from "./api-key.ts";

/**
 * Who makes a request, after it has been counted on their quota, whose headers the answer gets.
 * @throws ApiError 401 without a valid key, 429 over a quota
 */
export async function callerOf(gateway: Gateway, exchange: Exchange): Promise<Caller> {
  const apiKey = keyOf(exchange.request);
  const caller = apiKey === undefined ? null : await gateway.identify(apiKey);
  if (!caller) throw gateway.refuse(exchange.request);
  await takeQuota(gateway, exchange, caller);
  return caller;
}

async function takeQuota(gateway: Gateway, exchange: Exchange, caller: Caller): Promise<void> {
  if (!gateway.quotas) return;
  const decision = await gateway.take(caller);
  if (!decision) return;
  const now = Date.now();
  exchange.headers = gateway.quotas.headers(decision, now);
  if (decision.exceeded !== null) throw gateway.quotas.refusal(decision, now);
}
