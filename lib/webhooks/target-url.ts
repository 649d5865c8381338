import { type createAddressRules, literalAddressOf } from "./addresses.ts";

/**
 * Why nothing is sent to a URL, whose form is right: an address stands in it in the place of a name, to which no connection may be
 * made. Null when it may be sent to. What a name stands for is judged at each delivery. docs/guides/webhooks.md#targets
 */
export function refuseTarget(text: string, rules: ReturnType<typeof createAddressRules>): string | null {
  const address = literalAddressOf(new URL(text));
  return address === null ? null : rules.refusalOf(address);
}
