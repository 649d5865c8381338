import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Which addresses webhooks may reach. docs/guides/webhook-deliveries.md#targets */
export interface AddressRules {
  /**
   * Reason why nothing may be sent to an address, in words that fit behind "is not allowed:"; null if it is allowed.
   * @param address an IPv4 or IPv6 address in any spelling; another text is refused
   */
  refusalOf(address: string): string | null;
}

/** Name of a range in ipaddr.js → words for a reader. A name that is missing here is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  unspecified: "no address of a host",
  broadcast: "broadcast",
  multicast: "multicast",
  linkLocal: "link-local",
  loopback: "loopback",
  carrierGradeNat: "shared address space",
  private: "private",
  uniqueLocal: "private",
  deprecatedSiteLocal: "site-local",
  ipv4Mapped: "IPv4-mapped",
  rfc6145: "IPv4-translated",
  rfc6052: "NAT64",
  "6to4": "6to4",
  teredo: "Teredo",
  benchmarking: "benchmarking",
  amt: "AMT",
  as112: "AS112",
  as112v6: "AS112",
  deprecatedOrchid: "ORCHID",
  orchid2: "ORCHID",
  droneRemoteIdProtocolEntityTags: "DRIP",
  segmentRouting: "segment routing",
  discard: "discard",
  reserved: "reserved",
};

/**
 * Ranges that are not for the public and that ipaddr.js takes for unicast. IPv6 addresses outside of 2000::/3 need no
 * row, since all of them are refused.
 */
const SPECIAL: readonly (readonly [range: Range, words: string])[] = [
  // Address of the platform for virtual machines in Azure. It is in the public range, so no RFC lists it.
  [ipaddr.parseCIDR("168.63.129.16/32"), "cloud metadata"],
  // The former 6bone: RFC 3701 gave it back, and nothing has been allocated from it since.
  [ipaddr.parseCIDR("3ffe::/16"), "reserved"],
];

/**
 * All that IANA has given to hosts of the internet so far: RFC 4291, section 2.4, and the registry of IPv6 address
 * space.
 */
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR("2000::/3");

/**
 * Only addresses of the public internet may be reached, which keeps a webhook from asking machines of the server's own
 * network: all special ranges of IANA are refused, also when they are written inside of an IPv6 address.
 * @param allow ranges in CIDR notation that may be reached although they are refused otherwise (WEBHOOK_ALLOW)
 */
export function createAddressRules(allow: readonly string[] = []): AddressRules {
  const allowed: Range[] = allow.map((range) => ipaddr.parseCIDR(range));
  const isAllowed = (address: Address) => allowed.some((range) => isIn(address, range));

  function refusalOf(text: string): string | null {
    if (isIP(text) === 0) return "no IP address";
    const address = ipaddr.parse(hexadecimal(text));
    if (isAllowed(address) || isAllowed(unmapped(address))) return null;
    return specialWords(address);
  }

  return { refusalOf };
}

/**
 * The IP address that a URL names, in its usual spelling and without brackets; null when its host is a name. The parser
 * of URLs has made numbers of any notation, and digits of any script, into such an address before.
 */
export function literalAddressOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  return isIP(host) === 0 ? null : host;
}

function specialWords(address: Address): string | null {
  const known = address.range();
  if (known !== "unicast") return WORDS[known] ?? known;
  const special = SPECIAL.find(([range]) => isIn(address, range));
  if (special) return special[1];
  return address.kind() === "ipv6" && !isIn(address, GLOBAL_UNICAST) ? "reserved" : null;
}

/**
 * An IPv6 address with all its groups in hexadecimal. ipaddr.js takes `::127.0.0.1` for an IPv4-mapped address, because
 * of the dots in it; it is an IPv4-compatible one, which is another.
 */
function hexadecimal(text: string): string {
  return text.replace(/(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`;
  });
}

/** The address inside an IPv4-mapped one; any other address itself. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** ipaddr.js throws when it is to compare addresses of two kinds. */
function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
