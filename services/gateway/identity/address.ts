import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, type Socket, SocketAddress } from "node:net";
import { headerLines } from "../connection/head.ts";

/** An address with a port, as some proxies write it: `192.0.2.1:5000`, `[2001:db8::1]`, `[2001:db8::1]:5000`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Gives a function that tells the address which a request comes from. It is the address of the connection, or behind
 * trusted proxies the last entry of X-Forwarded-For that is not the address of one of them. What a client has written
 * there itself stands before that entry, and is not read. Of an IPv6 address it is the network of 64 bits, which is
 * what one client gets.
 * docs/guides/growing.md#proxies
 */
export function addressReader(trustedProxies: readonly string[] = []): (request: IncomingMessage) => string {
  const isTrusted = proxyCheck(trustedProxies);

  return (request) => {
    let address = parse(request.socket.remoteAddress ?? "") ?? "";
    if (trustedProxies.length === 0 || address === "" || !isTrusted(address)) return networkOf(address);
    const entries = headerLines(request, "x-forwarded-for").join(",").split(",");
    while (isTrusted(address)) {
      const before = parse(entries.pop()?.trim() ?? "");
      // Without a further entry, or with one that is not an address, the proxy that sent it stands for its clients.
      if (before === undefined) break;
      address = before;
    }
    return networkOf(address);
  };
}

/**
 * Gives a function that tells the address at the other end of a connection, of IPv6 the network; null for a trusted
 * proxy.
 * docs/guides/under-load.md
 */
export function peerReader(trustedProxies: readonly string[] = []): (socket: Socket) => string | null {
  const isTrusted = proxyCheck(trustedProxies);
  return (socket) => {
    const address = parse(socket.remoteAddress ?? "") ?? "";
    return address !== "" && isTrusted(address) ? null : networkOf(address);
  };
}

function proxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [network = "", bits] = range.split("/");
    trusted.addSubnet(network, Number(bits), isIPv4(network) ? "ipv4" : "ipv6");
  }
  return (address) => trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** An address in its usual spelling, an IPv4-mapped one as IPv4; undefined for a text that is no address. */
function parse(text: string): string | undefined {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? [];
  const [plain = ""] = (bracketed ?? withPort ?? text).split("%");
  const version = isIP(plain);
  if (version === 0) return undefined;
  if (version === 4) return plain;
  const { address } = new SocketAddress({ address: plain, family: "ipv6" });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

/** An IPv4 address as it is; of an IPv6 address its network of 64 bits. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  if (tail !== undefined)
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill("0"), ...after);
  return `${groups.slice(0, 4).join(":")}::/64`;
}
