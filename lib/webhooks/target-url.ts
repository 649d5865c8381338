import { type createAddressRules, literalAddressOf } from "./addresses.ts";

/**
 * Why nothing is sent to a URL, whose form is right: an address stands in it in the place of a name, to which no connection may be
 * made. Null when it may be sent to. What a name stands for is judged at each delivery. docs/guides/webhooks.md#targets
 */
export function refuseTarget(text: string, rules: ReturnType<typeof createAddressRules>): string | null {
  const address = literalAddressOf(new URL(text));
  const words = address === null ? null : rules.refusalOf(address);
  if (words === null) return null;
  return `The address ${address} is not allowed: ${words}. Whoever runs the server can open it with WEBHOOK_ALLOW`;
}
