/** Which addresses may be connected to. */
export interface AddressRules {
  /** Why an address is refused; null when it may be connected to. */
  refusalOf(address: string): string | null;
}

/** Rules by which loopback alone is refused. */
export function createAddressRules(allow: readonly string[]): AddressRules {
  return {
    refusalOf: (address) => (/^(127\.|::1$)/.test(address) && allow.length === 0 ? "loopback" : null),
  };
}

/** The address that stands in a URL in the place of a name; null for a name. */
export function literalAddressOf({ hostname }: URL): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+(\.\d+){3}$/.test(hostname) ? hostname : null;
}
